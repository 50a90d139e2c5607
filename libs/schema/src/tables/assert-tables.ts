import { StartError } from '@lintel/errors';
import { type Model, quoteIdentifier, quoteTable, searchableOf } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { describeTables } from './expected/describe-tables.ts';

/** The database is not the one of the model: a start on it would end in errors for every caller. */
export class MissingTablesError extends StartError {
  /** @param missing tables, and columns as `table.column` */
  constructor(missing: { readonly tables: readonly string[]; readonly columns: readonly string[] }) {
    const { tables, columns } = missing;
    const parts = [
      ...(tables.length === 0 ? [] : [`${tables.length === 1 ? 'table' : 'tables'} ${tables.join(', ')}`]),
      ...(columns.length === 0 ? [] : [`${columns.length === 1 ? 'column' : 'columns'} ${columns.join(', ')}`]),
    ];
    super(
      `The database has no ${parts.join(' and no ')}: run its migrations ("lintel migrate run"), or generate one for what the application declares ("lintel migrate generate"). "lintel migrate drift" shows all differences.`,
    );
    this.name = 'MissingTablesError';
  }
}

/** Similar texts cannot be found: each such search would fail. */
export class MissingExtensionError extends StartError {
  constructor() {
    super(
      'The database has no extension pg_trgm, which searchable attributes with typos need: CREATE EXTENSION pg_trgm',
    );
    this.name = 'MissingExtensionError';
  }
}

/** Reads the missing tables and columns with one query of the catalogue. */
const MISSING = `SELECT w.name AS "table", CASE WHEN to_regclass(w.name) IS NOT NULL THEN w.part END AS "column"
FROM unnest($1::text[], $2::text[], $3::text[]) AS w(name, part, attribute)
WHERE NOT EXISTS (SELECT FROM pg_attribute a
  WHERE a.attrelid = to_regclass(w.name) AND a.attname = w.attribute AND NOT a.attisdropped)`;

/**
 * Checks that the tables and columns of the model exist: one statement, independent of the size of the model. Other
 * differences are reported by `lintel migrate drift`.
 *
 * @param isChecked which tables; all by default
 * @throws MissingTablesError naming the missing tables, and the missing columns of existing ones
 * @throws MissingExtensionError if an attribute needs it
 */
export async function assertTables(
  database: StatementRunner,
  model: Model,
  isChecked: (table: { readonly schema: string }) => boolean = () => true,
): Promise<void> {
  const wanted = describeTables(model)
    .filter(isChecked)
    .flatMap(({ schema, name, columns }) =>
      columns.map((column) => [quoteTable({ schema, name }), quoteIdentifier(column.name), column.name] as const),
    );
  const missing = await database.query<{ table: string; column: string | null }>({
    text: MISSING,
    values: [0, 1, 2].map((part) => wanted.map((row) => row[part])),
  });
  if (missing.length === 0) return assertExtension(database, model);
  throw new MissingTablesError({
    tables: [...new Set(missing.filter(({ column }) => column === null).map(({ table }) => table))].sort(),
    columns: missing.flatMap(({ table, column }) => (column === null ? [] : [`${table}.${column}`])).sort(),
  });
}

async function assertExtension(database: StatementRunner, { entities }: Model): Promise<void> {
  if (![...entities.values()].some((entity) => searchableOf(entity).some(({ search }) => search.typos))) return;
  const text = "SELECT FROM pg_extension WHERE extname = 'pg_trgm'";
  if ((await database.query({ text, values: [] })).length === 0) throw new MissingExtensionError();
}
