import type { OutboxEvent, Statement, Transaction } from '../database.ts';
import { databaseErrorDetailsOf } from '../errors/database-error.ts';
import { isCollision } from '../errors/is-collision.ts';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import { appendStatement } from '../outbox/append-statement.ts';
import type { ConnectionPool } from './connection-pool.ts';
import {
  type Condition,
  type Connection,
  type Rows,
  sendTogether,
  submitStatement,
  withDeadline,
} from './submit-statement.ts';

/** Says that a transaction whose statement failed was asked to commit; its first error is reported instead. */
const ROLLED_BACK = 'ROLLBACK';

/** in_failed_sql_transaction: what every statement is told behind one that failed. */
const ALREADY_FAILED = '25P02';

/**
 * One transaction on one connection. `BEGIN` travels with the first statement, and the events with
 * `COMMIT`, so that a transaction costs no more round trips than its statements.
 */
class PgTransaction implements Transaction {
  private readonly pool: ConnectionPool;
  private readonly connection: Connection;
  private readonly signal: AbortSignal | undefined;
  private readonly events: OutboxEvent[] = [];
  private readonly unfinished = new Set<Promise<Condition>>();
  private condition: Condition = 'usable';
  private failure: unknown;
  /** The failure is one of a statement that nobody waited for. */
  private isUnseen = false;
  private begun: Promise<void> = Promise.resolve();
  private ended = false;

  constructor(pool: ConnectionPool, connection: Connection, signal: AbortSignal | undefined) {
    this.pool = pool;
    this.connection = connection;
    this.signal = signal;
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
      sendTogether(this.connection);
      let free: (condition: Condition) => void = () => {};
      if (signal !== undefined) {
        const freed = new Promise<Condition>((done) => {
          free = done;
        });
        this.unfinished.add(freed);
        void freed.then(() => this.unfinished.delete(freed));
      }
      submitStatement(this.connection, statement, {
        deadlineMs: this.pool.deadlineMs,
        signal,
        // A cancelled BEGIN would leave the statement behind it outside of any transaction.
        cancel: () => this.begun.then(() => this.pool.cancel(this.connection)),
        settle: (error, rows) => {
          if (error === undefined) {
            resolve(rows);
          } else {
            this.failure ??= error;
            reject(error);
          }
        },
        free: (condition) => {
          if (condition === 'spoilt') this.condition = 'spoilt';
          free(condition);
        },
      });
    });
  }

  /** Kept until the commit: positions are then given while the changed rows are locked. */
  async appendEvents(events: readonly OutboxEvent[]): Promise<void> {
    this.events.push(...events);
  }

  begin(): void {
    this.connection.pipeline = true;
    sendTogether(this.connection);
    this.begun = this.control('BEGIN').then(
      () => undefined,
      (error) => {
        this.condition = 'spoilt';
        this.failure ??= error;
      },
    );
  }

  private control(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const answered = withDeadline(this.pool.deadlineMs, (error, result) => {
        if (error) reject(translateDatabaseError(error));
        else resolve(result.command);
      });
      this.connection.query(text, answered);
    });
  }

  /** Answers whether events were appended. */
  async commit(): Promise<boolean> {
    this.signal?.throwIfAborted();
    this.ended = true;
    // A statement that could not even be sent is unknown to the server, which would commit the others.
    if (this.condition === 'spoilt' || this.isUnseen) throw this.failure;
    const appended = this.events.length === 0 ? undefined : this.submit(appendStatement(this.events), undefined);
    appended?.catch(() => {});
    const command = await this.control('COMMIT');
    await appended;
    if (command === ROLLED_BACK) throw this.failure ?? new Error('The transaction was rolled back');
    return appended !== undefined;
  }

  /** Ends what is left of the transaction and frees the connection. Never rejects. */
  async rollback(): Promise<void> {
    this.ended = true;
    await Promise.all(this.unfinished);
    try {
      if (this.condition === 'usable') await this.control('ROLLBACK');
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
    const isAfter = databaseErrorDetailsOf(error)?.sqlState === ALREADY_FAILED;
    const isReason = this.failure !== undefined && (isAfter || this.isUnseen || isCollision(this.failure));
    return isReason ? this.failure : error;
  }

  release(): void {
    this.connection.pipeline = false;
    this.pool.giveBack(this.connection, this.condition);
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
  transaction.begin();
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
