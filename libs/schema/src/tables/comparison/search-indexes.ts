import { quoteIdentifier, quoteTable } from '@lintel/metadata';
import type { DataSource } from '@lintel/persistence';
import type { IndexDescription, TableDescription } from '../expected/table-description.ts';
import type { SchemaChange } from './schema-difference.ts';

/** A search index of the model or of the database. */
interface SearchIndex {
  readonly schema: string;
  readonly name: string;
  /** The statement that creates it. */
  readonly statement: string;
}

/** The form that the compiler compares prefixes in (`startsWith`); only an equal expression is served. */
function createStatement(table: TableDescription, { name, columns: [column = ''] }: IndexDescription): string {
  const expression = `lower((${quoteIdentifier(column)})::text) text_pattern_ops`;
  return `CREATE INDEX ${quoteIdentifier(name)} ON ${quoteTable(table)} (${expression})`;
}

const describedIndexes = (tables: readonly TableDescription[]): readonly SearchIndex[] =>
  tables.flatMap((table) =>
    table.indexes
      .filter(({ search }) => search)
      .map((index) => ({ schema: table.schema, name: index.name, statement: createStatement(table, index) })),
  );

/** Indexes of that form that bear a name of ours; others of an application's own making are left alone. */
const STORED = `SELECT n.nspname AS schema, i.relname AS name, pg_get_indexdef(i.oid) AS statement
FROM pg_index x
JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE n.nspname = ANY ($1) AND x.indexprs IS NOT NULL AND x.indpred IS NULL AND starts_with(i.relname, 'ix_')
  AND pg_get_indexdef(i.oid) ~ 'USING btree \\(lower\\([^,]*\\) text_pattern_ops\\)$'
ORDER BY 1, 2`;

async function storedIndexes(
  dataSource: DataSource,
  tables: readonly TableDescription[],
): Promise<readonly SearchIndex[]> {
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  return dataSource.query(STORED, [schemas]) as Promise<readonly SearchIndex[]>;
}

const keyOf = ({ schema, name }: SearchIndex): string => `${schema}.${name}`;

const without = (indexes: readonly SearchIndex[], others: readonly SearchIndex[]): readonly SearchIndex[] => {
  const names = new Set(others.map(keyOf));
  return indexes.filter((index) => !names.has(keyOf(index)));
};

const dropStatement = (index: SearchIndex): string =>
  `DROP INDEX ${quoteIdentifier(index.schema)}.${quoteIdentifier(index.name)}`;

/**
 * The changes of the search indexes, which TypeORM neither creates nor detects. Removed indexes must be dropped before
 * their columns, so that the undo finds the columns again; new ones must be created after their columns.
 */
export async function compareSearchIndexes(
  dataSource: DataSource,
  tables: readonly TableDescription[],
): Promise<{ readonly removed: SchemaChange; readonly added: SchemaChange }> {
  const [described, stored] = [describedIndexes(tables), await storedIndexes(dataSource, tables)];
  const [gone, missing] = [without(stored, described), without(described, stored)];
  return {
    removed: { up: gone.map(dropStatement), down: gone.map(({ statement }) => statement).reverse() },
    added: { up: missing.map(({ statement }) => statement), down: missing.map(dropStatement).reverse() },
  };
}
