import { type Metrics, NO_METRICS } from '@lintel/telemetry';
import { Pool } from 'pg';
import { readDatabaseUrl } from '../../address/database-address.ts';
import { translateDatabaseError } from '../../errors/translate-database-error.ts';
import { poolLabelsOf } from '../../observing/pool-labels.ts';
import { SlowQueryLog } from '../../observing/slow-queries.ts';
import { StatementWatch } from '../../observing/statement-watch.ts';
import type { PoolMetrics } from '../../pool-metrics.ts';
import type { DatabaseOptions } from '../database-options.ts';
import type { ResultHolder, ResultMemory } from '../results/result-memory.ts';
import { StatementNames } from '../statements/statement-names.ts';
import type { Condition, Connection, SubmitOptions, Submitted } from '../statements/submit-statement.ts';
import { sendCancelRequest } from './cancel-request.ts';
import { ControlConnection, ignoreLoss } from './control-connection.ts';
import { explainStatement } from './explain-statement.ts';
import { KeptConnections } from './kept-connections.ts';
import { OutageLog } from './outage-log.ts';
import { poolConfigOf } from './pool-config.ts';
import { type LocalSettings, localSettingsOf } from './session-settings.ts';
import { SilentConnections } from './silent-connections.ts';

/** The server's own timeout comes first, unless the network loses its response. */
const RESPONSE_MARGIN_MS = 5_000;

const NOTHING: readonly Submitted[] = Object.freeze([]);

/** The connections to one database; a lost connection is replaced when the next one is needed. */
export class ConnectionPool {
  readonly control: ControlConnection;
  readonly names: StatementNames;
  readonly watch: StatementWatch;
  /** Maximum duration of a statement; undefined if there is no limit. */
  readonly statementTimeoutMs: number | undefined;
  /** Maximum wait for a response. */
  readonly deadlineMs: number | undefined;
  /** Whether transactions may write. */
  readonly mayWrite: boolean;
  /** Whether statements are prepared by their names. */
  readonly prepares: boolean;
  /** What all statements of the pool are sent with. */
  readonly submitOptions: Pick<SubmitOptions, 'deadlineMs' | 'mayWrite' | 'prepares' | 'onReadOnly'>;
  /** Settings of each transaction, where the session does not keep them; undefined otherwise. */
  readonly settings: LocalSettings | undefined;
  private readonly pool: Pool;
  private readonly silent: SilentConnections;
  private readonly outages: OutageLog;
  private readonly kept = new KeptConnections();
  private isClosing = false;
  /** Connections of an earlier generation have too many prepared statements. */
  private generation = 0;
  /** Connections of generations before this one lead to a server that became read-only. */
  private firstWritable = 0;
  private readonly born = new WeakMap<Connection, number>();
  private readonly memory: ResultMemory | undefined;

  constructor(options: DatabaseOptions) {
    this.statementTimeoutMs = options.statementTimeoutMs > 0 ? options.statementTimeoutMs : undefined;
    this.deadlineMs = this.statementTimeoutMs === undefined ? undefined : this.statementTimeoutMs + RESPONSE_MARGIN_MS;
    this.mayWrite = options.readOnly !== true;
    const isPooled = options.pooler === 'transaction';
    this.prepares = options.preparedStatements ?? !isPooled;
    this.settings = isPooled ? localSettingsOf(options, readDatabaseUrl(options.url).sessionOptions) : undefined;
    this.submitOptions = {
      deadlineMs: this.deadlineMs,
      mayWrite: this.mayWrite,
      prepares: this.prepares,
      onReadOnly: () => {
        this.generation += 1;
        this.firstWritable = this.generation;
      },
    };
    this.memory = options.resultMemory;
    const config = poolConfigOf(options, options.maxConnections);
    this.outages = new OutageLog(options.applicationName, options.logger);
    const onLost = (error: Error): void => this.outages.lost(error);
    this.pool = new Pool(config);
    this.pool.on('error', onLost);
    this.pool.on('connect', (client) => {
      this.outages.connected();
      client.on('error', (error) => {
        // The driver's pool notices the loss of those that it has.
        if (this.kept.remove(client)) onLost(error);
      });
      this.born.set(client, this.generation);
      this.silent.made(client);
    });
    this.pool.on('remove', (client) => this.silent.removed(client as Connection));
    this.control = new ControlConnection(config, onLost);
    this.silent = new SilentConnections(this.control, options.logger);
    this.names = new StatementNames(() => {
      this.generation += 1;
    });
    const { applicationName, url, metrics } = options;
    const slow = this.slowQueriesOf(options);
    this.watch = new StatementWatch({ labels: poolLabelsOf(applicationName, url), metrics, slow });
    this.observe(applicationName, options.maxConnections, metrics);
  }

  private slowQueriesOf({ slowQueries, logger, applicationName }: DatabaseOptions): SlowQueryLog | undefined {
    if (slowQueries === undefined || logger === undefined) return undefined;
    return new SlowQueryLog({
      ...slowQueries,
      pool: applicationName,
      logger,
      explain: (statement) => explainStatement(this, statement),
      nowMs: () => performance.now(),
    });
  }

  private observe(pool: string, maxConnections: number, metrics: Metrics = NO_METRICS): void {
    const labels = { 'db.client.connection.pool.name': pool };
    const inState = (state: 'idle' | 'used') => ({ ...labels, 'db.client.connection.state': state });
    metrics.observe('db.client.connection.count', () => this.metrics().idle, inState('idle'));
    metrics.observe('db.client.connection.count', () => this.pool.totalCount - this.metrics().idle, inState('used'));
    // Idle connections are closed after some time, never because of their number.
    metrics.observe('db.client.connection.idle.max', () => maxConnections, labels);
    metrics.observe('db.client.connection.limit', () => maxConnections, labels);
    metrics.observe('db.client.connection.pending_requests', () => this.pool.waitingCount, labels);
    metrics.observe('lintel.db.prepared_statements', () => this.names.size, { pool });
  }

  /** Calls `use` with a connection, or with the error if none is available. */
  take(use: (error: Error | undefined, connection: Connection | undefined) => void): void {
    const kept = this.kept.take();
    if (kept !== undefined) {
      if (this.born.get(kept) === this.generation) {
        this.silent.taken(kept);
        use(undefined, kept);
        return;
      }
      kept.release(true);
      this.take(use);
      return;
    }
    // The clock is read only where the caller has to wait.
    const sinceMs = this.pool.idleCount > 0 ? undefined : performance.now();
    this.pool.connect((error, client) => {
      if (sinceMs !== undefined) this.watch.waited(performance.now() - sinceMs);
      if (client === undefined) {
        if (error !== undefined) this.outages.failed(error);
        use(translateDatabaseError(error), undefined);
        return;
      }
      if ((this.born.get(client) ?? 0) < this.firstWritable) {
        client.release(true);
        this.take(use);
        return;
      }
      this.silent.taken(client);
      use(undefined, client);
    });
  }

  takeOne(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.take((error, connection) => (connection === undefined ? reject(error) : resolve(connection)));
    });
  }

  /** Statements that are sent before the first one of a transaction, in the same write. */
  prelude(): readonly Submitted[] {
    // Their failure is the failure of the statements after them.
    return this.settings === undefined
      ? NOTHING
      : [{ statement: this.settings.statement, signal: undefined, settle: ignoreLoss }];
  }

  /** The holder of the results of the current work. */
  holder(): ResultHolder | undefined {
    return this.memory?.holder();
  }

  /**
   * Cancels the statement that the connection runs. Returns whether the request could be sent. The server ignores a
   * cancel request while it sends rows, so a connection whose socket is paused is closed instead.
   */
  cancel(connection: Connection): Promise<boolean> {
    if (connection.meter?.abandon() === true) return Promise.resolve(false);
    if (this.settings !== undefined) return sendCancelRequest(connection);
    return connection.processID === undefined ? Promise.resolve(false) : this.control.cancel(connection.processID);
  }

  /** @param holder uses the last result of the connection from now on */
  giveBack(connection: Connection, condition: Condition, holder?: ResultHolder): void {
    connection.meter?.end(holder);
    this.silent.givenBack(connection);
    const isSpoilt = condition === 'spoilt' || this.born.get(connection) !== this.generation;
    const isWanted = this.pool.waitingCount > 0 || this.isClosing;
    if (isSpoilt || isWanted || !this.kept.keep(connection)) connection.release(isSpoilt);
  }

  /** Closes all connections; statements that run on them fail as if the database were unavailable. */
  dropConnections(): void {
    this.silent.dropAll();
  }

  metrics(): PoolMetrics {
    const idle = this.pool.idleCount + this.kept.size;
    return { total: this.pool.totalCount, idle, waiting: this.pool.waitingCount };
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.kept.close();
    await this.pool.end();
    this.silent.close();
    await this.control.close();
  }
}
