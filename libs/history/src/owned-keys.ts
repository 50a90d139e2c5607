import { type HistoryChild, type HistoryTable, quoteTable, type Table } from '@lintel/metadata';
import { keyAsRow, keysFrom, namesInSql, present, sameColumns, source } from './family-statement.ts';

/**
 * The query of the keys of rows of which `columns` refer to one of the keys in `$1`, in the form of entries: of those
 * that are stored, and of those that did so when they were deleted.
 */
export function ownedKeysStatement(table: HistoryTable, columns: readonly string[]): string {
  const owners = namesInSql(columns);
  return `SELECT history.key_of(to_jsonb(t), ${namesInSql(table.key)}) AS key FROM unnest($1::text[]) k(key)
  CROSS JOIN LATERAL ${keyAsRow(table, columns)} JOIN ${quoteTable(table)} t ON ${sameColumns(columns)}
UNION SELECT k.key FROM (SELECT e.key FROM history.entry e WHERE e.source = ${source(table)} AND e.after IS NULL
  AND history.key_of(e.before, ${owners}) = ANY ($1::text[])) k WHERE ${present(table)} IS NULL`;
}

/** The query of the keys of children to which the owners in `$1` refer, or have referred. */
export const referredKeysStatement = (
  from: NonNullable<HistoryChild['from']>,
  tables: readonly HistoryTable[],
): string => `WITH k AS (SELECT unnest($1::text[]) AS key) ${keysFrom(from, 'k', tables)}`;

/** The query of `k.key`, joined with `t`, the row of a table that has it. */
export const rowsByKey = (table: Table & Pick<HistoryTable, 'key'>): string =>
  `unnest($1::text[]) k(key) CROSS JOIN LATERAL ${keyAsRow(table, table.key)} JOIN ${quoteTable(table)} t ON ${sameColumns(table.key)}`;
