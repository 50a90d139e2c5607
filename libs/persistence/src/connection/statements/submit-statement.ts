import { type PoolClient, Query, type QueryResult } from 'pg';
import type { Statement } from '../../database.ts';
import { translateDatabaseError } from '../../errors/translate-database-error.ts';
import type { Measured } from '../results/guarded-client.ts';
import { cancelUntilEnded } from './cancel-until-ended.ts';
import { StatementBatch } from './statement-batch.ts';

/** A checked-out connection; the driver sets the process id of its backend. */
export interface Connection extends Omit<PoolClient, 'pipeline'>, Measured {
  readonly processID?: number;
  /** Sends statements without waiting for the results of earlier ones. */
  pipeline?: boolean;
}

export type Rows = readonly Record<string, unknown>[];

/** Whether the connection can be used again after a statement. */
export type Condition = 'usable' | 'spoilt';

type QueryCallback = (error: Error | null | undefined, result: QueryResult) => void;

/** The database did not respond in time, not even with its own timeout of the statement. */
class ResponseTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(deadlineMs: number) {
    super(`No response from the database in ${deadlineMs} ms`);
  }
}

/** SQLSTATE of a statement that would write where that is not possible. */
const READ_ONLY = '25006';

/**
 * Errors after which a connection is replaced: its prepared statements are invalid (the schema changed the result type
 * of one, or they were discarded), it does not respond, or its server is read-only (after a failover the address may
 * lead to another server).
 */
const SPOILING = new Set(['0A000', '26000', 'ETIMEDOUT', READ_ONLY]);

export const conditionAfter = (error: Error): Condition =>
  'code' in error && typeof error.code === 'string' && SPOILING.has(error.code) ? 'spoilt' : 'usable';

/**
 * Calls `callback` with an error when there is no response after `deadlineMs`. The server's own timeout ends slow
 * statements; this one is for networks that lose packets.
 */
export function withDeadline(deadlineMs: number | undefined, callback: QueryCallback): QueryCallback {
  if (deadlineMs === undefined) return callback;
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    callback(new ResponseTimeoutError(deadlineMs), undefined as never);
  }, deadlineMs);
  return (error, result) => {
    if (expired) return;
    clearTimeout(timer);
    callback(error, result);
  };
}

/** Runs a statement of this module and returns its result; rejects with the driver's error. */
export const runStatement = (
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
    const callback = withDeadline(deadlineMs, (error, result) => (error ? reject(error) : resolve(result)));
    connection.query(Object.assign(new Query(text, values as unknown[], callback), more));
  });

/** A statement that is sent with others. */
export interface Submitted {
  readonly statement: Statement;
  /** When it aborts, the statement is settled at once. Without a signal `settle` always gets the real outcome. */
  readonly signal: AbortSignal | undefined;
  /**
   * Called once, as soon as the outcome is known to the caller.
   *
   * @param command the command tag of the server: `INSERT 0 1`
   */
  readonly settle: (error: unknown, rows: Rows, command: string) => void;
}

export interface SubmitOptions {
  /** Maximum wait for the result of one statement; the results of a batch arrive together. */
  readonly deadlineMs: number | undefined;
  /** Whether the statements may write, according to the options of the pool. */
  readonly mayWrite: boolean;
  /** Whether statements are prepared by their names; without it their names are not sent. */
  readonly prepares: boolean;
  /** Called where the server refuses to write although the pool may: it is not the primary any more. */
  readonly onReadOnly: () => void;
  /** Requests that the database cancels the current statement. Returns whether the request could be sent. */
  readonly cancel: () => Promise<boolean>;
  /** Called once, when the connection is free for the next statement; after an abort that is later than `settle`. */
  readonly free: (condition: Condition) => void;
}

const NO_ROWS: Rows = Object.freeze([]);

/**
 * Sends statements in one write, in their order, and receives their results together: for small statements a system
 * call costs more than all other work of driver and server. After a statement that fails, the server skips the others,
 * which fail with the same error.
 */
export function submitStatements(
  connection: Connection,
  all: readonly Submitted[],
  { deadlineMs, mayWrite, prepares, onReadOnly, cancel, free }: SubmitOptions,
): void {
  const at = all.findIndex(({ signal }) => signal?.aborted === true);
  const sent = at < 0 ? all : all.slice(0, at);
  if (sent.length === 0) free('usable');
  // A statement after an aborted one may depend on it, so it is not sent either.
  if (at >= 0) for (const { settle } of all.slice(at)) settle(all[at]?.signal?.reason, NO_ROWS, '');
  if (sent.length === 0) return;
  /** Those that were settled before the end, because their signal aborted. */
  let settled: Set<Submitted> | undefined;
  let isCompleted = false;
  let cancelling: Promise<boolean> | undefined;
  let reportEnd: (() => void) | undefined;
  const signals = signalsOf(sent);

  const onAbort = (): void => {
    cancelling ??= cancelUntilEnded(
      cancel,
      new Promise<void>((resolve) => {
        reportEnd = resolve;
      }),
    );
    settled ??= new Set();
    for (const one of sent) {
      if (one.signal?.aborted !== true || settled.has(one)) continue;
      settled.add(one);
      one.settle(one.signal.reason, NO_ROWS, '');
    }
    void cancelling.then((requested) => {
      // The end of the statement is unknown, so the connection is given up.
      if (!requested && !isCompleted) complete(new NotCancelledError());
    });
  };
  const complete = (error: Error | undefined): void => {
    if (isCompleted) return;
    isCompleted = true;
    reportEnd?.();
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
    const condition = error === undefined ? 'usable' : conditionAfter(error);
    if (mayWrite && (error as { code?: unknown } | undefined)?.code === READ_ONLY) onReadOnly();
    if (cancelling === undefined) free(condition);
    // Freed only after the cancel request was processed, which must not cancel a later statement.
    else void cancelling.then((requested) => free(requested ? condition : 'spoilt'));
    const failed = sent[batch.results.length]?.statement;
    const failure = error === undefined ? undefined : translateDatabaseError(error, mayWrite, failed?.target);
    for (let at = 0; at < sent.length; at += 1) {
      const one = sent[at] as Submitted;
      if (settled?.has(one) === true) continue;
      const result = batch.results[at];
      if (result === undefined) one.settle(failure, NO_ROWS, '');
      else if (result.error !== undefined) one.settle(translateDatabaseError(result.error, mayWrite), NO_ROWS, '');
      else one.settle(undefined, result.rows, result.command);
    }
  };

  const batch = new StatementBatch(
    sent.map(({ statement }) => (prepares ? statement : unnamed(statement))),
    complete,
  );
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  const allMs = deadlineMs === undefined ? undefined : deadlineMs * sent.length;
  const timer = allMs === undefined ? undefined : setTimeout(() => complete(new ResponseTimeoutError(allMs)), allMs);
  connection.query(batch);
}

/** The same statement, which the server does not keep. */
export const unnamed = ({ name: _, ...statement }: Statement): Statement => statement;

/** The cancel request could not be sent. */
class NotCancelledError extends Error {
  readonly code = 'ETIMEDOUT';
}

/** The distinct signals; usually all statements of a batch have the same one. */
function signalsOf(sent: readonly Submitted[]): readonly AbortSignal[] {
  const signals: AbortSignal[] = [];
  for (const { signal } of sent) if (signal !== undefined && !signals.includes(signal)) signals.push(signal);
  return signals;
}
