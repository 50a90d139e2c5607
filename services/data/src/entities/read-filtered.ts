import type { Page } from '@lintel/query';
import type { ReadDependencies } from './read-dependencies.ts';
import { type Line, readBatches } from './read-line.ts';

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
): Promise<{ readonly rows: readonly string[]; readonly total: number }> {
  const end = page.offset + page.limit;
  const rows: string[] = [];
  let total = 0;
  if (!isCounted && page.limit === 0) return { rows, total };
  for await (const batch of readBatches(line, undefined, deps, signal)) {
    for (const row of batch) {
      if (total >= page.offset && total < end) rows.push(row);
      total += 1;
    }
    if (!isCounted && total >= end) break;
  }
  return { rows, total };
}
