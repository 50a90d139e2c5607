import { useState } from 'react';
import type { Row } from './row.ts';
import { EVERYTHING, isSelected, NOTHING, type Selected, withPage, withRow } from './selected.ts';

/** The rows that a user has selected, on any page, or all that match the filter. */
export interface Selection {
  readonly rows: readonly Row[];
  /** All that match, also rows of other pages. */
  readonly isAll: boolean;
  has(this: void, key: string): boolean;
  /** @param page the rows that are shown with it */
  toggle(this: void, row: Row, page: readonly Row[]): void;
  /** Selects the rows, or none of them if all are selected. */
  togglePage(this: void, rows: readonly Row[]): void;
  selectAll(this: void): void;
  clear(this: void): void;
}

/** @param list the filter, as a text: a selection ends with it */
export function useSelection(list: string): Selection {
  const [stored, setStored] = useState({ list, selected: NOTHING });
  const selected = stored.list === list ? stored.selected : NOTHING;
  const select = (next: Selected): void => setStored({ list, selected: next });
  return {
    rows: [...selected.rows.values()],
    isAll: selected.isAll,
    has: (key) => isSelected(selected, key),
    toggle: (row, page) => select(withRow(selected, row, page)),
    togglePage: (page) => select(withPage(selected, page)),
    selectAll: () => select(EVERYTHING),
    clear: () => select(NOTHING),
  };
}
