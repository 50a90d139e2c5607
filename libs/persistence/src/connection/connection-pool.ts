import { Pool } from 'pg';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import type { PoolMetrics } from '../pool-metrics.ts';
import { ControlConnection, ignoreLoss } from './control-connection.ts';
import type { DatabaseOptions } from './database-options.ts';
import { poolConfigOf } from './pool-config.ts';
import { StatementNames } from './statement-names.ts';
import type { Condition, Connection } from './submit-statement.ts';

/** The server's timeout answers first, unless the network swallows the answer. */
const ANSWER_MARGIN_MS = 5_000;

/** The connections of one database; lost ones are replaced at the next need. */
export class ConnectionPool {
  readonly control: ControlConnection;
  readonly names: StatementNames;
  /** Longest run of a statement; none where statements may run for ever. */
  readonly statementTimeoutMs: number | undefined;
  /** Longest wait for an answer. */
  readonly deadlineMs: number | undefined;
  /** Whether transactions may change something. */
  readonly mayWrite: boolean;
  private readonly pool: Pool;
  /** Connections older than this carry too many prepared statements. */
  private generation = 0;
  private readonly born = new WeakMap<Connection, number>();

  constructor(options: DatabaseOptions) {
    this.statementTimeoutMs = options.statementTimeoutMs > 0 ? options.statementTimeoutMs : undefined;
    this.deadlineMs = this.statementTimeoutMs === undefined ? undefined : this.statementTimeoutMs + ANSWER_MARGIN_MS;
    this.mayWrite = options.readOnly !== true;
    const config = poolConfigOf(options, options.maxConnections);
    const onLost = (error: Error): void => options.logger?.warn({ err: error }, 'An idle database connection was lost');
    this.pool = new Pool(config);
    this.pool.on('error', onLost);
    this.pool.on('connect', (client) => {
      client.on('error', ignoreLoss);
      this.born.set(client, this.generation);
    });
    this.control = new ControlConnection(config, onLost);
    this.names = new StatementNames(() => {
      this.generation += 1;
    });
  }

  /** Hands out one connection, or the reason why there is none. */
  take(use: (error: Error | undefined, connection: Connection | undefined) => void): void {
    this.pool.connect((error, client) => {
      if (error) use(translateDatabaseError(error), undefined);
      else use(undefined, client);
    });
  }

  takeOne(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.take((error, connection) => (connection === undefined ? reject(error) : resolve(connection)));
    });
  }

  /** Cancels what the connection runs. Answers whether the request could be made. */
  cancel(connection: Connection): Promise<boolean> {
    return connection.processID === undefined ? Promise.resolve(false) : this.control.cancel(connection.processID);
  }

  giveBack(connection: Connection, condition: Condition): void {
    connection.release(condition === 'spoilt' || this.born.get(connection) !== this.generation);
  }

  metrics(): PoolMetrics {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.control.close()]);
  }
}
