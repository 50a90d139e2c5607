import type { ReportBand, ReportBandRow } from '@lintel/application';
import { type BandData, firstBand } from '../bands/band-data.ts';
import { plainOf } from '../bands/cell.ts';
import { fieldOf } from '../bands/field-of.ts';
import type { CellFormatter } from './formats/format-cell.ts';

/** Names of all bands that a tree may have, including the parts of cross bands. */
export const bandNamesOf = (bands: readonly ReportBand[]): ReadonlySet<string> =>
  new Set(
    bands.flatMap((band) => [
      band.name,
      ...(band.orientation === 'cross'
        ? ['header', 'dynamic_header', 'master_data'].map((part) => `${band.name}_${part}`)
        : []),
      ...bandNamesOf(band.bands ?? []),
    ]),
  );

/** Converts a band for application code. */
export function bandRowOf(band: BandData): ReportBandRow {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, cell] of band.data) fields[name] = plainOf(cell);
  const bands: Record<string, readonly ReportBandRow[]> = Object.create(null);
  for (const [name, rows] of band.children) bands[name] = rows.map(bandRowOf);
  return { name: band.name, fields, bands };
}

/** Returns the text of a field of the first row of a band, found depth first; undefined where there is none. */
export const textsOfFirst =
  (root: BandData, formatter: CellFormatter) =>
  (band: string, field: string): string | undefined => {
    const data = firstBand(root, band)?.data;
    const cell = data && fieldOf(data, field);
    return cell === undefined ? undefined : formatter.format(band, field, cell);
  };
