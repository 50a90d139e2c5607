import { PlatformError } from '@lintel/errors';
import type Cursor from 'pg-cursor';
import type { Statement, StreamOptions } from '../../database.ts';
import { translateDatabaseError } from '../../errors/translate-database-error.ts';
import type { ConnectionPool } from '../pool/connection-pool.ts';
import type { RowBytes } from '../results/row-bytes.ts';
import { cancelUntilEnded } from '../statements/cancel-until-ended.ts';
import {
  type Condition,
  type Connection,
  conditionAfter,
  type Rows,
  unnamed,
  withDeadline,
} from '../statements/submit-statement.ts';
import { CopiedRows } from './copied-rows.ts';
import { createCursor } from './create-cursor.ts';
import { joinTexts } from './joined-rows.ts';

/** A fetch took longer than the statement timeout; it has the SQLSTATE of the server's own timeout. */
class SlowFetchError extends Error {
  readonly code = '57014';
}

/**
 * PostgreSQL measures a statement from its first message to the `Sync` after the last fetch, so its own timeout would
 * include the time that the consumer needs. Each fetch has a timeout here instead.
 */
const BEGIN = 'BEGIN READ ONLY';
/** Both statements see the same snapshot. */
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const NO_TIMEOUT = 'SET LOCAL statement_timeout = 0';

/**
 * For the server a cursor is never idle, so `idle_in_transaction_session_timeout` does not end one that is not read.
 */
const MAX_IDLE_MS = 120_000;

/** A consumer that leaves waits this long for a batch that was fetched ahead, before the fetch is cancelled. */
const MAX_LEAVE_MS = 100;

/** A cursor, or rows that are copied, in a read-only transaction on a separate connection. */
class RowReader {
  private readonly pool: ConnectionPool;
  private readonly connection: Connection;
  private readonly cursor: Cursor<Record<string, unknown>>;
  private readonly copied: CopiedRows | undefined;
  private readonly statement: Statement;
  private readonly joinsRows: boolean;
  private readonly separator: string;
  /** Takes the rows; undefined if the driver reads them. */
  private bytes: RowBytes | undefined;
  private isOpen = false;
  private condition: Condition = 'usable';
  /** The rows of the first statement; undefined if there is none. */
  readonly leading: Promise<Rows> | undefined;
  private reading: Promise<Rows> = Promise.resolve([]);
  /** Resolves when the driver has reported the end of the last fetch, which is later than its timeout. */
  private fetched: Promise<unknown> = Promise.resolve();
  private isFetching = false;
  private cancelling: Promise<boolean> | undefined;
  private readonly onFree: (() => void) | undefined;
  private readonly onFetched: ((durationMs: number) => void) | undefined;

  constructor(
    pool: ConnectionPool,
    connection: Connection,
    statement: Statement,
    { first, joinsRows = false, separator = ',', copies, onFree, onFetched }: Omit<StreamOptions, 'batchSize'>,
  ) {
    this.pool = pool;
    this.connection = connection;
    this.statement = statement;
    this.onFree = onFree;
    this.onFetched = onFetched;
    const sent = (one: Statement): Statement => (pool.prepares ? one : unnamed(one));
    this.joinsRows = joinsRows;
    this.separator = separator;
    this.cursor = createCursor(sent(statement), () => {
      if (joinsRows) this.bytes = connection.rowBytes;
      this.bytes?.begin(separator);
    });
    if (copies !== undefined) this.copied = new CopiedRows(connection, statement, copies, separator);
    pool.names.note(statement);
    const begin = [first === undefined ? BEGIN : BEGIN_SNAPSHOT, pool.settings?.commands, NO_TIMEOUT];
    connection.query(begin.filter((command) => command !== undefined).join('; '), (error) => {
      if (error) this.condition = 'spoilt';
    });
    if (first === undefined) return;
    pool.names.note(first);
    this.leading = this.timed(first, (callback) =>
      // The driver only reads the values.
      connection.query(sent(first) as { text: string; values: unknown[] }, (error, result) =>
        callback(error, result?.rows),
      ),
    );
    // The consumer of the first batch receives the error, where there is one.
    this.leading.catch(() => {});
  }

  /**
   * Whether the next batch may be read while the last one is used: only if that one is so small that its memory is not
   * counted.
   */
  get mayReadAhead(): boolean {
    return this.connection.meter?.isSmall === true;
  }

  /** Reads the next batch. The rows of the previous one must not be used any more, unless `mayReadAhead`. */
  read(batchSize: number): Promise<Rows> {
    this.connection.meter?.release();
    const { copied } = this;
    if (copied !== undefined) {
      this.reading = this.timed(this.statement, (callback) =>
        copied.read((error, rows) => callback(error, rows as unknown as Rows)),
      );
      return this.reading;
    }
    // Not before: the driver never calls back from the close of a cursor that waits in its queue.
    if (!this.isOpen) this.connection.query(this.cursor);
    this.isOpen = true;
    this.reading = this.timed(this.statement, (callback) =>
      this.cursor.read(batchSize, (error, rows) => callback(error, this.joinsRows ? this.joined(rows) : rows)),
    );
    return this.reading;
  }

  /** The rows of a batch as one element: those that the driver has read, or else those that were taken as bytes. */
  private joined(rows: Rows = []): Rows {
    const texts = rows.map((row) => String(Object.values(row)[0]));
    const joined = texts.length > 0 ? joinTexts(texts, this.separator) : this.bytes?.take();
    return joined === undefined || joined.lengths.length === 0 ? [] : [{ ...joined }];
  }

  private timed(
    statement: Statement,
    send: (callback: (error: Error | null | undefined, rows: Rows | undefined) => void) => void,
  ) {
    const fetched = Promise.withResolvers<void>();
    this.fetched = fetched.promise;
    this.isFetching = true;
    return new Promise<Rows>((resolve, reject) => {
      const ended = this.pool.watch.begin(statement);
      const startedMs = performance.now();
      const timeoutMs = this.pool.statementTimeoutMs;
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              this.cancel();
              reject(translateDatabaseError(new SlowFetchError(`A fetch took longer than ${timeoutMs} ms`)));
            }, timeoutMs);
      send((error, rows) => {
        clearTimeout(timer);
        this.isFetching = false;
        fetched.resolve();
        ended(error ?? undefined);
        this.onFetched?.(performance.now() - startedMs);
        if (error) {
          if (conditionAfter(error) === 'spoilt') this.condition = 'spoilt';
          reject(translateDatabaseError(error));
        } else {
          resolve(rows ?? []);
        }
      });
    });
  }

  /** Waits for a batch that has no receiver any more. A slow fetch is cancelled: `cancelling` says whether it ends. */
  private endFetch(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.cancel();
        resolve();
      }, MAX_LEAVE_MS);
      void this.fetched.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  cancel(): void {
    this.copied?.leave();
    const ended = this.copied?.isRunning === true ? this.copied.ended : this.fetched;
    this.cancelling ??= cancelUntilEnded(() => this.pool.cancel(this.connection), ended);
  }

  /** Ends the transaction and releases the connection; never rejects. */
  async end(): Promise<void> {
    if (this.copied?.isRunning === true) this.cancel();
    if (this.isFetching && this.cancelling === undefined) await this.endFetch();
    if ((await this.cancelling) === false) this.condition = 'spoilt';
    if (this.condition === 'usable') {
      // The outcome was reported already, or has no receiver any more.
      const failed = await Promise.all([this.leading, this.reading]).then(
        () => false,
        () => true,
      );
      // After an error the driver never calls back from `close`; the end of the transaction closes the cursor.
      if (!failed && this.isOpen) await new Promise<void>((resolve) => this.cursor.close(() => resolve()));
      this.condition = await new Promise((resolve) => {
        const completed = withDeadline(this.pool.deadlineMs, (error) => resolve(error ? 'spoilt' : 'usable'));
        this.connection.query('COMMIT', completed);
      });
    }
    this.bytes?.discard();
    this.pool.giveBack(this.connection, this.condition);
    this.onFree?.();
  }
}

/**
 * Reads rows through a cursor in a read-only transaction, one batch at a time. While the consumer uses a small batch,
 * the server already creates the next one; after a large one it waits until the consumer requests it. So memory is
 * bounded by one large batch, or two small ones. Leaving the loop early closes the cursor.
 */
export async function* streamRows(
  pool: ConnectionPool,
  statement: Statement,
  options: StreamOptions,
): AsyncGenerator<Rows, void, undefined> {
  const { batchSize, signal, maxIdleMs = MAX_IDLE_MS } = options;
  let reader: RowReader;
  try {
    signal?.throwIfAborted();
    reader = new RowReader(pool, await pool.takeOne(), statement, options);
  } catch (error) {
    options.onFree?.();
    throw error;
  }
  let rejectReading: (reason: unknown) => void = () => {};
  const abort = (): void => {
    reader.cancel();
    rejectReading(signal?.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });
  // Not `Promise.race` with one promise for the whole stream: that would keep every batch in memory until the end.
  const orAborted = (reading: Promise<Rows>): Promise<Rows> =>
    signal === undefined
      ? reading
      : new Promise((resolve, reject) => {
          rejectReading = reject;
          reading.then(resolve, reject);
        });
  let isGivenBack = false;
  let idle: NodeJS.Timeout | undefined;
  const waitForConsumer = (): void => {
    idle = setTimeout(() => {
      isGivenBack = true;
      void reader.end();
    }, maxIdleMs);
  };
  const assertInTime = (): void => {
    clearTimeout(idle);
    if (isGivenBack) throw new PlatformError('DATA_TIMEOUT', 'The rows were received too slowly');
  };
  try {
    // An abort before there was a connection had no listener.
    signal?.throwIfAborted();
    if (reader.leading !== undefined) {
      const rows = await orAborted(reader.leading);
      waitForConsumer();
      yield rows;
      assertInTime();
    }
    let reading: Promise<Rows> | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const rows = await orAborted(reading ?? reader.read(batchSize));
      if (rows.length === 0) return;
      reading = reader.mayReadAhead ? reader.read(batchSize) : undefined;
      // The consumer gets the error with the next batch, if it comes back.
      reading?.catch(() => {});
      waitForConsumer();
      yield rows;
      assertInTime();
    }
  } finally {
    clearTimeout(idle);
    signal?.removeEventListener('abort', abort);
    // Not awaited: an aborted consumer must not wait for the server.
    if (!isGivenBack) void reader.end();
  }
}
