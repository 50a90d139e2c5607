import type { Page, RowPosition } from '@lintel/query';
import { noteRead } from '../access-log/note-read.ts';
import { type PageOf, type PreparedRead, positionOf, readRows } from '../prepare/prepared-read.ts';
import { shapeRows } from '../prepare/shape-rows.ts';
import type { ReadDependencies } from '../read-dependencies.ts';
import type { JsonRow } from '../statements/execute-statement.ts';

type Deps = Pick<ReadDependencies, 'database'>;

/**
 * The page of a list whose rows are chosen by predicates, which only code can evaluate: all matching rows
 * are read through a cursor, and `offset`, `limit` and the count refer to the visible ones
 * (contract/row-policies.md#reading). Memory holds one batch and the page.
 *
 * @param isCounted reads to the end, so that `total` is the number of all visible rows
 */
export async function readFiltered(
  read: PreparedRead,
  page: Page,
  isCounted: boolean,
  deps: Deps,
  signal: AbortSignal,
): Promise<PageOf<readonly string[]> & { readonly total: number }> {
  const pageEnd = page.offset + page.limit;
  const rows: string[] = [];
  let end: RowPosition | undefined;
  let total = 0;
  if (!isCounted && page.limit === 0) return { rows, end, total };
  for await (const batch of visibleRows(read, deps, signal)) {
    for (const { row, json } of batch) {
      total += 1;
      if (total <= page.offset || total > pageEnd) continue;
      rows.push(json);
      if (total === pageEnd) end = positionOf(read, row);
    }
    if (!isCounted && total >= pageEnd) break;
  }
  await noteRead(read, rows);
  return { rows, end, total };
}

/**
 * The same, a batch at a time: for pages without a cursor of the next page, whose position is known only at the end.
 * Memory holds one batch.
 */
export async function* streamFiltered(
  read: PreparedRead,
  page: Page,
  deps: Deps,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  let before = 0;
  for await (const batch of visibleRows(read, deps, signal)) {
    const from = Math.max(page.offset - before, 0);
    const to = Math.max(page.offset + page.limit - before, 0);
    before += batch.length;
    const rows = batch.slice(from, to).map(({ json }) => json);
    await noteRead(read, rows);
    yield rows;
    if (before >= page.offset + page.limit) return;
  }
}

interface VisibleRow {
  readonly row: JsonRow;
  readonly json: string;
}

async function* visibleRows(
  read: PreparedRead,
  deps: Deps,
  signal: AbortSignal,
): AsyncGenerator<readonly VisibleRow[]> {
  for await (const batch of readRows(read, undefined, deps, signal)) {
    yield await shapeRows(read, batch, (json, row) => ({ row, json }));
  }
}
