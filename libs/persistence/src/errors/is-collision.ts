import { databaseErrorDetailsOf } from './database-error.ts';

/** serialization_failure and deadlock_detected: the transaction was valid and may succeed when it is run again. */
const COLLISIONS: ReadonlySet<string | undefined> = new Set(['40001', '40P01']);

/**
 * Whether the database refused a row because it conflicts with stored data: unique, foreign key and check constraints.
 */
export const isIntegrityViolation = (error: unknown): boolean =>
  databaseErrorDetailsOf(error)?.sqlState?.startsWith('23') === true;

/** Whether the database ended a transaction only because of concurrent ones. */
export const isCollision = (error: unknown): boolean => COLLISIONS.has(databaseErrorDetailsOf(error)?.sqlState);
