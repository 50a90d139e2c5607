import { type PoolClient, Query, type QueryResult } from 'pg';
import type { Statement } from '../database.ts';
import { translateDatabaseError } from '../errors/translate-database-error.ts';

/** A checked-out connection; the driver sets the process id of its backend. */
export interface Connection extends Omit<PoolClient, 'pipeline'> {
  readonly processID?: number;
  /** Sends statements without waiting for the answers to earlier ones. */
  pipeline?: boolean;
}

export type Rows = readonly Record<string, unknown>[];

/** What becomes of the connection after a statement. */
export type Condition = 'usable' | 'spoilt';

type Answered = (error: Error | null | undefined, result: QueryResult) => void;

/** The database did not answer in time, not even that the statement took too long. */
class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Errors after which a connection is replaced: its prepared statements cannot be trusted (the result
 * type of one changed with the schema, or somebody discarded them), or it does not answer.
 */
const SPOILING = new Set(['0A000', '26000', 'ETIMEDOUT']);

export const conditionAfter = (error: Error): Condition =>
  'code' in error && typeof error.code === 'string' && SPOILING.has(error.code) ? 'spoilt' : 'usable';

/**
 * Calls `answered` with an error when there was no answer after `deadlineMs`. The server's own timeout
 * ends slow statements; this one is for networks that swallow packets.
 */
export function withDeadline(deadlineMs: number | undefined, answered: Answered): Answered {
  if (deadlineMs === undefined) return answered;
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    answered(new NoAnswerError(`No answer from the database in ${deadlineMs} ms`), undefined as never);
  }, deadlineMs);
  return (error, result) => {
    if (expired) return;
    clearTimeout(timer);
    answered(error, result);
  };
}

export interface SubmitOptions {
  readonly deadlineMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Asks the database to cancel what the connection runs. Answers whether it could be asked. */
  readonly cancel: () => Promise<boolean>;
  /** Called once, as soon as the caller can know the outcome. */
  readonly settle: (error: unknown, rows: Rows) => void;
  /** Called once, when the connection may take the next statement: later than `settle` after an abort. */
  readonly free: (condition: Condition) => void;
}

const NO_ROWS: Rows = Object.freeze([]);

/** Sends one statement. */
export function submitStatement(connection: Connection, statement: Statement, options: SubmitOptions): void {
  if (options.signal !== undefined) {
    submitAbortable(connection, statement, options, options.signal);
    return;
  }
  send(connection, statement, options, (error, result) => report(options, error, result));
}

function send(connection: Connection, statement: Statement, options: SubmitOptions, answered: Answered): void {
  // Made from a text: of an object the driver would make a full copy first. It only reads the values.
  const query = new Query(statement.text, statement.values as unknown[], withDeadline(options.deadlineMs, answered));
  connection.query(statement.name === undefined ? query : Object.assign(query, { name: statement.name }));
}

/**
 * Lets what is sent from now on, until the work in progress waits for something, travel in one write: for a
 * small statement, handing it to the system costs more than everything else that the driver does.
 */
export function sendTogether(connection: Connection): void {
  const { stream } = connection.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function report(options: SubmitOptions, error: Error | null | undefined, result: QueryResult): void {
  if (error) {
    options.free(conditionAfter(error));
    options.settle(translateDatabaseError(error), NO_ROWS);
  } else {
    options.free('usable');
    options.settle(undefined, result.rows as Rows);
  }
}

function submitAbortable(
  connection: Connection,
  statement: Statement,
  options: SubmitOptions,
  signal: AbortSignal,
): void {
  if (signal.aborted) {
    options.free('usable');
    options.settle(signal.reason, NO_ROWS);
    return;
  }
  let finished = false;
  let cancelling: Promise<boolean> | undefined;
  const finish = (condition: Condition): void => {
    if (finished) return;
    finished = true;
    options.free(condition);
  };
  const abort = (): void => {
    cancelling = options.cancel();
    options.settle(signal.reason, NO_ROWS);
    void cancelling.then((requested) => {
      if (!requested) finish('spoilt');
    });
  };
  signal.addEventListener('abort', abort, { once: true });
  send(connection, statement, options, (error, result) => {
    signal.removeEventListener('abort', abort);
    if (cancelling === undefined) {
      report(options, error, result);
    } else {
      // Freed only once the request to cancel was served: it must not hit a later statement.
      void cancelling.then((requested) => finish(requested && !isNoAnswer(error) ? 'usable' : 'spoilt'));
    }
  });
}

const isNoAnswer = (error: Error | null | undefined): boolean =>
  Boolean(error) && conditionAfter(error as Error) === 'spoilt';
