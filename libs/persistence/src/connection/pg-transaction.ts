import type { OutboxEvent, Statement, Transaction } from '../database.ts';
import { databaseErrorDetailsOf } from '../errors/database-error.ts';
import { isCollision } from '../errors/is-collision.ts';
import { COMMITTED_POSITION, type LogPosition } from './log-position.ts';
import type { ConnectionPool } from './pool/connection-pool.ts';
import type { ResultHolder } from './results/result-memory.ts';
import { appendStatement } from './statements/append-statement.ts';
import {
  type Condition,
  type Connection,
  type Rows,
  type Submitted,
  submitStatements,
} from './statements/submit-statement.ts';

/** Command tag of a commit in a transaction of which a statement has failed; that statement's error is reported. */
const ROLLED_BACK = 'ROLLBACK';

/**
 * Errors of statements after one that failed: in_failed_sql_transaction, and invalid_sql_statement_name where a skipped
 * statement would have prepared it.
 */
const ALREADY_FAILED: ReadonlySet<unknown> = new Set(['25P02', '26000']);

/** Maximum number of events that one statement appends. */
const EVENTS_PER_STATEMENT = 1_000;

const BEGIN: Statement = { name: 'lintel_begin', text: 'BEGIN', values: [] };
const COMMIT: Statement = { name: 'lintel_commit', text: 'COMMIT', values: [] };
const ROLLBACK: Statement = { name: 'lintel_rollback', text: 'ROLLBACK', values: [] };

const ISOLATION = /^\s*SET\s+TRANSACTION\b/i;

/**
 * One transaction on one connection. Statements are sent together when the calling code waits for a result: `BEGIN`
 * with the first statements, the last statements with the events and `COMMIT`. So a transaction costs no more round
 * trips than its work waits for.
 */
class PgTransaction implements Transaction {
  private readonly pool: ConnectionPool;
  private readonly connection: Connection;
  private readonly signal: AbortSignal | undefined;
  private readonly events: OutboxEvent[] = [];
  private positionListener: ((position: LogPosition) => void) | undefined;
  /** Statements that are not sent yet. */
  private waiting: Submitted[] = [];
  private readonly unfinished = new Set<Promise<void>>();
  private state: 'new' | 'beginning' | 'begun' = 'new';
  private condition: Condition = 'usable';
  private failure: unknown;
  /** The failed statement was sent with `send`, so its caller has not received the error. */
  private isUnreported = false;
  private ended = false;
  private readonly holder: ResultHolder | undefined;

  constructor(pool: ConnectionPool, connection: Connection, signal: AbortSignal | undefined) {
    this.pool = pool;
    this.connection = connection;
    this.signal = signal;
    this.holder = pool.holder();
    connection.pipeline = true;
  }

  query<R extends object>(statement: Statement, signal = this.signal): Promise<readonly R[]> {
    if (this.ended) return Promise.reject(new Error('The transaction has ended'));
    return this.submit(statement, signal) as Promise<readonly R[]>;
  }

  send(statement: Statement): void {
    if (this.ended) throw new Error('The transaction has ended');
    this.submit(statement, this.signal).catch(() => {
      this.isUnreported = true;
    });
  }

  private submit(statement: Statement, signal: AbortSignal | undefined): Promise<Rows> {
    return new Promise((resolve, reject) => {
      this.pool.names.note(statement);
      const ended = this.pool.watch.begin(statement);
      const settle = (error: unknown, rows: Rows, command: string): void => {
        ended(error);
        if (error === undefined) {
          statement.onCommand?.(command);
          resolve(rows);
        } else reject(error);
      };
      this.enqueue({ statement, signal, settle });
    });
  }

  private enqueue({ statement, signal, settle }: Submitted): void {
    if (this.waiting.length === 0) process.nextTick(() => this.flush());
    this.waiting.push({
      statement,
      signal,
      settle: (error, rows, command) => {
        if (error !== undefined) this.failure ??= error;
        settle(error, rows, command);
      },
    });
  }

  /**
   * Sends the waiting statements. After those that are sent with `BEGIN`, nothing is sent until they are complete: if
   * `BEGIN` were cancelled, later statements would run outside of any transaction.
   */
  private flush(): void {
    if (this.waiting.length === 0 || this.state === 'beginning') return;
    const statements = this.waiting;
    this.waiting = [];
    if (this.condition === 'spoilt') {
      for (const { settle } of statements) settle(this.failure, [], '');
      return;
    }
    const isFirst = this.state === 'new' && statements[0]?.signal?.aborted !== true;
    if (isFirst) {
      this.state = 'beginning';
      const begin: Submitted = {
        statement: BEGIN,
        signal: undefined,
        settle: (error) => {
          if (error !== undefined) this.condition = 'spoilt';
        },
      };
      // The isolation level must be set before the first snapshot is taken.
      const isolation = ISOLATION.test(statements[0]?.statement.text ?? '') ? statements.splice(0, 1) : [];
      statements.unshift(begin, ...isolation, ...this.pool.prelude());
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.unfinished.add(promise);
    submitStatements(this.connection, statements, {
      ...this.pool.submitOptions,
      cancel: () => this.pool.cancel(this.connection),
      free: (condition) => {
        if (condition === 'spoilt') this.condition = 'spoilt';
        this.unfinished.delete(promise);
        resolve();
        if (!isFirst) return;
        this.state = 'begun';
        // After `settle`, which sets the condition where `BEGIN` has failed.
        process.nextTick(() => this.flush());
      },
    });
  }

  onCommitPosition(listener: (position: LogPosition) => void): void {
    this.positionListener = listener;
  }

  /** Kept until the commit, so that they get their positions while the changed rows are locked. */
  async appendEvents(events: readonly OutboxEvent[]): Promise<void> {
    for (const event of events) this.events.push(event);
  }

  /** Returns whether events were appended. */
  async commit(): Promise<boolean> {
    this.signal?.throwIfAborted();
    this.ended = true;
    // The server does not know a statement that could not be sent, and would commit the others.
    if (this.condition === 'spoilt' || this.isUnreported) throw this.failure;
    const hasEvents = this.events.length > 0;
    if (this.state === 'new' && this.waiting.length === 0 && !hasEvents) return false;
    // In parts, so that other work of the process runs in between.
    while (this.events.length > EVENTS_PER_STATEMENT)
      await this.submit(appendStatement(this.events.splice(0, EVENTS_PER_STATEMENT)), undefined);
    // The commit reports the failure.
    if (hasEvents) this.submit(appendStatement(this.events), undefined).catch(() => {});
    const command = await this.control(COMMIT);
    if (command === ROLLED_BACK) throw this.failure ?? new Error('The transaction was rolled back');
    return hasEvents;
  }

  /** Runs `COMMIT` or `ROLLBACK`; without a signal, so that the outcome is always the real one. */
  private control(statement: Statement): Promise<string> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, _rows: Rows, command: string): void => {
        if (error === undefined) resolve(command);
        else reject(error);
      };
      this.enqueue({ statement, signal: undefined, settle });
      if (statement === COMMIT && this.positionListener !== undefined) this.enqueuePositionQuery(this.positionListener);
      this.flush();
    });
  }

  /** The position arrives with the result of the commit, before `transaction` resolves. */
  private enqueuePositionQuery(listener: (position: LogPosition) => void): void {
    const settle = (_error: unknown, [row]: Rows): void => {
      if (row !== undefined) listener(row['position'] as LogPosition);
    };
    this.enqueue({ statement: COMMITTED_POSITION, signal: undefined, settle });
  }

  /** Ends the transaction and releases the connection. Never rejects. */
  async rollback(): Promise<void> {
    this.ended = true;
    this.flush();
    while (this.unfinished.size > 0) await Promise.all(this.unfinished);
    try {
      if (this.condition === 'usable' && this.state !== 'new') await this.control(ROLLBACK);
    } catch {
      // A connection that cannot roll back is closed; the server then rolls back.
      this.condition = 'spoilt';
    }
    this.release();
  }

  /**
   * The error that the transaction rejects with. A collision, or the failure of a statement sent with `send`, is
   * always the reason, whatever error the work has thrown after it.
   */
  reasonFor(error: unknown): unknown {
    const isAfter = ALREADY_FAILED.has(databaseErrorDetailsOf(error)?.sqlState);
    const isReason = this.failure !== undefined && (isAfter || this.isUnreported || isCollision(this.failure));
    return isReason ? this.failure : error;
  }

  release(): void {
    this.connection.pipeline = false;
    this.pool.giveBack(this.connection, this.condition, this.holder);
  }
}

/** Runs `work` in a transaction. Returns the result of `work` after the commit, and whether events were appended. */
export async function runTransaction<T>(
  pool: ConnectionPool,
  work: (transaction: Transaction) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<{ readonly result: T; readonly hasEvents: boolean }> {
  signal?.throwIfAborted();
  const connection = await pool.takeOne();
  const transaction = new PgTransaction(pool, connection, signal);
  let hasEvents: boolean;
  let result: T;
  try {
    result = await work(transaction);
    hasEvents = await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw transaction.reasonFor(error);
  }
  transaction.release();
  return { result, hasEvents };
}
