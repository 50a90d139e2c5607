import type { Statement, StatementDescription } from '../database.ts';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { type Condition, type Connection, conditionAfter, runStatement } from './submit-statement.ts';

const NAME = 'described';

/** Parameter types of a prepared statement, and names of column types. */
const TYPES = `SELECT
  (SELECT parameter_types::text[] FROM pg_prepared_statements WHERE name = $1) AS parameters,
  (SELECT array_agg(format_type(type, NULL) ORDER BY at) FROM unnest($2::oid[]) WITH ORDINALITY AS t(type, at)) AS columns`;

/**
 * Determines the types of a statement's parameters and columns, without reading rows. The statement must be valid as a
 * subquery in `FROM`; the server refuses anything else, and several commands in one text.
 */
export async function describeStatement(
  pool: ConnectionPool,
  { text, values }: Statement,
  signal: AbortSignal | undefined,
): Promise<StatementDescription> {
  signal?.throwIfAborted();
  const connection = await pool.takeOne();
  let condition: Condition = 'usable';
  const run = (statement: { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] }) =>
    runStatement(connection, statement, pool.deadlineMs);
  try {
    await run({ text: 'BEGIN READ ONLY' });
    // The line break ends a comment at the end of the text.
    const empty = { name: NAME, text: `SELECT * FROM (\n${text}\n) described LIMIT 0`, values };
    const { fields } = await run(empty);
    const { rows } = await run({ text: TYPES, values: [NAME, fields.map(({ dataTypeID }) => dataTypeID)] });
    const [types] = rows as [
      { readonly parameters: readonly string[] | null; readonly columns: readonly string[] | null },
    ];
    return {
      parameterTypes: types.parameters ?? [],
      columns: fields.map(({ name }, at) => ({ name, type: types.columns?.[at] ?? 'text' })),
    };
  } catch (error) {
    condition = conditionAfter(error as Error);
    throw translateDatabaseError(error);
  } finally {
    condition = await forget(run, connection, condition);
    pool.giveBack(connection, condition);
  }
}

type Run = (statement: { readonly text: string }) => Promise<unknown>;

/** Ends the transaction and the prepared statement, in the server and in the driver. */
async function forget(run: Run, connection: Connection, condition: Condition): Promise<Condition> {
  if (condition === 'spoilt') return condition;
  const { parsedStatements } = connection.connection as unknown as { parsedStatements: Record<string, unknown> };
  const isPrepared = parsedStatements[NAME] !== undefined;
  delete parsedStatements[NAME];
  try {
    await run({ text: 'ROLLBACK' });
    if (isPrepared) await run({ text: `DEALLOCATE ${NAME}` });
    return 'usable';
  } catch {
    // The earlier error is reported; the connection is replaced.
    return 'spoilt';
  }
}
