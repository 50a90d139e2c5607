import { type PoolClient, Query, type QueryResult } from 'pg';
import type { Statement } from '../database.ts';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import type { Measured } from './guarded-client.ts';
import { StatementBatch } from './statement-batch.ts';

/** A checked-out connection; the driver sets the process id of its backend. */
export interface Connection extends Omit<PoolClient, 'pipeline'>, Measured {
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

  constructor(deadlineMs: number) {
    super(`No answer from the database in ${deadlineMs} ms`);
  }
}

/**
 * Errors after which a connection is replaced: its prepared statements cannot be trusted (the result
 * type of one changed with the schema, or somebody discarded them), it does not answer, or its server takes no
 * changes (after a failover the address may lead to another one).
 */
const SPOILING = new Set(['0A000', '26000', 'ETIMEDOUT', '25006']);

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
    answered(new NoAnswerError(deadlineMs), undefined as never);
  }, deadlineMs);
  return (error, result) => {
    if (expired) return;
    clearTimeout(timer);
    answered(error, result);
  };
}

/** Sends a statement of our own and answers what the server does; rejects with the driver's error. */
export const answerOf = (
  connection: Connection,
  {
    text,
    values,
    ...more
  }: Omit<Statement, 'values'> & {
    readonly values?: readonly unknown[];
    readonly queryMode?: 'extended';
  },
  deadlineMs: number | undefined,
): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    const answered = withDeadline(deadlineMs, (error, result) => (error ? reject(error) : resolve(result)));
    connection.query(Object.assign(new Query(text, values as unknown[], answered), more));
  });

/** A statement that is sent with others. */
export interface Submitted {
  readonly statement: Statement;
  /** Tells its caller at once that nothing is waited for any more; those without one learn what really happened. */
  readonly signal: AbortSignal | undefined;
  /**
   * Called once, as soon as the caller can know the outcome.
   *
   * @param command the server's word for what was done: `INSERT 0 1`
   */
  readonly settle: (error: unknown, rows: Rows, command: string) => void;
}

export interface SubmitOptions {
  /** Longest wait for the answer to one statement; those to a batch come together. */
  readonly deadlineMs: number | undefined;
  /** Whether the statements may change something, as far as we are concerned. */
  readonly mayWrite: boolean;
  /** Asks the database to cancel what the connection runs. Answers whether it could be asked. */
  readonly cancel: () => Promise<boolean>;
  /** Called once, when the connection may take the next statement: later than `settle` after an abort. */
  readonly free: (condition: Condition) => void;
}

const NO_ROWS: Rows = Object.freeze([]);

/**
 * Sends statements in one piece, in their order, and their answers come back in one piece as well: for small
 * statements, handing something to the system costs more than everything else that driver and server do. After one
 * that fails the server skips the others, which fail with the same error.
 */
export function submitStatements(
  connection: Connection,
  all: readonly Submitted[],
  { deadlineMs, mayWrite, cancel, free }: SubmitOptions,
): void {
  const at = all.findIndex(({ signal }) => signal?.aborted === true);
  const given = at < 0 ? all : all.slice(0, at);
  if (given.length === 0) free('usable');
  // What stands behind an aborted statement must not be done without it.
  if (at >= 0) for (const { settle } of all.slice(at)) settle(all[at]?.signal?.reason, NO_ROWS, '');
  if (given.length === 0) return;
  const open = new Set(given);
  let isAnswered = false;
  let cancelling: Promise<boolean> | undefined;
  const signals = signalsOf(given);

  const onAbort = (): void => {
    cancelling ??= cancel();
    for (const one of [...open]) {
      if (!one.signal?.aborted) continue;
      open.delete(one);
      one.settle(one.signal.reason, NO_ROWS, '');
    }
    void cancelling.then((requested) => {
      // Nobody knows when the statement ends: the connection is not waited for.
      if (!requested && !isAnswered) answered(new NotCancelledError());
    });
  };
  const answered = (error: Error | undefined): void => {
    if (isAnswered) return;
    isAnswered = true;
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
    const condition = error === undefined ? 'usable' : conditionAfter(error);
    if (cancelling === undefined) free(condition);
    // Freed only once the request to cancel was served: it must not hit a later statement.
    else void cancelling.then((requested) => free(requested ? condition : 'spoilt'));
    const told = error === undefined ? undefined : translateDatabaseError(error, mayWrite);
    for (const [at, one] of given.entries()) {
      if (!open.has(one)) continue;
      const done = batch.answers[at];
      if (done === undefined) one.settle(told, NO_ROWS, '');
      else if (done.error !== undefined) one.settle(translateDatabaseError(done.error, mayWrite), NO_ROWS, '');
      else one.settle(undefined, done.rows, done.command);
    }
  };

  const batch = new StatementBatch(
    given.map(({ statement }) => statement),
    answered,
  );
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  const allMs = deadlineMs === undefined ? undefined : deadlineMs * given.length;
  const timer = allMs === undefined ? undefined : setTimeout(() => answered(new NoAnswerError(allMs)), allMs);
  connection.query(batch);
}

/** The request to cancel could not be made. */
class NotCancelledError extends Error {
  readonly code = 'ETIMEDOUT';
}

/** Usually all statements of a batch have the same. */
function signalsOf(given: readonly Submitted[]): readonly AbortSignal[] {
  const signals: AbortSignal[] = [];
  for (const { signal } of given) if (signal !== undefined && !signals.includes(signal)) signals.push(signal);
  return signals;
}
