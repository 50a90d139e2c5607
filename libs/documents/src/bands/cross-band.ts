import type { ReportBand, ReportDataSet, ReportParameters } from '@lintel/application';
import type { BandContext } from './band-context.ts';
import { ancestorsBelow, appendBand, type BandData, openChild } from './band-data.ts';
import { type Fields, linkKeyOf, plainRow } from './cell.ts';
import type { CountCells } from './count-cells.ts';
import { readBand } from './read-band.ts';

const COLUMNS = 'dynamic_header';
const ROWS = 'master_data';
const NONE: Fields = new Map();

/** Groups the data sets of a cross band by the suffix of their names. */
export function setsOfCrossBand({ dataSets = [] }: Pick<ReportBand, 'dataSets'>): {
  readonly columns: readonly ReportDataSet[];
  readonly rows: readonly ReportDataSet[];
  readonly cells: readonly ReportDataSet[];
} {
  const isAxis = (end: string) => (set: ReportDataSet) => set.name.endsWith(end);
  return {
    columns: dataSets.filter(isAxis(COLUMNS)),
    rows: dataSets.filter(isAxis(ROWS)),
    cells: dataSets.filter((set) => !isAxis(COLUMNS)(set) && !isAxis(ROWS)(set)),
  };
}

/** Functions by which a cross table is added to a tree. */
export interface CrossGrowth {
  /** `appendBand` that counts rows: the header of a table and each of its rows count as one row. */
  readonly addRow: typeof appendBand;
  readonly countCells: CountCells;
}

/**
 * Reads a cross band `X` below one parent row (contract/report-data.md#data): `X_header` with a vertical
 * `X_dynamic_header` for each column, then for each row of the table `X_master_data` with a vertical `X` for each
 * column, empty where there is no cell. The axes are read first and are parameters of the data sets of the cells. A
 * table without rows has a single `X`.
 */
export async function addCrossBand(
  band: ReportBand,
  parent: BandData,
  context: BandContext,
  { addRow, countCells }: CrossGrowth,
): Promise<void> {
  const { name } = band;
  const columnBand = `${name}_${COLUMNS}`;
  const rowBand = `${name}_${ROWS}`;
  const sets = setsOfCrossBand(band);
  const ancestors = parent.isPlaceholder ? undefined : ancestorsBelow(parent);
  const read = async (
    dataSets: readonly ReportDataSet[],
    axes: ReportParameters,
    onRow: (rows: number) => void = () => {},
  ): Promise<readonly Fields[]> => {
    if (ancestors === undefined) return [];
    const using = { ...context, parameters: { ...context.parameters, ...axes }, putEmptyRow: false };
    const found: Fields[] = [];
    for await (const { fields } of readBand({ name, dataSets }, using, [ancestors])) {
      found.push(fields);
      onRow(found.length);
    }
    return found;
  };
  // Includes the cells of the header. A table that is too large is refused while its axes are read.
  const columns = await read(sets.columns, {}, (count) => countCells(count, false));
  const rows = await read(sets.rows, {}, (count) => countCells(columns.length * (count + 1), false));
  countCells(columns.length * (rows.length + 1), true);
  const cells = await read(sets.cells, { [columnBand]: columns.map(plainRow), [rowBand]: rows.map(plainRow) });

  openChild(parent, `${name}_header`);
  openChild(parent, rowBand);
  const header = addRow(parent, { ...HORIZONTAL, name: `${name}_header`, data: NONE });
  openChild(header, columnBand);
  for (const data of columns) appendBand(header, { ...VERTICAL, name: columnBand, data });
  if (rows.length === 0) {
    appendBand(parent, { ...VERTICAL, name, data: NONE });
    return;
  }
  const cellAt = indexCells(cells, { columns, rows, columnBand, rowBand });
  for (const [y, data] of rows.entries()) {
    const row = addRow(parent, { ...HORIZONTAL, name: rowBand, data });
    openChild(row, name);
    for (const x of columns.keys()) appendBand(row, { ...VERTICAL, name, data: cellAt(x, y) });
  }
}

const HORIZONTAL = { orientation: 'horizontal', isPlaceholder: false } as const;
const VERTICAL = { orientation: 'vertical', isPlaceholder: false } as const;

interface Axes {
  readonly columns: readonly Fields[];
  readonly rows: readonly Fields[];
  readonly columnBand: string;
  readonly rowBand: string;
}

/**
 * Indexes the cells by column and row: each of their fields `<axis>_<field>` or `<axis>@<field>` equals `<field>` of the
 * column, and of the row. Where several cells have the same column and row, the first one is used.
 */
function indexCells(cells: readonly Fields[], axes: Axes): (x: number, y: number) => Fields {
  const found = new Map<string, Fields>();
  const indexOfColumn = axisIndex(axes.columns, axes.columnBand);
  const indexOfRow = axisIndex(axes.rows, axes.rowBand);
  for (const cell of cells)
    for (const x of indexOfColumn(cell))
      for (const y of indexOfRow(cell)) {
        const key = `${x} ${y}`;
        if (!found.has(key)) found.set(key, cell);
      }
  return (x, y) => found.get(`${x} ${y}`) ?? NONE;
}

/** Finds the indexes of a cell on an axis, by all of its links whose field the axis has. */
function axisIndex(axis: readonly Fields[], band: string): (cell: Fields) => readonly number[] {
  const known = new Set(axis.flatMap((fields) => [...fields.keys()]));
  const byFields = new Map<string, ReadonlyMap<string | undefined, readonly number[]>>();
  return (cell) => {
    const links = [...cell.keys()].filter(
      (name) =>
        name.startsWith(band) && /^[_@]/.test(name.slice(band.length)) && known.has(name.slice(band.length + 1)),
    );
    if (links.length === 0) return [];
    const fields = links.map((name) => name.slice(band.length + 1));
    const id = fields.join('\n');
    const index = byFields.get(id) ?? Map.groupBy(axis.keys(), (at) => keyOf(axis[at], fields));
    byFields.set(id, index);
    const key = keyOf(cell, links);
    return key === undefined ? [] : (index.get(key) ?? []);
  };
}

/** Key of the values of several fields; undefined where one has none. */
function keyOf(fields: Fields | undefined, names: readonly string[]): string | undefined {
  const keys = names.map((name) => {
    const cell = fields?.get(name);
    return cell === undefined ? undefined : linkKeyOf(cell);
  });
  return keys.includes(undefined) ? undefined : JSON.stringify(keys);
}
