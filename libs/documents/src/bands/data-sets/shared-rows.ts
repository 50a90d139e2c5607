import type { PlacedRow } from '../merge-rows.ts';

/** Yields the same rows for every parent row, and reads them once. */
export async function* forEveryParent(
  rows: AsyncIterable<PlacedRow['fields']>,
  parents: number,
): AsyncGenerator<PlacedRow> {
  if (parents === 1) {
    for await (const fields of rows) yield { at: 0, fields };
    return;
  }
  const read = await Array.fromAsync(rows);
  for (let at = 0; at < parents; at += 1) for (const fields of read) yield { at, fields };
}
