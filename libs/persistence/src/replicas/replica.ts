import type { Logger } from '@lintel/telemetry';
import { PgDatabase } from '../connection/create-database.ts';
import type { DatabaseOptions } from '../connection/database-options.ts';
import { type LogPosition, SERVER_STATE, type ServerState } from '../connection/log-position.ts';
import { ControlConnection } from '../connection/pool/control-connection.ts';
import { poolConfigOf } from '../connection/pool/pool-config.ts';
import type { ReplicaFacts } from './choose-replica.ts';
import type { PrimarySamples } from './primary-samples.ts';

/** After so many probes without a response the running statements are aborted, so that they run on another server. */
const MAX_FAILED_PROBES = 2;

/** Why a replica is not used, in words for operators. */
export type ReplicaProblem = 'not known yet' | 'away' | 'not a replica' | 'of another database' | 'too far behind';

/** One server that follows the primary: its connections and its state. */
export class Replica implements ReplicaFacts {
  readonly number: number;
  /** `host:port` */
  readonly server: string;
  readonly database: PgDatabase;
  position: LogPosition | undefined;
  freshAtMs = Number.NEGATIVE_INFINITY;
  problem: Exclude<ReplicaProblem, 'too far behind'> | undefined = 'not known yet';
  /** The last error by which it was unavailable. */
  failure: unknown;
  private readonly control: ControlConnection;
  private failedProbes = 0;
  private isProbing = false;

  /** @param options of its pool, whose name they contain */
  constructor(number: number, options: DatabaseOptions & { readonly logger: Pick<Logger, 'warn'> }) {
    this.number = number;
    this.server = new URL(options.url).host;
    this.database = new PgDatabase({ ...options, readOnly: true });
    // A connection of its own: cancel requests and probes must not wait for each other.
    this.control = new ControlConnection(poolConfigOf(options, 1), () => this.exclude('away'));
  }

  /** Reads the state of the server. Never rejects. */
  async probe(samples: PrimarySamples, originOfPrimary: string | undefined): Promise<void> {
    if (this.isProbing) return;
    this.isProbing = true;
    const [state] = await this.control.query<ServerState>(SERVER_STATE).catch((error: unknown) => {
      this.failure = error;
      return [];
    });
    this.isProbing = false;
    this.failedProbes = state === undefined ? this.failedProbes + 1 : 0;
    // If the server has gone without closing its connections, statements would wait until their timeout.
    if (this.failedProbes === MAX_FAILED_PROBES) this.database.dropConnections();
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

  /** It is not used until it responds to the next probe. */
  exclude(problem: NonNullable<Replica['problem']>): void {
    this.problem = problem;
    this.position = undefined;
  }

  async close(): Promise<void> {
    await Promise.all([this.database.close(), this.control.close()]);
  }
}
