import type { OutboxEvent, Statement, Transaction } from '../database.ts';
import { databaseErrorDetailsOf } from '../errors/database-error.ts';
import { isCollision } from '../errors/is-collision.ts';
import { appendStatement } from './append-statement.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { COMMITTED_POSITION, type LogPosition } from './log-position.ts';
import type { ResultHolder } from './result-memory.ts';
import { type Condition, type Connection, type Rows, type Submitted, submitStatements } from './submit-statement.ts';

/** Says that a transaction whose statement failed was asked to commit; its first error is reported instead. */
const ROLLED_BACK = 'ROLLBACK';

/**
 * What a statement is told behind one that failed: in_failed_sql_transaction, and invalid_sql_statement_name where
 * it would have been prepared by one that was skipped.
 */
const ALREADY_FAILED: ReadonlySet<unknown> = new Set(['25P02', '26000']);

/** Events that one statement appends. */
const EVENTS_TOGETHER = 1_000;

const BEGIN: Statement = { name: 'lintel_begin', text: 'BEGIN', values: [] };
const COMMIT: Statement = { name: 'lintel_commit', text: 'COMMIT', values: [] };
const ROLLBACK: Statement = { name: 'lintel_rollback', text: 'ROLLBACK', values: [] };

/**
 * One transaction on one connection. Statements are sent together when the work in progress waits for something:
 * `BEGIN` travels with the first ones, and the last ones with the events and `COMMIT`, so that a transaction costs
 * no more round trips than its work waits for.
 */
class PgTransaction implements Transaction {
  private readonly pool: ConnectionPool;
  private readonly connection: Connection;
  private readonly signal: AbortSignal | undefined;
  private readonly events: OutboxEvent[] = [];
  private tellOfPosition: ((position: LogPosition) => void) | undefined;
  /** Statements that are not sent yet. */
  private waiting: Submitted[] = [];
  private readonly unfinished = new Set<Promise<void>>();
  private state: 'new' | 'beginning' | 'begun' = 'new';
  private condition: Condition = 'usable';
  private failure: unknown;
  /** The failure is one of a statement that nobody waited for. */
  private isUnseen = false;
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
      this.isUnseen = true;
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
   * Sends what waits. Behind the statements that `BEGIN` travels with nothing is sent before they are answered: a
   * cancelled `BEGIN` would leave it outside of any transaction.
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
      statements.unshift({
        statement: BEGIN,
        signal: undefined,
        settle: (error) => {
          if (error !== undefined) this.condition = 'spoilt';
        },
      });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.unfinished.add(promise);
    submitStatements(this.connection, statements, {
      deadlineMs: this.pool.deadlineMs,
      mayWrite: this.pool.mayWrite,
      cancel: () => this.pool.cancel(this.connection),
      free: (condition) => {
        if (condition === 'spoilt') this.condition = 'spoilt';
        this.unfinished.delete(promise);
        resolve();
        if (!isFirst) return;
        this.state = 'begun';
        // After `settle`, which tells whether it has begun.
        process.nextTick(() => this.flush());
      },
    });
  }

  tellPosition(tell: (position: LogPosition) => void): void {
    this.tellOfPosition = tell;
  }

  /** Kept until the commit: positions are then given while the changed rows are locked. */
  async appendEvents(events: readonly OutboxEvent[]): Promise<void> {
    for (const event of events) this.events.push(event);
  }

  /** Answers whether events were appended. */
  async commit(): Promise<boolean> {
    this.signal?.throwIfAborted();
    this.ended = true;
    // A statement that could not even be sent is unknown to the server, which would commit the others.
    if (this.condition === 'spoilt' || this.isUnseen) throw this.failure;
    const hasEvents = this.events.length > 0;
    if (this.state === 'new' && this.waiting.length === 0 && !hasEvents) return false;
    // Other work of the process goes on between the parts of many events.
    while (this.events.length > EVENTS_TOGETHER)
      await this.submit(appendStatement(this.events.splice(0, EVENTS_TOGETHER)), undefined);
    // Told by the commit, where it fails.
    if (hasEvents) this.submit(appendStatement(this.events), undefined).catch(() => {});
    const command = await this.control(COMMIT);
    if (command === ROLLED_BACK) throw this.failure ?? new Error('The transaction was rolled back');
    return hasEvents;
  }

  /** Its outcome is always the real one, whatever is aborted. */
  private control(statement: Statement): Promise<string> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, _rows: Rows, command: string): void => {
        if (error === undefined) resolve(command);
        else reject(error);
      };
      this.enqueue({ statement, signal: undefined, settle });
      if (statement === COMMIT && this.tellOfPosition !== undefined) this.askPosition(this.tellOfPosition);
      this.flush();
    });
  }

  /** Its answer comes with that to the commit, and before the commit is told. */
  private askPosition(tell: (position: LogPosition) => void): void {
    const settle = (_error: unknown, [row]: Rows): void => {
      if (row !== undefined) tell(row['position'] as LogPosition);
    };
    this.enqueue({ statement: COMMITTED_POSITION, signal: undefined, settle });
  }

  /** Ends what is left of the transaction and frees the connection. Never rejects. */
  async rollback(): Promise<void> {
    this.ended = true;
    this.flush();
    while (this.unfinished.size > 0) await Promise.all(this.unfinished);
    try {
      if (this.condition === 'usable' && this.state !== 'new') await this.control(ROLLBACK);
    } catch {
      // A connection that cannot roll back is closed, and the server rolls back by itself.
      this.condition = 'spoilt';
    }
    this.release();
  }

  /**
   * Why the transaction came to nothing. After a collision, or the failure of a statement that nobody waited for,
   * nothing else can be the reason, whatever the work made of it.
   */
  reasonFor(error: unknown): unknown {
    const isAfter = ALREADY_FAILED.has(databaseErrorDetailsOf(error)?.sqlState);
    const isReason = this.failure !== undefined && (isAfter || this.isUnseen || isCollision(this.failure));
    return isReason ? this.failure : error;
  }

  release(): void {
    this.connection.pipeline = false;
    this.pool.giveBack(this.connection, this.condition, this.holder);
  }
}

/**
 * Runs `work` in a transaction. Answers what `work` answered, once committed, and whether events were
 * appended.
 */
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
