import { setInterval } from 'node:timers/promises';

/** 20 requests a second, however long each of them takes. */
const INTERVAL_MS = 50;

/** Requests that go on while something happens to an installation. */
export interface SteadyLoad {
  /** Names what happens from now on: requests that begin from now on are counted with it. */
  during(cause: string): void;
  /** Number of requests of each kind that have succeeded since the last call of `during`. */
  succeeded(): ReadonlyMap<string, number>;
  /** Number of the others, by cause, kind and outcome: `postgres: read 503 DATA_UNAVAILABLE`, `gateway: read no response`. */
  readonly failures: ReadonlyMap<string, number>;
  /** Begins no more requests, waits for all responses, and returns the number of requests. */
  stop(): Promise<number>;
}

/**
 * Sends requests until it is stopped.
 *
 * @param order kinds of requests, sent again and again in this order
 * @param kinds each sends a request, reads the response, and returns it; fails if there is none
 */
export function startLoad<Kind extends string>(
  order: readonly Kind[],
  kinds: Readonly<Record<Kind, () => Promise<Response>>>,
): SteadyLoad {
  const failures = new Map<string, number>();
  const succeeded = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const end = new AbortController();
  let cause = 'nothing';
  let sent = 0;
  const countOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const sendOne = async (kind: Kind) => {
    const began = cause;
    const response = await kinds[kind]().catch(() => undefined);
    if (response?.ok !== true) countOne(failures, `${began}: ${kind} ${outcomeOf(response)}`);
    else if (began === cause) countOne(succeeded, kind);
  };
  const sending = (async () => {
    for await (const _ of setInterval(INTERVAL_MS, undefined, { signal: end.signal })) {
      const kind = order[sent % order.length];
      if (kind === undefined) throw new Error('There is no kind of requests');
      sent += 1;
      const request = sendOne(kind).finally(() => running.delete(request));
      running.add(request);
    }
  })().catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return {
    failures,
    succeeded: () => succeeded,
    during(next) {
      cause = next;
      succeeded.clear();
    },
    async stop() {
      end.abort();
      await sending;
      await Promise.all(running);
      return sent;
    },
  };
}

function outcomeOf(response: Response | undefined): string {
  if (response === undefined) return 'no response';
  const { status, headers } = response;
  const isBare = status === 503 && !headers.has('retry-after');
  return `${status} ${headers.get('x-error-code')}${isBare ? ' without Retry-After' : ''}`;
}
