import type { LogPosition } from './connection/log-position.ts';
import type { PoolMetrics } from './pool-metrics.ts';

/** A statement with its parameters. Named ones are prepared once per connection. */
export interface Statement {
  /** Connections keep the statement prepared by this name. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** A short name for statements of the same text; what they cost is noted by it. */
  readonly costName?: string;
  /** It is expected to take long, before it has run. */
  readonly isHeavy?: boolean;
  /**
   * For `Database.query`: called once, when no connection is used for the statement any more. After an abort that is
   * later than the rejection: the server may still work, and does not cancel the planning of a statement.
   */
  readonly onFree?: () => void;
  /** For `query`: called before the rows are returned, with the server's word for what was done: `UPDATE 3`. */
  readonly onCommand?: (command: string) => void;
}

export interface StatementRunner {
  /**
   * Runs a statement and answers all rows. Numbers that PostgreSQL sends as `bigint` or `numeric` and
   * all temporal values stay texts. When `signal` aborts, the statement is cancelled in the database.
   *
   * @throws PlatformError with the code that the SQLSTATE stands for
   */
  query<R extends object = Record<string, unknown>>(statement: Statement, signal?: AbortSignal): Promise<readonly R[]>;
}

/** An event to be appended to the outbox in the transaction of the change. */
export interface OutboxEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string | undefined;
  /** The whole envelope, as it will be published. */
  readonly envelope: unknown;
}

export interface Transaction extends StatementRunner {
  /**
   * Sends a statement whose rows nobody needs and goes on at once. Where it fails, the statements behind it and the
   * commit are refused, and the transaction rejects with its error.
   */
  send(statement: Statement): void;
  /**
   * Asks where the log of the database ends behind the commit, with the commit itself; `tell` is called before the
   * transaction resolves. Not called where nothing was sent, or where the answer was lost behind that to the commit.
   */
  tellPosition(tell: (position: LogPosition) => void): void;
  /** Appends events; they are published once, after the commit, in order per subject. */
  appendEvents(events: readonly OutboxEvent[]): Promise<void>;
}

export interface StreamOptions {
  readonly batchSize: number;
  readonly signal?: AbortSignal;
  /** Longest time between two batches: then the connection is given back, and the next batch rejects. Default 2 minutes. */
  readonly maxIdleMs?: number;
  /**
   * A statement that is run before and sees the same state of the database; its rows are the first batch,
   * which then comes even when it is empty.
   */
  readonly first?: Statement;
  /** As that of a statement. */
  readonly onFree?: () => void;
}

/** What the database knows of a statement before it is run; types by their SQL names. */
export interface StatementDescription {
  /** In the order of the places. */
  readonly parameterTypes: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** The database as services see it. */
export interface Database extends StatementRunner {
  /** Runs `work` in a transaction; commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Reads rows through a cursor, `batchSize` at a time, in a read-only transaction. */
  stream<R extends object = Record<string, unknown>>(
    statement: Statement,
    options: StreamOptions,
  ): AsyncIterable<readonly R[]>;
  /**
   * The types of a statement's parameters and of its columns; no row is read. Only statements that can stand in
   * `FROM` can be described.
   *
   * @throws PlatformError with the code that the SQLSTATE stands for
   */
  describe(statement: Statement, signal?: AbortSignal): Promise<StatementDescription>;
  /**
   * Calls `wake` when a notification comes on the channel, over a connection of its own. After a lost
   * connection was made anew it is called as well, since notifications may have been missed.
   */
  listen(channel: string, wake: () => void): Promise<{ close(): Promise<void> }>;
  /** Whether a statement can be run now. Never rejects. */
  isReady(): Promise<boolean>;
  /** Rejects with why no statement can be run now. */
  assertReady(): Promise<void>;
  metrics(): PoolMetrics;
  /** Waits for running statements and closes all connections. */
  close(): Promise<void>;
}
