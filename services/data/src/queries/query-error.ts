import { PlatformError } from '@lintel/errors';
import { databaseErrorDetailsOf } from '@lintel/persistence';

/** SQLSTATE classes of errors that depend on the values: data exceptions, and subqueries with several rows. */
const VALUE_CLASSES: ReadonlySet<string> = new Set(['21', '22']);

/** The error of a predefined query that has no result for the values of the request or of the rows. */
export function toQueryError(error: unknown): unknown {
  const sqlState = error instanceof Error ? databaseErrorDetailsOf(error)?.sqlState : undefined;
  if (sqlState === undefined || !VALUE_CLASSES.has(sqlState.slice(0, 2))) return error;
  return new PlatformError('REQ_QUERY_FAILED', 'The query has no result for these values', { cause: error });
}
