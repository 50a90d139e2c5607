import { databaseErrorDetailsOf } from './database-error.ts';

/** What the driver says where all connections of the pool stayed in use; it carries no code. */
export const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';

/** Whether no connection became free in time: the server was not asked, and may be well. */
export const isPoolExhausted = (error: unknown): boolean =>
  databaseErrorDetailsOf(error) !== undefined && messageOf((error as Error).cause) === NO_FREE_CONNECTION;

const messageOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'message' in cause ? cause.message : undefined;
