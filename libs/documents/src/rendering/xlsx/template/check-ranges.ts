import type { ReportBand } from '@lintel/application';
import type { BandRange } from './xlsx-template.ts';

/** All range names of a workbook that are bands. */
export const bandNamesOf = (bands: readonly ReportBand[]): readonly string[] =>
  bands.flatMap((band) => [
    ...(band.orientation === 'cross' ? crossNames(band.name) : [band.name]),
    ...bandNamesOf(band.bands ?? []),
  ]);

const crossNames = (name: string) => [`${name}_header`, `${name}_dynamic_header`, `${name}_master_data`, name] as const;

/**
 * A cross band needs four ranges, in two pairs side by side.
 *
 * @throws Error
 */
export function assertCrossBands(bands: readonly ReportBand[], ranges: ReadonlyMap<string, BandRange>): void {
  for (const band of bands) {
    assertCrossBands(band.bands ?? [], ranges);
    if (band.orientation !== 'cross') continue;
    const names = crossNames(band.name);
    const missing = names.filter((name) => !ranges.has(name));
    if (missing.length === names.length) continue;
    if (missing.length > 0)
      throw new Error(`the cross band ${band.name} needs named ranges for ${missing.join(', ')} as well`);
    const [header, columns, rows, cells] = names.map((name) => ranges.get(name) as BandRange);
    if (header?.area.top !== columns?.area.top || rows?.area.top !== cells?.area.top)
      throw new Error(
        `the ranges ${names[0]} and ${names[1]}, and ${names[2]} and ${names[3]}, must begin on the same row`,
      );
  }
}

/** Rows, cells and merged areas of the ranges of all bands together; what ranges share counts for each of them. */
const MAX_IN_RANGES = 200_000;
const MAX_HINTS = 200;

/**
 * The work of a run grows with the content of the ranges, which may have a million rows each and overlap.
 *
 * @throws Error naming the limit
 */
export function assertSmallRanges(ranges: readonly BandRange[], hints: number): void {
  if (hints > MAX_HINTS) throw new Error(`the workbook has ${hints} named ranges of hints; ${MAX_HINTS} are allowed`);
  let content = 0;
  for (const { sheet, rows } of ranges) {
    content += sheet.merges.length + rows.length;
    for (const row of rows) content += sheet.rows.get(row)?.cells.size ?? 0;
    if (content > MAX_IN_RANGES)
      throw new Error(`the ranges of the bands have more than ${MAX_IN_RANGES} rows, cells and merged areas together`);
  }
}
