import { StartError } from '@lintel/errors';
import { type Model, quoteTable } from '@lintel/metadata';
import type { StatementRunner } from '../database.ts';
import { describeTables } from './describe-tables.ts';

/** The database is not the one of the model: a start without these tables would end in errors for every caller. */
export class MissingTablesError extends StartError {
  constructor(tables: readonly string[]) {
    super(
      `The database has no ${tables.length === 1 ? 'table' : 'tables'} ${tables.join(', ')}: the application needs a migration for what it declares ("lintel-migrate generate"), or the database is not up to date.`,
    );
    this.name = 'MissingTablesError';
  }
}

/**
 * Makes sure that there is a table for everything that the model stores. Columns are not looked at: what
 * differs in them is found by `lintel-migrate status`.
 *
 * @throws MissingTablesError naming the tables
 */
export async function assertTables(database: StatementRunner, model: Model): Promise<void> {
  const tables = describeTables(model).map(({ schema, name }) => quoteTable({ schema, name }));
  const missing = await database.query<{ table: string }>({
    text: 'SELECT t.name AS "table" FROM unnest($1::text[]) AS t(name) WHERE to_regclass(t.name) IS NULL ORDER BY 1',
    values: [tables],
  });
  if (missing.length > 0) throw new MissingTablesError(missing.map(({ table }) => table));
}
