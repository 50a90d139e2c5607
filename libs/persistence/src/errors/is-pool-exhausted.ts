import { databaseErrorDetailsOf } from './database-error.ts';

/** The driver's error message where all connections of the pool stayed in use; the error has no code. */
export const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';

/** Whether no connection became free in time; this says nothing about the server, which received no request. */
export const isPoolExhausted = (error: unknown): boolean =>
  databaseErrorDetailsOf(error) !== undefined && messageOf((error as Error).cause) === NO_FREE_CONNECTION;

const messageOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'message' in cause ? cause.message : undefined;
