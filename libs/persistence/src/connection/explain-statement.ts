import type { Statement } from '../database.ts';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { answerOf } from './submit-statement.ts';

const NAME = 'lintel_explained';
const BEGIN = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 5000; SET LOCAL plan_cache_mode = force_generic_plan';

/**
 * The plan of a statement for any values: it shows `$1`, never what was sent. The statement is not run.
 *
 * @throws PlatformError where the server refuses
 */
export async function explainStatement(pool: ConnectionPool, { text, values }: Statement): Promise<string> {
  const connection = await pool.takeOne();
  try {
    await answerOf(connection, { text: BEGIN }, pool.deadlineMs);
    // The extended protocol takes one command only, whatever the text holds.
    await answerOf(connection, { text: `PREPARE ${NAME} AS ${text}`, queryMode: 'extended' }, pool.deadlineMs);
    const places = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
    const { rows } = await answerOf(connection, { text: `EXPLAIN EXECUTE ${NAME}${places}` }, pool.deadlineMs);
    return (rows as Readonly<Record<string, string>>[]).map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    throw translateDatabaseError(error);
  } finally {
    // Closed: with what was prepared and set on it, it is of no more use.
    pool.giveBack(connection, 'spoilt');
  }
}
