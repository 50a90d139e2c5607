import type { SheetCell } from '@lintel/documents/tables';
import { tableError } from './table-error.ts';

/** The cells of a row; of CSV texts, and null for an empty one without quotation marks. */
export type Cells = readonly SheetCell[];

const MAX_COLUMNS = 1_000;

/** @throws PlatformError REQ_CANNOT_DESERIALIZE for a row of too many cells */
export function checkedRow(cells: Cells): Cells {
  if (cells.length > MAX_COLUMNS)
    throw tableError(`A row has ${cells.length} cells, at most ${MAX_COLUMNS} are allowed`);
  return cells;
}
