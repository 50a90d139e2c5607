import type { Fields } from './cell.ts';

/** Name of the root band. */
export const ROOT_BAND = 'Root';

/**
 * One row of a band in the tree of a report's data (contract/report-data.md#tree), which is the input of every
 * formatter. All maps have the order of the definition, all lists the order of the data.
 */
export interface BandData {
  readonly name: string;
  /** Direction of the rows of the band: downwards, or to the right. Cross bands consist of both. */
  readonly orientation: 'horizontal' | 'vertical';
  /** 0 for the root, 1 for the bands below it, … */
  readonly level: number;
  /** Undefined for the root. */
  readonly parent: BandData | undefined;
  /** The fields with their types; numbers exact. */
  readonly data: Fields;
  /** Represents missing rows; has no fields. */
  readonly isPlaceholder: boolean;
  /** Rows of the child bands by band name; contains every child band of the definition, also those without rows. */
  readonly children: ReadonlyMap<string, readonly BandData[]>;
}

/** Creates the root of a tree. */
export const rootBand = (data: Fields): BandData => ({
  name: ROOT_BAND,
  orientation: 'horizontal',
  level: 0,
  parent: undefined,
  data,
  isPlaceholder: false,
  children: new Map(),
});

/** Adds a row at the end of a child band of `parent`; only `extractBands` extends trees. */
export function appendBand(
  parent: BandData,
  row: Pick<BandData, 'name' | 'orientation' | 'data' | 'isPlaceholder'>,
): BandData {
  const { name, orientation, data, isPlaceholder } = row;
  const level = parent.level + 1;
  const band: BandData = { name, orientation, level, parent, data, isPlaceholder, children: new Map() };
  (openChild(parent, name) as BandData[]).push(band);
  return band;
}

/** Returns the rows of a child band; adds the band after the existing ones where it is new. */
export function openChild(parent: BandData, name: string): readonly BandData[] {
  const children = parent.children as Map<string, readonly BandData[]>;
  const known = children.get(name);
  if (known !== undefined) return known;
  const rows: readonly BandData[] = [];
  children.set(name, rows);
  return rows;
}

/** The fields of a band and of its ancestors for the bands below it: `<Band>.<field>`. */
export function ancestorsBelow(band: BandData): Fields {
  const fields = new Map(band.parent === undefined ? [] : ancestorsBelow(band.parent));
  for (const [name, cell] of band.data) fields.set(`${band.name}.${name}`, cell);
  return fields;
}

/** The first row of a band, found depth first. */
export function firstBand(from: BandData, name: string): BandData | undefined {
  if (from.name === name) return from;
  for (const rows of from.children.values())
    for (const row of rows) {
      const found = firstBand(row, name);
      if (found !== undefined) return found;
    }
  return undefined;
}
