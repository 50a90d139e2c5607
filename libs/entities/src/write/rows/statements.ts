import { type Column, quoteIdentifier, quoteTable, type Table } from '@lintel/metadata';
import type { Statement, WriteTarget } from '@lintel/persistence';
import { arrayParameters, keyCondition, valueOfColumn, valueParameter } from '../model/sql-text.ts';
import { type InsertTexts, insertInto, insertTexts, MAX_FEW_ROWS, updateText } from '../model/statement-texts.ts';

/**
 * Inserts rows. Few rows are sent value by value, so the text depends on their number. Many rows are sent as one array
 * per column, so that the text depends on the columns alone and any number of rows fits into one statement.
 *
 * @param texts the statement texts of the table, if they are cached
 */
export function insertStatement(
  table: Table,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  texts: InsertTexts = insertTexts(table, columns),
): Statement {
  if (rows.length <= MAX_FEW_ROWS)
    return { text: texts.few(rows.length), values: rows.flat(), ...targetOf(table, columns, rows.length) };
  return {
    text: texts.many,
    values: columns.map((_, at) => rows.map((row) => row[at] ?? null)),
    ...targetOf(table, columns),
  };
}

/** Stands for a value that the database gives. */
export const DEFAULT: unique symbol = Symbol('DEFAULT');

/** Parameters of a statement of PostgreSQL. */
const MAX_PARAMETERS = 65_535;

/** Inserts rows, value by value, of which some may be `DEFAULT`. */
export function* insertsWithDefaults(
  table: Table,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): Generator<Statement> {
  const count = Math.floor(MAX_PARAMETERS / columns.length);
  for (let at = 0; at < rows.length; at += count) {
    const sent: { readonly value: unknown; readonly column: Column }[] = [];
    const texts = rows.slice(at, at + count).map((row) => {
      const cells = columns.map((column, index) => {
        const value = row[index] ?? null;
        return value === DEFAULT ? 'DEFAULT' : valueParameter(column, sent.push({ value, column }));
      });
      return `(${cells.join(', ')})`;
    });
    const target = targetOf(
      table,
      sent.map(({ column }) => column),
    );
    const values = sent.map(({ value }) => value);
    yield { text: `${insertInto(table, columns)} VALUES ${texts.join(', ')}`, values, ...target };
  }
}

/**
 * Sets columns of rows, each to its own values. Many rows are sent as one array per column, like those of an insert.
 *
 * @param textOfOne the text for a single row, if it is cached
 */
export function updateStatement(
  table: Table,
  columns: readonly Column[],
  keyColumns: readonly Column[],
  rows: readonly { readonly key: readonly unknown[]; readonly values: readonly unknown[] }[],
  textOfOne: () => string = () => updateText(table, columns, keyColumns),
): Statement {
  const [only] = rows;
  const all = [...columns, ...keyColumns];
  const target = targetOf(table, all);
  if (rows.length === 1 && only !== undefined)
    return { text: textOfOne(), values: [...only.values, ...only.key], ...target };
  const set = columns.map((column, at) => `${quoteIdentifier(column.name)} = ${valueOfColumn(column, `new.c${at}`)}`);
  const where = keyColumns.map(({ name }, at) => `old.${quoteIdentifier(name)} = new.c${columns.length + at}`);
  return {
    text: `UPDATE ${quoteTable(table)} old SET ${set.join(', ')} FROM unnest(${arrayParameters(all, 1)}) AS new (${all.map((_, at) => `c${at}`).join(', ')}) WHERE ${where.join(' AND ')}`,
    values: all.map((_, at) =>
      rows.map(({ key, values }) => (at < columns.length ? values[at] : key[at - columns.length]) ?? null),
    ),
    ...target,
  };
}

/**
 * What an error about a value names, where the database alone knows which values are valid.
 *
 * @param repeats number of rows whose values are parameters of their own
 */
function targetOf({ schema, name }: Table, columns: readonly Column[], repeats = 1): { readonly target?: WriteTarget } {
  if (!columns.some(({ isCheckedByDatabase }) => isCheckedByDatabase)) return {};
  const names = columns.map((column) => column.name);
  return { target: { schema, table: name, columns: Array.from({ length: repeats }, () => names).flat() } };
}

/** Removes the rows whose columns equal one of the keys; `values` has one array per column. */
export const deleteStatement = (table: Table, columns: readonly Column[], values: readonly unknown[]): Statement => ({
  text: `DELETE FROM ${quoteTable(table)} WHERE ${keyCondition('', columns, 1)}`,
  values,
});

/**
 * Fails by a division by zero where rows are not as this transaction has left them: a trigger of the database has not
 * accepted a change without an error, or has stored the row with another key. A row that a trigger has written
 * elsewhere, such as in a partition, counts. Also in subtransactions, whose ids are younger.
 *
 * @param change for `removed` no row may be left that is older than the transaction, for `written` all must be younger
 */
export const confirmStatement = (
  table: Table,
  columns: readonly Column[],
  values: readonly unknown[],
  change: 'written' | 'removed' = 'written',
): Statement => ({
  text: `SELECT 1 / (count(*) = $${columns.length + 1}::int)::int FROM ${quoteTable(table)} WHERE ${keyCondition('', columns, 1)} AND age(xmin) ${change === 'removed' ? '>' : '<='} age(pg_current_xact_id()::xid)`,
  values: [...values, change === 'removed' ? 0 : (values[0] as readonly unknown[]).length],
});

/** Marks rows as deleted. `values` has one array per key column. */
export function flagStatement(
  table: Table,
  flags: readonly { readonly column: Column; readonly value: unknown }[],
  version: Column | undefined,
  key: { readonly columns: readonly Column[]; readonly values: readonly unknown[] },
): Statement {
  const set = flags.map(({ column }, at) => `${quoteIdentifier(column.name)} = $${at + 1}`);
  if (version !== undefined) {
    const name = quoteIdentifier(version.name);
    set.push(`${name} = ${name} + 1`);
  }
  return {
    text: `UPDATE ${quoteTable(table)} SET ${set.join(', ')} WHERE ${keyCondition('', key.columns, flags.length + 1)}`,
    values: [...flags.map(({ value }) => value), ...key.values],
  };
}
