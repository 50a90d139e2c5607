import { quoteIdentifier, quoteTable } from '@lintel/metadata';
import type { DataSource } from '@lintel/persistence';
import type { ColumnDescription, TableDescription } from '../expected/table-description.ts';
import { canonicalType } from './canonical-type.ts';
import type { SchemaChange } from './schema-difference.ts';

/** Texts are one type here, with a length or without one. */
const baseOf = (type: string): string => type.replace(/\(.*\)/, '').replace(/^text$/, 'character varying');

interface StoredColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

const COLUMNS = `SELECT n.nspname AS schema, c.relname AS table, a.attname AS column,
  format_type(a.atttypid, a.atttypmod) AS type
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname = ANY ($1)`;

const alter = (table: TableDescription, column: ColumnDescription, type: string, from: string): string => {
  const name = quoteIdentifier(column.name);
  // Between lengths the assignment cast refuses values that do not fit; an explicit cast would truncate them.
  const using = baseOf(type) === baseOf(from) ? '' : ` USING ${name}::${type}`;
  return `ALTER TABLE ${quoteTable(table)} ALTER COLUMN ${name} TYPE ${type}${using}`;
};

/**
 * The changes of column types. TypeORM would drop the column and add it again, which loses its values; so the types are
 * changed beforehand, and TypeORM finds no difference.
 */
export async function retypeColumns(
  dataSource: DataSource,
  tables: readonly TableDescription[],
): Promise<SchemaChange> {
  const schemas = [...new Set(tables.map((table) => table.schema))];
  const stored: readonly StoredColumn[] = await dataSource.query(COLUMNS, [schemas]);
  const typeOf = new Map(stored.map((each) => [`${each.schema}.${each.table}.${each.column}`, each.type]));
  const up: string[] = [];
  const down: string[] = [];
  for (const table of tables) {
    for (const column of table.columns) {
      const from = typeOf.get(`${table.schema}.${table.name}.${column.name}`);
      const to = canonicalType(column.type);
      if (from === undefined || from === to) continue;
      up.push(alter(table, column, to, from));
      down.unshift(alter(table, column, from, to));
    }
  }
  return { up, down };
}
