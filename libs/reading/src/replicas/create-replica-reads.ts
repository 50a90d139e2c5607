import type { SessionPositions } from '@lintel/cache';
import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import {
  databaseErrorDetailsOf,
  isPoolExhausted,
  type ReadReplica,
  type Replicas,
  type Statement,
  type StreamOptions,
} from '@lintel/persistence';
import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { RowBatch } from '../prepare/prepared-read.ts';
import type { ReadResult } from '../read-entities.ts';
import type { ReadDatabase } from '../statements/measured-database.ts';

/** Reads that replicas may serve. */
export interface ReplicaReads {
  /** One request; its server is chosen with its first statement. */
  begin(principal: Principal): ReplicaRead;
}

/** All statements of a request go to one server: its count, its page and its cursor show one state of the data. */
export interface ReplicaRead extends ReadDatabase {
  /**
   * Runs the read; if a replica fails, once more on the primary. The first rows of a stream are read before it is
   * returned: only a later failure cannot be repeated.
   */
  run(read: () => Promise<ReadResult>, signal: AbortSignal): Promise<ReadResult>;
  /** Closes a stream that will not be read, since the response failed. Never rejects. */
  abandon(): Promise<void>;
}

export interface ReplicaReadOptions {
  readonly replicas: Pick<Replicas, 'canChoose' | 'choose'>;
  readonly positions: Pick<SessionPositions, 'load'>;
  readonly primary: ReadDatabase;
  /** Puts the queue of fair shares before the connections of a replica. */
  readonly fair?: (replica: ReadDatabase) => ReadDatabase;
  readonly metrics: Metrics | undefined;
}

/** Why the primary serves a read that a replica could have served. */
type Reason = 'own-write' | 'unsure' | 'none' | 'missing' | 'failed';

interface Shared extends Omit<ReplicaReadOptions, 'metrics'> {
  readonly counters: Readonly<Record<Reason | 'replica', Counter>>;
}

/** Reads of sessions are served by replicas that have their writes, and by the primary where none has. */
export function createReplicaReads({ metrics = NO_METRICS, ...options }: ReplicaReadOptions): ReplicaReads {
  const byPrimary = (reason: Reason) => metrics.counter('lintel.db.reads', { server: 'primary', reason });
  const counters = {
    replica: metrics.counter('lintel.db.reads', { server: 'replica', reason: 'replica' }),
    'own-write': byPrimary('own-write'),
    unsure: byPrimary('unsure'),
    none: byPrimary('none'),
    missing: byPrimary('missing'),
    failed: byPrimary('failed'),
  };
  return { begin: ({ sessionId }) => new SessionRead(sessionId, { ...options, counters }) };
}

class SessionRead implements ReplicaRead {
  readonly #sessionId: string;
  readonly #shared: Shared;
  #choosing: Promise<ReadReplica | undefined> | undefined;
  /** Undefined if the primary was chosen, or before the choice. */
  #replica: ReadReplica | undefined;
  /** The rows that have begun. */
  #rows: AsyncIterator<RowBatch> | undefined;

  constructor(sessionId: string, shared: Shared) {
    this.#sessionId = sessionId;
    this.#shared = shared;
  }

  async query<R extends object>(statement: Statement, signal?: AbortSignal): Promise<readonly R[]> {
    return (await this.#server()).query<R>(statement, signal);
  }

  async *stream<R extends object>(statement: Statement, options: StreamOptions): AsyncGenerator<readonly R[]> {
    yield* (await this.#server()).stream<R>(statement, options);
  }

  async #server(): Promise<ReadDatabase> {
    this.#choosing ??= this.#choose();
    this.#replica = await this.#choosing;
    if (this.#replica === undefined) return this.#shared.primary;
    return this.#shared.fair?.(this.#replica.database) ?? this.#replica.database;
  }

  async #choose(): Promise<ReadReplica | undefined> {
    const { replicas, positions } = this.#shared;
    if (!replicas.canChoose()) return this.#primary('none');
    const known = await positions.load(this.#sessionId).catch(() => undefined);
    // A position may exist that this process cannot see.
    if (known?.isSure !== true) return this.#primary('unsure');
    const replica = replicas.choose(this.#sessionId, known.position);
    if (replica === undefined) return this.#primary(known.position === undefined ? 'none' : 'own-write');
    this.#shared.counters.replica.add(1);
    return replica;
  }

  #primary(reason: Reason): undefined {
    this.#shared.counters[reason].add(1);
  }

  async run(read: () => Promise<ReadResult>, signal: AbortSignal): Promise<ReadResult> {
    try {
      return await this.#begun(await read());
    } catch (error) {
      if (this.#replica === undefined || signal.aborted || !mayPrimaryDiffer(error)) throw error;
      if (isLoss(error)) this.#replica.suspect();
      this.#choosing = Promise.resolve(this.#primary(isMissing(error) ? 'missing' : 'failed'));
      return this.#begun(await read());
    }
  }

  /** A result whose first rows were read. */
  async #begun(run: ReadResult): Promise<ReadResult> {
    if (run.kind !== 'stream') return run;
    const rest = run.batches[Symbol.asyncIterator]();
    this.#rows = rest;
    let first: Promise<IteratorResult<RowBatch>> | undefined = rest.next();
    await first;
    const next = (): Promise<IteratorResult<RowBatch>> => {
      const batch = first ?? rest.next();
      first = undefined;
      return batch;
    };
    const end = async (): Promise<IteratorResult<RowBatch>> => {
      await rest.return?.();
      return { done: true, value: undefined };
    };
    return { ...run, batches: { [Symbol.asyncIterator]: () => ({ next, return: end }) } };
  }

  async abandon(): Promise<void> {
    // The first failure is the one to report.
    await this.#rows?.return?.().catch(() => {});
  }
}

/**
 * Whether the primary might succeed: if the replica was lost, cancelled a statement in favour of its replay, or has not
 * replayed a change of the schema, or an instance that another session has just created.
 */
function mayPrimaryDiffer(error: unknown): boolean {
  if (isMissing(error)) return true;
  if (!isPlatformError(error)) return false;
  const isOfDatabase = databaseErrorDetailsOf(error) !== undefined;
  return isOfDatabase && (error.code === 'DATA_UNAVAILABLE' || error.code === 'INTERNAL_ERROR');
}

const isMissing = (error: unknown): boolean => isPlatformError(error) && error.code === 'DATA_INSTANCE_NOT_FOUND';

/**
 * Not a loss of the server: recovery cancels statements with transaction_rollback; insufficient_resources and a pool
 * without free connections are temporary.
 */
const isLoss = (error: unknown): boolean =>
  isPlatformError(error) &&
  error.code === 'DATA_UNAVAILABLE' &&
  !isPoolExhausted(error) &&
  !/^(40|53|55)/.test(databaseErrorDetailsOf(error)?.sqlState ?? '');
