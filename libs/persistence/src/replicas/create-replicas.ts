import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, type Metrics, NO_METRICS } from '@lintel/telemetry';
import { ControlConnection } from '../connection/control-connection.ts';
import type { DatabaseOptions } from '../connection/database-options.ts';
import { type LogPosition, SERVER_STATE, type ServerState } from '../connection/log-position.ts';
import { poolConfigOf } from '../connection/pool-config.ts';
import type { Database } from '../database.ts';
import { assertReplicas } from './assert-replicas.ts';
import { chooseReplica, isFresh } from './choose-replica.ts';
import { PrimarySamples } from './primary-samples.ts';
import { Replica, type ReplicaProblem } from './replica.ts';

/** Options of the primary, which hold for each replica, and what concerns replicas. */
export interface ReplicaOptions extends Omit<DatabaseOptions, 'url' | 'logger' | 'readOnly'> {
  readonly primaryUrl: string;
  /** Physical (streaming) replicas of the primary. */
  readonly urls: readonly string[];
  /** A replica that may lack something committed earlier than this ago is not asked. */
  readonly maxLagMs: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** What a reader gets. */
export interface ReadReplica {
  readonly database: Pick<Database, 'query' | 'stream'>;
  /** To be called when its connection was lost: nobody gets it before it has answered again. */
  suspect(): void;
}

export interface ReplicaState {
  readonly number: number;
  /** Undefined where it is asked. */
  readonly problem: ReplicaProblem | undefined;
}

/** The replicas of a database, of which each is known how far it is. */
export interface Replicas {
  readonly maxLagMs: number;
  /**
   * The replica for a caller; undefined where the primary is to be asked. Looks nothing up.
   *
   * @param mark what it must have replayed, beside everything that is older than the greatest lag
   */
  choose(caller: string, mark: LogPosition | undefined): ReadReplica | undefined;
  /** Whether there is one for a caller without a mark. */
  canChoose(): boolean;
  /**
   * Resolves when no process reads anything older than the place: each replica has replayed it, or the greatest lag
   * has passed; and when they are closed.
   */
  settled(position: LogPosition): Promise<void>;
  states(): readonly ReplicaState[];
  close(): Promise<void>;
}

const MOST_BETWEEN_LOOKS_MS = 500;
const LEAST_BETWEEN_LOOKS_MS = 50;
const LOOKS_PER_LAG = 10;
const SETTLING_LOOK_MS = 50;
/** Beyond the greatest lag the metric has something to tell for a while. */
const TOLD_BEYOND_MS = 60_000;

/**
 * Connects to the replicas and looks every half a second at most how far each of them is.
 *
 * @throws StartError for addresses that cannot be those of replicas, and a lag out of bounds
 */
export const createReplicas = (options: ReplicaOptions): Replicas => new PgReplicas(options);

class PgReplicas implements Replicas {
  readonly maxLagMs: number;
  private readonly replicas: readonly Replica[];
  private readonly primary: ControlConnection;
  private readonly logger: ReplicaOptions['logger'];
  private readonly samples: PrimarySamples;
  private readonly timer: NodeJS.Timeout;
  private readonly told = new Map<Replica, ReplicaProblem | undefined>();
  private origin: string | undefined;
  private failureOfPrimary: unknown;
  private looking: Promise<void> | undefined;
  private isClosed = false;

  constructor({ primaryUrl, urls, maxLagMs, ...options }: ReplicaOptions) {
    assertReplicas({ urls, primaryUrl, maxLagMs });
    this.maxLagMs = maxLagMs;
    this.logger = options.logger;
    this.samples = new PrimarySamples(maxLagMs + TOLD_BEYOND_MS);
    // Of its own: how old replicas are must be known however busy the pool of the primary is.
    this.primary = new ControlConnection(poolConfigOf({ ...options, url: primaryUrl }, 1), () => {});
    const { applicationName } = options;
    this.replicas = urls.map(
      (url, at) => new Replica(at + 1, { ...options, url, applicationName: `${applicationName}-replica-${at + 1}` }),
    );
    this.observe(applicationName, options.metrics);
    const intervalMs = Math.max(LEAST_BETWEEN_LOOKS_MS, Math.min(MOST_BETWEEN_LOOKS_MS, maxLagMs / LOOKS_PER_LAG));
    this.timer = setInterval(() => void this.look(), intervalMs);
    this.timer.unref();
    void this.look();
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

  /** Those who ask meanwhile share one look. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    const atMs = performance.now();
    const [primary] = await this.primary.ask<ServerState>(SERVER_STATE).catch((error: unknown) => {
      this.failureOfPrimary = error;
      return [];
    });
    if (primary !== undefined) this.failureOfPrimary = undefined;
    // What follows another server now has nothing to say about what was acknowledged.
    if (primary !== undefined && !primary.isReplica && primary.position !== null) {
      this.samples.note(atMs, primary.position);
      this.origin = primary.origin;
    }
    if (this.isClosed) return;
    // Not waited for: one that is silent holds up nobody.
    for (const replica of this.replicas)
      void replica.look(this.samples, this.origin).then(() => this.tellChange(replica));
  }

  private tellChange(replica: Replica): void {
    // What closing made of it is no news.
    if (this.isClosed) return;
    const problem = this.problemOf(replica);
    if (this.told.has(replica) && this.told.get(replica) === problem) return;
    this.told.set(replica, problem);
    const { number, server } = replica;
    // One that is too far behind may be so only since nobody knows where the primary is.
    const err = problem === 'away' ? replica.failure : problem === 'too far behind' ? this.failureOfPrimary : undefined;
    if (problem === undefined) this.logger.info({ replica: number, server }, 'A replica of the database is read from');
    else this.logger.warn({ replica: number, server, problem, err }, 'A replica of the database is not read from');
  }

  choose(caller: string, mark: LogPosition | undefined): ReadReplica | undefined {
    const nowMs = performance.now();
    const replica = chooseReplica(this.replicas, { nowMs, maxLagMs: this.maxLagMs, caller, mark });
    return replica && { database: replica.database, suspect: () => replica.exclude('away') };
  }

  canChoose(): boolean {
    const nowMs = performance.now();
    return this.replicas.some((replica) => isFresh(replica, nowMs, this.maxLagMs));
  }

  async settled(position: LogPosition): Promise<void> {
    const untilMs = performance.now() + this.maxLagMs;
    const isBehind = (replica: Replica): boolean => replica.position === undefined || replica.position < position;
    while (!this.isClosed && this.replicas.some(isBehind) && performance.now() < untilMs) {
      void this.look();
      await sleep(SETTLING_LOOK_MS, undefined, { ref: false });
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
