import type { Connection } from '@lintel/client';
import type { PreviewedBand } from './previewed-band.ts';

/** The path of a report of the API. */
export const reportPath = (id: string): string => `/rest/reports/report/${encodeURIComponent(id)}`;

/** The first rows of the bands of a report, or of a version of one. */
export async function loadPreviewedData(
  connection: Connection,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly PreviewedBand[]> {
  const json = { parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })) };
  const { body } = await connection.read({ method: 'POST', path: `${path}/data`, repeatable: true, json });
  return (body as { readonly bands: readonly PreviewedBand[] }).bands;
}
