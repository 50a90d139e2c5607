import type { LogPosition } from './connection/log-position.ts';
import type { PoolMetrics } from './pool-metrics.ts';

/** A table, and columns of it. */
export interface WriteTarget {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** The statement is one of several that exchange unique values. */
  readonly isExchange?: true;
}

/** A statement with its parameters. A named statement is prepared once per connection. */
export interface Statement {
  /** Name of the prepared statement on each connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** A short name for statements with the same text; their cost is recorded by it. */
  readonly costName?: string;
  /** The statement is expected to take long, before it has run for the first time. */
  readonly isHeavy?: boolean;
  /**
   * For `Database.query`: called once, when the statement does not use a connection any more. After an abort that is
   * later than the rejection: the server may still work, since it does not cancel the planning of a statement.
   */
  readonly onFree?: () => void;
  /** The columns into which the parameters are written, in their order: an error about a parameter names the column. */
  readonly target?: WriteTarget;
  /** For `query`: called before the rows are returned, with the command tag of the server: `UPDATE 3`. */
  readonly onCommand?: (command: string) => void;
}

/** Runs statements: a pool of connections, each statement on a free one, or a transaction, on its own. */
export interface StatementRunner {
  /**
   * Runs a statement and returns all rows. Values of `bigint` and `numeric` and all temporal values stay texts. When
   * `signal` aborts, the statement is cancelled in the database.
   *
   * @throws PlatformError with the code of the SQLSTATE
   */
  query<R extends object = Record<string, unknown>>(statement: Statement, signal?: AbortSignal): Promise<readonly R[]>;
}

/** An event to be appended to the outbox in the transaction of the change. */
export interface OutboxEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string | undefined;
  /** The envelope, as it will be published. */
  readonly envelope: unknown;
  /** New values of enumerations and booleans that a change has set. Conditions read them; they are not published. */
  readonly became?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Statements of one transaction, which is committed when the function that got it resolves, and rolled back when it
 * rejects.
 */
export interface Transaction extends StatementRunner {
  /**
   * Sends a statement whose rows are not needed, without waiting for it. If it fails, the statements after it and
   * the commit are refused, and the transaction rejects with its error.
   */
  send(statement: Statement): void;
  /**
   * Reads the log position after the commit, in the same round trip; `listener` is called before the transaction
   * resolves. It is not called where the transaction sent nothing, or where the connection was lost after the result of
   * the commit.
   */
  onCommitPosition(listener: (position: LogPosition) => void): void;
  /** Appends events, which are published after the commit, in order per subject. */
  appendEvents(events: readonly OutboxEvent[]): Promise<void>;
}

/** Rows of one text column as bytes: with commas the inside of a JSON array, if each text is JSON. */
export interface JoinedRows {
  /**
   * The texts in UTF-8, each after its separator. A character is one byte (`latin1`); a piece may end anywhere in a
   * text.
   */
  readonly pieces: readonly string[];
  /** Bytes of each text, without the separator. */
  readonly lengths: readonly number[];
}

/** How a statement is copied. */
export interface CopyForm {
  /** Options of `COPY`: `FORMAT csv`. */
  readonly format: string;
  /** The types of the parameters, which the statement's text has after each: `$1::text`. */
  readonly types: readonly string[];
}

/** How the rows of one statement are read in batches. */
export interface StreamOptions {
  readonly batchSize: number;
  readonly signal?: AbortSignal;
  /**
   * Maximum time between two batches: after it the connection is released, and the next batch rejects. Default 2
   * minutes.
   */
  readonly maxIdleMs?: number;
  /**
   * A statement that runs first, with the same snapshot of the database. Its rows are the first batch, which is then
   * returned even if it is empty.
   */
  readonly first?: Statement;
  /**
   * The statement has one column, a text that is never null, and each batch is one element, `JoinedRows`: the driver
   * does not decode the texts. The rows of `first` are returned as usual.
   */
  readonly joinsRows?: boolean;
  /** The byte before each joined row; a comma without it. */
  readonly separator?: string;
  /**
   * Reads the rows as the server writes them for `COPY … TO STDOUT`. Each batch is one element, `JoinedRows`, of some
   * 256 KiB, whose last row may continue in the next one; `batchSize` has no effect.
   */
  readonly copies?: CopyForm;
  /** As `onFree` of a statement. */
  readonly onFree?: () => void;
  /** Called with the duration of each fetch that has ended: some are run while the consumer uses the rows before. */
  readonly onFetched?: (durationMs: number) => void;
}

/** Types of a statement that was not run, by their SQL names. */
export interface StatementDescription {
  /** In the order of the parameter numbers. */
  readonly parameterTypes: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** A PostgreSQL database. */
export interface Database extends StatementRunner {
  /** Runs `work` in a transaction; commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Reads rows through a cursor, `batchSize` at a time, in a read-only transaction. */
  stream<R extends object = Record<string, unknown>>(
    statement: Statement,
    options: StreamOptions,
  ): AsyncIterable<readonly R[]>;
  /**
   * Returns the types of a statement's parameters and of its columns; no row is read. The statement must be valid as a
   * subquery in `FROM`.
   *
   * @throws PlatformError with the code of the SQLSTATE
   */
  describe(statement: Statement, signal?: AbortSignal): Promise<StatementDescription>;
  /**
   * Calls `wake` when a notification arrives on the channel, over a connection of its own. It is also called after a
   * lost connection was replaced, since notifications may have been missed.
   */
  listen(channel: string, wake: () => void): Promise<{ close(): Promise<void> }>;
  /** Whether a statement can be run now. Never rejects. */
  isReady(): Promise<boolean>;
  /** Rejects with the reason where no statement can be run now. */
  assertReady(): Promise<void>;
  metrics(): PoolMetrics;
  /** Waits for running statements and closes all connections. */
  close(): Promise<void>;
}
