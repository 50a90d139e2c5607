import type { Page, RowPosition } from '@lintel/query';
import type { ReadDependencies } from './read-dependencies.ts';
import { type Line, type PageOf, positionOf, readRows, shapeOne } from './read-line.ts';

/**
 * The page of a list whose rows are chosen by predicates, which only code can evaluate: all matching rows
 * are read through a cursor, and `offset`, `limit` and the count refer to the visible ones
 * (contract-security-core.md §5.2). Memory holds one batch and the page.
 *
 * @param isCounted goes on to the end, so that `total` is the number of all visible rows
 */
export async function readFiltered(
  line: Line,
  page: Page,
  isCounted: boolean,
  deps: Pick<ReadDependencies, 'database'>,
  signal: AbortSignal,
): Promise<PageOf<readonly string[]> & { readonly total: number }> {
  const behind = page.offset + page.limit;
  const rows: string[] = [];
  let end: RowPosition | undefined;
  let total = 0;
  if (!isCounted && page.limit === 0) return { rows, end, total };
  for await (const batch of readRows(line, undefined, deps, signal)) {
    for (const row of batch) {
      const json = shapeOne(line, row);
      if (json === undefined) continue;
      total += 1;
      if (total <= page.offset || total > behind) continue;
      rows.push(json);
      if (total === behind) end = positionOf(line, row);
    }
    if (!isCounted && total >= behind) break;
  }
  return { rows, end, total };
}
