import type { ReportBand, ReportDefinition } from '@lintel/application';
import type { BandContext } from './band-context.ts';
import { ancestorsBelow, appendBand, type BandData, openChild } from './band-data.ts';
import { cellCounter } from './count-cells.ts';
import { addCrossBand } from './cross-band.ts';
import { placeholder, readBand, readRoot } from './read-band.ts';

/** Throws when the report has more rows than its output may have. */
export type RowLimit = (rows: number) => void;

/** Maximum number of parent rows for which a band is read at once: bounds one request to the data service. */
const PARENTS_PER_READ = 500;

/**
 * Reads all bands of a report into one tree, in the order of their definition: band by band, so that the data
 * sets of a band are read for all its parent rows together.
 *
 * @param maxPerBand further rows of a band are not read; cross bands are read whole
 */
export async function extractBands(
  { bands, rootDataSets }: Pick<ReportDefinition, 'bands' | 'rootDataSets'>,
  context: BandContext,
  assertRows: RowLimit,
  maxPerBand = Number.POSITIVE_INFINITY,
): Promise<BandData> {
  let rows = 0;
  const grow = (parent: BandData, row: Parameters<typeof appendBand>[1]): BandData => {
    rows += 1;
    assertRows(rows);
    return appendBand(parent, row);
  };
  const countCells = cellCounter(context.maxCells);
  const root = await readRoot(rootDataSets, context);
  await addBands(inPosition(bands), [root]);
  return root;

  async function addBands(definitions: readonly ReportBand[], parents: readonly BandData[]): Promise<void> {
    for (const band of definitions) {
      if (band.orientation === 'cross') {
        for (const parent of parents) await addCrossBand(band, parent, context, { addRow: grow, countCells });
        continue;
      }
      const found: BandData[] = [];
      for (let from = 0; from < parents.length; from += PARENTS_PER_READ)
        for (const row of await addRows(band, parents.slice(from, from + PARENTS_PER_READ))) found.push(row);
      await addBands(band.bands ?? [], found);
    }
  }

  /** Adds the rows of one band below some parents. Children of a placeholder are placeholders and are not read. */
  async function addRows(band: ReportBand, parents: readonly BandData[]): Promise<readonly BandData[]> {
    const { name, orientation } = band;
    const shape = { name, orientation: orientation === 'vertical' ? orientation : 'horizontal' } as const;
    const added: BandData[] = [];
    for (const parent of parents) {
      openChild(parent, name);
      if (parent.isPlaceholder)
        added.push(grow(parent, { ...shape, data: placeholder(0).fields, isPlaceholder: true }));
    }
    const real = parents.filter((parent) => !parent.isPlaceholder);
    if (real.length === 0) return added;
    for await (const { at, fields, isPlaceholder } of readBand(band, context, real.map(ancestorsBelow))) {
      added.push(grow(real[at] as BandData, { ...shape, data: fields, isPlaceholder }));
      if (added.length >= maxPerBand) break;
    }
    return added;
  }
}

/** Sorts first-level bands by `position`; those without one come last, in the order of the definition. */
export const inPosition = (bands: readonly ReportBand[]): readonly ReportBand[] =>
  bands.toSorted((one, other) => (one.position ?? Infinity) - (other.position ?? Infinity) || 0);
