import type { Statement } from '../../database.ts';
import { translateDatabaseError } from '../../errors/translate-database-error.ts';
import { runStatement } from '../statements/submit-statement.ts';
import type { ConnectionPool } from './connection-pool.ts';

const NAME = 'lintel_explained';
const BEGIN = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 5000; SET LOCAL plan_cache_mode = force_generic_plan';

/**
 * Returns the generic plan of a statement: it shows `$1`, never a value. The statement is not run.
 *
 * @throws PlatformError if the server refuses
 */
export async function explainStatement(pool: ConnectionPool, { text, values }: Statement): Promise<string> {
  const connection = await pool.takeOne();
  try {
    await runStatement(connection, { text: BEGIN }, pool.deadlineMs);
    // The extended protocol accepts a single command, independent of the text.
    await runStatement(connection, { text: `PREPARE ${NAME} AS ${text}`, queryMode: 'extended' }, pool.deadlineMs);
    const nulls = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
    const { rows } = await runStatement(connection, { text: `EXPLAIN EXECUTE ${NAME}${nulls}` }, pool.deadlineMs);
    return (rows as Readonly<Record<string, string>>[]).map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    throw translateDatabaseError(error);
  } finally {
    // The connection is closed, because it keeps the prepared statement and the settings.
    pool.giveBack(connection, 'spoilt');
  }
}
