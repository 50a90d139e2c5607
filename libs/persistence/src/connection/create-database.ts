import type { Database, Statement, StatementDescription, StreamOptions, Transaction } from '../database.ts';
import type { PoolMetrics } from '../pool-metrics.ts';
import type { DatabaseOptions } from './database-options.ts';
import { ChannelListener } from './notifications/channel-listener.ts';
import { OutboxNotifier } from './notifications/outbox-notifier.ts';
import { runTransaction } from './pg-transaction.ts';
import { ConnectionPool } from './pool/connection-pool.ts';
import { describeStatement } from './pool/describe-statement.ts';
import { poolConfigOf } from './pool/pool-config.ts';
import { type Rows, submitStatements } from './statements/submit-statement.ts';
import { streamRows } from './streams/stream-rows.ts';

const READY_TIMEOUT_MS = 2_000;

/** Calls `wake` where no notification can: without one, what is written is found this much later. */
const POLL_MS = 1_000;

/** Used by modules that manage several servers; all others use the interface `Database`. */
export class PgDatabase implements Database {
  private readonly pool: ConnectionPool;
  private readonly notifier: OutboxNotifier;
  private readonly options: DatabaseOptions;

  constructor(options: DatabaseOptions) {
    this.options = options;
    this.pool = new ConnectionPool(options);
    this.notifier = new OutboxNotifier(this.pool.control, options.logger);
  }

  query<R extends object>(statement: Statement, signal?: AbortSignal): Promise<readonly R[]> {
    const { pool } = this;
    const holder = pool.holder();
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        statement.onFree?.();
        reject(signal.reason);
        return;
      }
      pool.take((error, connection) => {
        if (connection === undefined) {
          statement.onFree?.();
          reject(error);
          return;
        }
        pool.names.note(statement);
        const ended = pool.watch.begin(statement);
        const settle = (failure: unknown, rows: Rows, command: string): void => {
          ended(failure);
          if (failure === undefined) {
            statement.onCommand?.(command);
            resolve(rows as readonly R[]);
          } else reject(failure);
        };
        submitStatements(connection, [...pool.prelude(), { statement, signal, settle }], {
          ...pool.submitOptions,
          cancel: () => pool.cancel(connection),
          free: (condition) => {
            pool.giveBack(connection, condition, holder);
            statement.onFree?.();
          },
        });
      });
    });
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { result, hasEvents } = await runTransaction(this.pool, work, signal);
    if (hasEvents) this.notifier.notify();
    return result;
  }

  stream<R extends object>(statement: Statement, options: StreamOptions): AsyncIterable<readonly R[]> {
    return streamRows(this.pool, statement, options) as AsyncIterable<readonly R[]>;
  }

  describe(statement: Statement, signal?: AbortSignal): Promise<StatementDescription> {
    return describeStatement(this.pool, statement, signal);
  }

  async listen(channel: string, wake: () => void): Promise<{ close(): Promise<void> }> {
    const { pooler, directUrl, url, logger } = this.options;
    // A pooler in transaction mode delivers no notifications.
    if (pooler === 'transaction' && directUrl === undefined) return pollInstead(wake);
    const config = poolConfigOf({ ...this.options, url: directUrl ?? url, pooler: 'none' }, 1);
    const listener = new ChannelListener(config, channel, wake, logger);
    await listener.open();
    return listener;
  }

  isReady(): Promise<boolean> {
    return this.assertReady().then(
      () => true,
      () => false,
    );
  }

  async assertReady(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const error = new Error(`No response in ${READY_TIMEOUT_MS} ms`);
      timer = setTimeout(() => reject(Object.assign(error, { code: 'ETIMEDOUT' })), READY_TIMEOUT_MS);
    });
    try {
      await Promise.race([this.pool.control.run('SELECT 1'), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts all statements that run. */
  dropConnections(): void {
    this.pool.dropConnections();
  }

  metrics(): PoolMetrics {
    return this.pool.metrics();
  }

  async close(): Promise<void> {
    await this.notifier.idle();
    await this.pool.close();
  }
}

function pollInstead(wake: () => void): { close(): Promise<void> } {
  const timer = setInterval(wake, POLL_MS);
  timer.unref();
  return { close: async () => clearInterval(timer) };
}

/**
 * Creates a database, which connects at its first statement. No other module of the platform connects to PostgreSQL.
 */
export const createDatabase = (options: DatabaseOptions): Database => new PgDatabase(options);
