import { type Column, quoteIdentifier, quoteTable, type Table } from '@lintel/metadata';
import { arrayParameters, valueOfColumn } from './sql-text.ts';

const names = (columns: readonly Column[]): string => columns.map(({ name }) => quoteIdentifier(name)).join(', ');

/** The texts of an insert into a table: of one row, and of any number of rows. */
export interface InsertTexts {
  readonly one: string;
  readonly many: string;
}

export function insertTexts(table: Table, columns: readonly Column[]): InsertTexts {
  const into = `INSERT INTO ${quoteTable(table)} (${names(columns)}) OVERRIDING SYSTEM VALUE`;
  return {
    one: `${into} VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
    many: `${into} SELECT ${selected(columns)}`,
  };
}

function selected(columns: readonly Column[]): string {
  const rows = `unnest(${arrayParameters(columns, 1)})`;
  if (!columns.some(({ isArray }) => isArray)) return `* FROM ${rows}`;
  const names = columns.map((_, at) => `c${at}`);
  const values = columns.map((column, at) => valueOfColumn(column, `new.c${at}`));
  return `${values.join(', ')} FROM ${rows} AS new (${names.join(', ')})`;
}

/** The update of these columns of one row. */
export function updateText(table: Table, columns: readonly Column[], keyColumns: readonly Column[]): string {
  const set = columns.map((column, at) => `${quoteIdentifier(column.name)} = $${at + 1}`);
  const where = keyColumns.map((column, at) => `${quoteIdentifier(column.name)} = $${columns.length + at + 1}`);
  return `UPDATE ${quoteTable(table)} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`;
}
