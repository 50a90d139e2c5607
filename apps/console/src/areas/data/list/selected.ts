import { keyOfRow, type Row } from './row.ts';

/** Selected rows by their keys, or all that match the filter. */
export interface Selected {
  readonly rows: ReadonlyMap<string, Row>;
  /** All that match, also rows of other pages. */
  readonly isAll: boolean;
}

export const NOTHING: Selected = { rows: new Map(), isAll: false };

export const EVERYTHING: Selected = { rows: new Map(), isAll: true };

export const isSelected = ({ rows, isAll }: Selected, key: string): boolean => isAll || rows.has(key);

/** The selection with a row, or without it if it was selected; of all that match, the others of its page stay. */
export function withRow(selected: Selected, row: Row, page: readonly Row[]): Selected {
  const rows = new Map((selected.isAll ? withPage(NOTHING, page) : selected).rows);
  const key = keyOfRow(row);
  if (key !== undefined && !rows.delete(key)) rows.set(key, row);
  return { rows, isAll: false };
}

/** The selection with all rows of a page, or with none of them if all were selected. */
export function withPage(selected: Selected, page: readonly Row[]): Selected {
  const rows = new Map(selected.rows);
  const keyed = page.map((row) => [keyOfRow(row), row] as const);
  const isWhole = keyed.every(([key]) => key === undefined || isSelected(selected, key));
  for (const [key, row] of keyed)
    if (key !== undefined)
      if (isWhole) rows.delete(key);
      else rows.set(key, row);
  return { rows, isAll: false };
}
