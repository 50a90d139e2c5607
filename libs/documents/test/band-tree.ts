import { appendBand, type BandData, openChild, rootBand } from '../src/bands/band-data.ts';
import type { Cell } from '../src/bands/cell.ts';
import { cellsOfComputedRow } from '../src/bands/cells-of-row.ts';

/** A row of a band in a test: its fields, and the rows below it by band. */
export interface TestRow {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly isVertical?: boolean;
  readonly isPlaceholder?: boolean;
  readonly below?: Readonly<Record<string, readonly TestRow[]>>;
}

/** A tree of bands with computed rows; values may also be cells. */
export function bandTree(
  bands: Readonly<Record<string, readonly TestRow[]>>,
  fields: Readonly<Record<string, unknown>> = {},
): BandData {
  const root = rootBand(fieldsOf(fields));
  addBelow(root, bands);
  return root;
}

/** Rows of a band with the same shape. */
export const rowsOf = (...rows: readonly Readonly<Record<string, unknown>>[]): readonly TestRow[] =>
  rows.map((fields) => ({ fields }));

function addBelow(parent: BandData, bands: Readonly<Record<string, readonly TestRow[]>>): void {
  for (const [name, rows] of Object.entries(bands)) {
    openChild(parent, name);
    for (const { fields = {}, isVertical = false, isPlaceholder = false, below = {} } of rows) {
      const orientation = isVertical ? 'vertical' : 'horizontal';
      addBelow(appendBand(parent, { name, orientation, data: fieldsOf(fields), isPlaceholder }), below);
    }
  }
}

function fieldsOf(fields: Readonly<Record<string, unknown>>): ReadonlyMap<string, Cell> {
  const computed = cellsOfComputedRow(fields);
  const isCell = (value: unknown): value is Cell => typeof value === 'object' && value !== null && 'kind' in value;
  return new Map([...computed].map(([name, cell]) => [name, isCell(fields[name]) ? fields[name] : cell]));
}
