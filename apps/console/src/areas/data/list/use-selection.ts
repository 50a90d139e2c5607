import { useCallback, useMemo, useState } from 'react';
import { keyOfRow, type Row } from './row.ts';

/** The rows that a user has selected, on any page, or all that match the filter. */
export interface Selection {
  readonly rows: readonly Row[];
  /** All that match, also those of other pages. */
  readonly isAll: boolean;
  has(this: void, key: string): boolean;
  toggle(this: void, row: Row): void;
  /** Selects the rows, or none of them if all are selected. */
  togglePage(this: void, rows: readonly Row[]): void;
  selectAll(this: void): void;
  clear(this: void): void;
}

interface Selected {
  readonly list: string;
  readonly rows: ReadonlyMap<string, Row>;
  readonly isAll: boolean;
}

/** @param list the filter, as a text: a selection ends with it */
export function useSelection(list: string): Selection {
  const nothing = useMemo((): Selected => ({ list, rows: new Map(), isAll: false }), [list]);
  const [stored, setStored] = useState(nothing);
  const { rows, isAll } = stored.list === list ? stored : nothing;
  const select = useCallback(
    (change: (rows: Map<string, Row>) => void) => {
      const next = new Map(rows);
      change(next);
      setStored({ list, rows: next, isAll: false });
    },
    [list, rows],
  );
  return {
    rows: [...rows.values()],
    isAll,
    has: (key) => isAll || rows.has(key),
    toggle: (row) =>
      select((next) => {
        const key = keyOfRow(row);
        if (key !== undefined && !next.delete(key)) next.set(key, row);
      }),
    togglePage: (page) =>
      select((next) => {
        const keyed = page.map((row) => [keyOfRow(row), row] as const);
        const isWhole = isAll || keyed.every(([key]) => key === undefined || next.has(key));
        for (const [key, row] of keyed)
          if (key !== undefined)
            if (isWhole) next.delete(key);
            else next.set(key, row);
      }),
    selectAll: () => setStored({ list, rows: new Map(), isAll: true }),
    clear: () => setStored(nothing),
  };
}
