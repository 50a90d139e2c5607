import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { DatabaseOptions } from '../connection/database-options.ts';
import { type LogPosition, SERVER_STATE, type ServerState } from '../connection/log-position.ts';
import { ControlConnection } from '../connection/pool/control-connection.ts';
import { poolConfigOf } from '../connection/pool/pool-config.ts';
import type { Database } from '../database.ts';
import { assertReplicas } from './assert-replicas.ts';
import { chooseReplica, isFresh } from './choose-replica.ts';
import { PrimarySamples } from './primary-samples.ts';
import { Replica, type ReplicaProblem } from './replica.ts';

/** Options of the primary, which apply to each replica, and options of replicas. */
export interface ReplicaOptions extends Omit<DatabaseOptions, 'url' | 'logger' | 'readOnly'> {
  readonly primaryUrl: string;
  /** Physical (streaming) replicas of the primary. */
  readonly urls: readonly string[];
  /** A replica that may lack a commit older than this is not used. */
  readonly maxLagMs: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The replica that was chosen for a reader. */
export interface ReadReplica {
  readonly database: Pick<Database, 'query' | 'stream'>;
  /** To be called when its connection was lost: it is not chosen again before it responds to a probe. */
  suspect(): void;
}

/** One replica as operators see it. */
export interface ReplicaState {
  readonly number: number;
  /** Undefined while it is used. */
  readonly problem: ReplicaProblem | undefined;
}

/** The replicas of a database, with the position of each. */
export interface Replicas {
  readonly maxLagMs: number;
  /**
   * Chooses the replica for a caller; undefined if the caller must read from the primary. Sends no request.
   *
   * @param minPosition up to where it must have replayed, besides everything that is older than the maximum lag
   */
  choose(caller: string, minPosition: LogPosition | undefined): ReadReplica | undefined;
  /** Whether there is a replica for a caller without a minimum position. */
  canChoose(): boolean;
  /**
   * Resolves when no process reads a state older than the position: each replica has replayed it, or the maximum lag
   * has passed. Also resolves when the replicas are closed.
   */
  settled(position: LogPosition): Promise<void>;
  states(): readonly ReplicaState[];
  close(): Promise<void>;
}

const MAX_PROBE_INTERVAL_MS = 500;
const MIN_PROBE_INTERVAL_MS = 50;
const PROBES_PER_LAG = 10;
const SETTLING_PROBE_INTERVAL_MS = 50;
/** How much longer than the maximum lag the metric can report the lag of a replica. */
const KEPT_BEYOND_LAG_MS = 60_000;

/**
 * Connects to the replicas and reads the position of each at least every half a second.
 *
 * @throws StartError for addresses that cannot be those of replicas, and for a lag out of range
 */
export const createReplicas = (options: ReplicaOptions): Replicas => new PgReplicas(options);

class PgReplicas implements Replicas {
  readonly maxLagMs: number;
  private readonly replicas: readonly Replica[];
  private readonly primary: ControlConnection;
  private readonly logger: ReplicaOptions['logger'];
  private readonly samples: PrimarySamples;
  private readonly timer: NodeJS.Timeout;
  private readonly reportedProblems = new Map<Replica, ReplicaProblem | undefined>();
  private origin: string | undefined;
  private failureOfPrimary: unknown;
  private probing: Promise<void> | undefined;
  private isClosed = false;

  constructor({ primaryUrl, urls, maxLagMs, ...options }: ReplicaOptions) {
    assertReplicas({ urls, primaryUrl, maxLagMs });
    this.maxLagMs = maxLagMs;
    this.logger = options.logger;
    this.samples = new PrimarySamples(maxLagMs + KEPT_BEYOND_LAG_MS);
    // A connection of its own: replicas are probed also while the pool of the primary is exhausted.
    this.primary = new ControlConnection(poolConfigOf({ ...options, url: primaryUrl }, 1), () => {});
    const { applicationName } = options;
    this.replicas = urls.map(
      (url, at) => new Replica(at + 1, { ...options, url, applicationName: `${applicationName}-replica-${at + 1}` }),
    );
    this.observe(applicationName, options.metrics);
    const intervalMs = Math.max(MIN_PROBE_INTERVAL_MS, Math.min(MAX_PROBE_INTERVAL_MS, maxLagMs / PROBES_PER_LAG));
    this.timer = setInterval(() => void this.probe(), intervalMs);
    this.timer.unref();
    void this.probe();
  }

  private observe(applicationName: string, metrics: Metrics = NO_METRICS): void {
    for (const replica of this.replicas) {
      const labels = { pool: `${applicationName}-replica-${replica.number}` };
      metrics.observe('lintel.db.replica.lag', () => this.lagOf(replica), labels);
      metrics.observe('lintel.db.replica.usable', () => (this.problemOf(replica) === undefined ? 1 : 0), labels);
    }
  }

  private lagOf({ freshAtMs }: Replica): number | undefined {
    return Number.isFinite(freshAtMs) ? (performance.now() - freshAtMs) / 1_000 : undefined;
  }

  private problemOf(replica: Replica): ReplicaProblem | undefined {
    if (replica.problem !== undefined) return replica.problem;
    return isFresh(replica, performance.now(), this.maxLagMs) ? undefined : 'too far behind';
  }

  /** Concurrent calls share one probe. */
  private probe(): Promise<void> {
    this.probing ??= this.probeOnce().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  private async probeOnce(): Promise<void> {
    const atMs = performance.now();
    const [primary] = await this.primary.query<ServerState>(SERVER_STATE).catch((error: unknown) => {
      this.failureOfPrimary = error;
      return [];
    });
    if (primary !== undefined) this.failureOfPrimary = undefined;
    // A server that became a replica does not know the latest acknowledged position.
    if (primary !== undefined && !primary.isReplica && primary.position !== null) {
      this.samples.note(atMs, primary.position);
      this.origin = primary.origin;
    }
    if (this.isClosed) return;
    // Not awaited: a replica that does not respond must not delay the others.
    for (const replica of this.replicas)
      void replica.probe(this.samples, this.origin).then(() => this.logChange(replica));
  }

  private logChange(replica: Replica): void {
    // Problems that are caused by closing are not logged.
    if (this.isClosed) return;
    const problem = this.problemOf(replica);
    if (this.reportedProblems.has(replica) && this.reportedProblems.get(replica) === problem) return;
    this.reportedProblems.set(replica, problem);
    const { number, server } = replica;
    // The age of a replica is also unknown where the primary cannot be queried.
    const err = problem === 'away' ? replica.failure : problem === 'too far behind' ? this.failureOfPrimary : undefined;
    if (problem === undefined) this.logger.info({ replica: number, server }, 'A replica of the database is read from');
    else this.logger.warn({ replica: number, server, problem, err }, 'A replica of the database is not read from');
  }

  choose(caller: string, minPosition: LogPosition | undefined): ReadReplica | undefined {
    const nowMs = performance.now();
    const replica = chooseReplica(this.replicas, { nowMs, maxLagMs: this.maxLagMs, caller, minPosition: minPosition });
    return replica && { database: replica.database, suspect: () => replica.exclude('away') };
  }

  canChoose(): boolean {
    const nowMs = performance.now();
    return this.replicas.some((replica) => isFresh(replica, nowMs, this.maxLagMs));
  }

  async settled(position: LogPosition): Promise<void> {
    const untilMs = performance.now() + this.maxLagMs;
    const isLagging = (replica: Replica): boolean => replica.position === undefined || replica.position < position;
    while (!this.isClosed && this.replicas.some(isLagging) && performance.now() < untilMs) {
      void this.probe();
      await sleep(SETTLING_PROBE_INTERVAL_MS, undefined, { ref: false });
    }
  }

  states(): readonly ReplicaState[] {
    return this.replicas.map((replica) => ({ number: replica.number, problem: this.problemOf(replica) }));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    await Promise.all([this.primary.close(), ...this.replicas.map((replica) => replica.close())]);
  }
}
