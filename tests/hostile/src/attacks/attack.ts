import type { RawConnection } from '../client/raw-connection.ts';
import type { HttpRequest, Reply } from '../client/send-request.ts';

/** Who sends the requests: an anonymous client, or a user of the demo. */
export type Sender = 'anonymous' | 'viewer' | 'manager' | 'admin';

/** What an attack works with. */
export interface Attacker {
  /** Sends a request as the sender of the attack. */
  send(request: HttpRequest): Promise<Reply>;
  /** Sends a request as the administrator, to prepare or to clear up. */
  asAdmin(request: HttpRequest): Promise<Reply>;
  /** Opens a connection to write bytes to. */
  connect(): Promise<RawConnection>;
  readonly authorization: string | undefined;
  /** Runs a statement on the database. */
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

export type Outcome = Reply['status'];

/** One row of the table. */
export interface Attack {
  /** Row of the list of findings (`H1`), or the route of the API. */
  readonly finding: string;
  /** A sentence: the test is named so. */
  readonly title: string;
  readonly sender: Sender;
  /** Preparation, which is not measured. */
  readonly prepare?: (attacker: Attacker) => Promise<void>;
  readonly run: (attacker: Attacker) => Promise<readonly Reply[]>;
  /** Removes what the attack has made. */
  readonly cleanUp?: (attacker: Attacker) => Promise<void>;
  /** Statuses that each reply may have. */
  readonly statuses: readonly Outcome[];
  /** Property that the refusals with 400 name. */
  readonly limit?: string | RegExp;
  /** Each reply must be there after this time. */
  readonly withinMs?: number;
  /** The event loop of each process is blocked for a shorter time, if not for that of all attacks. */
  readonly maxBlockMs?: number;
  /** Seconds of work: for the long tests only. */
  readonly isLong?: true;
  /** Several attacks in one, for tests that are not long. */
  readonly isGroup?: true;
}

/** Replies of as many requests, so many of them at the same time. */
export async function atOnce(
  total: number,
  concurrency: number,
  send: (index: number) => Promise<Reply>,
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < total) {
      const index = next;
      next += 1;
      replies.push(await send(index));
    }
  };
  await Promise.all(Array.from({ length: Math.min(total, concurrency) }, work));
  return replies;
}
