import { type Column, quoteIdentifier, quoteTable, type Table } from '@lintel/metadata';
import { arrayParameters, valueOfColumn, valueParameter } from './sql-text.ts';

const names = (columns: readonly Column[]): string => columns.map(({ name }) => quoteIdentifier(name)).join(', ');

/**
 * Up to this number of rows, each value is a parameter of its own. Arrays cost more: they are written as texts, read
 * again and joined to rows.
 */
export const MAX_FEW_ROWS = 8;

/** The texts of an insert into a table. */
export interface InsertTexts {
  /** Of 1 to `MAX_FEW_ROWS` rows: the parameters are the values of the rows, one row after the other. */
  few(rowCount: number): string;
  /** Of any number of rows: the parameters are arrays, one for each column. */
  readonly many: string;
}

/** The beginning of an insert. */
export const insertInto = (table: Table, columns: readonly Column[]): string =>
  `INSERT INTO ${quoteTable(table)} (${names(columns)}) OVERRIDING SYSTEM VALUE`;

export function insertTexts(table: Table, columns: readonly Column[]): InsertTexts {
  const into = insertInto(table, columns);
  const known: string[] = [];
  return {
    few(rowCount) {
      const text = known[rowCount] ?? `${into} VALUES ${parameterRows(rowCount, columns)}`;
      known[rowCount] = text;
      return text;
    },
    many: `${into} SELECT ${selected(columns)}`,
  };
}

/** `($1, $2), ($3, $4)`. */
const parameterRows = (rowCount: number, columns: readonly Column[]): string =>
  Array.from({ length: rowCount }, (_, row) => {
    const parameters = columns.map((column, at) => valueParameter(column, row * columns.length + at + 1));
    return `(${parameters.join(', ')})`;
  }).join(', ');

function selected(columns: readonly Column[]): string {
  const rows = `unnest(${arrayParameters(columns, 1)})`;
  if (!columns.some(({ isArray }) => isArray)) return `* FROM ${rows}`;
  const names = columns.map((_, at) => `c${at}`);
  const values = columns.map((column, at) => valueOfColumn(column, `new.c${at}`));
  return `${values.join(', ')} FROM ${rows} AS new (${names.join(', ')})`;
}

/** The update of these columns of one row. */
export function updateText(table: Table, columns: readonly Column[], keyColumns: readonly Column[]): string {
  const set = columns.map((column, at) => `${quoteIdentifier(column.name)} = ${valueParameter(column, at + 1)}`);
  const where = keyColumns.map((column, at) => `${quoteIdentifier(column.name)} = $${columns.length + at + 1}`);
  return `UPDATE ${quoteTable(table)} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`;
}
