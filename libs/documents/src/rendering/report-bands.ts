import type { ReportBand, ReportBandRow } from '@lintel/application';
import type { BandData } from '../bands/band-data.ts';
import { plainOf } from '../bands/cell.ts';

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
