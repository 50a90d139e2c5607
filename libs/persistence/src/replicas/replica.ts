import type { Logger } from '@lintel/telemetry';
import { ControlConnection } from '../connection/control-connection.ts';
import { PgDatabase } from '../connection/create-database.ts';
import type { DatabaseOptions } from '../connection/database-options.ts';
import { type LogPosition, SERVER_STATE, type ServerState } from '../connection/log-position.ts';
import { poolConfigOf } from '../connection/pool-config.ts';
import type { ReplicaFacts } from './choose-replica.ts';
import type { PrimarySamples } from './primary-samples.ts';

/** Looks without an answer after which the statements that run are given up, to be run elsewhere. */
const SILENT_LOOKS = 2;

/** Why a replica is not asked, in words for operators. */
export type ReplicaProblem = 'not known yet' | 'away' | 'not a replica' | 'of another database' | 'too far behind';

/** One server that follows the primary: its connections, and what is known of it. */
export class Replica implements ReplicaFacts {
  readonly number: number;
  /** `host:port` */
  readonly server: string;
  readonly database: PgDatabase;
  position: LogPosition | undefined;
  freshAtMs = Number.NEGATIVE_INFINITY;
  problem: Exclude<ReplicaProblem, 'too far behind'> | undefined = 'not known yet';
  /** Why it was away last. */
  failure: unknown;
  private readonly control: ControlConnection;
  private looksWithoutAnswer = 0;
  private isLooking = false;

  /** @param options of its pool, which has its name */
  constructor(number: number, options: DatabaseOptions & { readonly logger: Pick<Logger, 'warn'> }) {
    this.number = number;
    this.server = new URL(options.url).host;
    this.database = new PgDatabase({ ...options, readOnly: true });
    // One of its own: cancelling must not wait for it, nor it for a cancelling.
    this.control = new ControlConnection(poolConfigOf(options, 1), () => this.exclude('away'));
  }

  /** Asks the server about itself. Never rejects. */
  async look(samples: PrimarySamples, originOfPrimary: string | undefined): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const [state] = await this.control.ask<ServerState>(SERVER_STATE).catch((error: unknown) => {
      this.failure = error;
      return [];
    });
    this.isLooking = false;
    this.looksWithoutAnswer = state === undefined ? this.looksWithoutAnswer + 1 : 0;
    // A server that is gone without a sign would keep them until the limit of statements.
    if (this.looksWithoutAnswer === SILENT_LOOKS) this.database.dropConnections();
    if (state === undefined) this.exclude('away');
    else if (!state.isReplica || state.position === null) this.exclude('not a replica');
    else if (originOfPrimary !== undefined && state.origin !== originOfPrimary) this.exclude('of another database');
    else this.note(state.position, samples);
  }

  private note(position: LogPosition, samples: PrimarySamples): void {
    this.problem = undefined;
    this.position = position;
    this.freshAtMs = samples.momentOf(position) ?? Number.NEGATIVE_INFINITY;
  }

  /** It is not asked until it has answered the next look. */
  exclude(problem: NonNullable<Replica['problem']>): void {
    this.problem = problem;
    this.position = undefined;
  }

  async close(): Promise<void> {
    await Promise.all([this.database.close(), this.control.close()]);
  }
}
