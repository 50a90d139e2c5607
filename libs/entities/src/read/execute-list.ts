import type { Page, RowPosition } from '@lintel/query';
import { assertAffordable, assertCountAffordable } from './assert-affordable.ts';
import { maxRowsOf } from './assert-response.ts';
import { countExactly, countRoughly, decideCount } from './count-list.ts';
import type { CountPreference } from './preferences.ts';
import { type PageOf, type PreparedRead, prepareRead, readPage, streamPage } from './prepared-read.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { readFiltered, streamFiltered } from './read-filtered.ts';
import { withTimeBudget } from './time-budget.ts';

/** The result of a list without its rows. */
interface ListHead {
  /** Only if the client requests it. */
  readonly total: number | undefined;
  /** How the rows were counted, if the preference of the client decided that. */
  readonly appliedCount: CountPreference | undefined;
  /** The cursor of the next page; absent after a page that is not full. */
  readonly next: string | undefined;
}

export type ListResult =
  | ({ readonly kind: 'list'; readonly rows: readonly string[] } & ListHead)
  | ({ readonly kind: 'stream'; readonly batches: AsyncIterable<readonly string[]> } & ListHead);

type Deps = Pick<ReadDependencies, 'database' | 'statements' | 'displayIn' | 'limits'> & {
  /** Replaces `MAX_BUFFERED_ROWS`, for results that are cached. */
  readonly maxBufferedRows?: number;
};

/** A page of more rows is streamed. */
const MAX_BUFFERED_ROWS = 1_000;

/**
 * Executes a list: reads the page, and counts all rows if the client requests the number.
 *
 * @param encodeEnd creates the cursor of the next page; without it the response has no cursor
 */
export async function executeList(
  read: PreparedRead,
  page: Page,
  preferred: CountPreference | undefined,
  encodeEnd: ((end: RowPosition) => string) | undefined,
  given: Deps,
  signal: AbortSignal,
): Promise<ListResult> {
  const { kind: counted, applied: appliedCount } = decideCount(read, preferred);
  if (read.compiled.isLarge) await assertListAffordable(read, page, counted, given, signal);
  const nextOf = ({ end }: PageOf<unknown>): string | undefined => (end === undefined ? undefined : encodeEnd?.(end));
  // Without a limit of the client there may be too many rows: the stream finds out.
  const isMeasured = !read.compiled.isFiltered && page.limit > maxRowsOf(read);
  const isStreamed = isMeasured || page.limit > (given.maxBufferedRows ?? MAX_BUFFERED_ROWS);
  const isOneStatement = counted === 'none' && !isStreamed && !read.compiled.isFiltered;
  const deps = isOneStatement
    ? given
    : { ...given, database: withTimeBudget(given.database, given.limits.timeLimitMs) };
  if (read.compiled.isFiltered && isStreamed && !hasEnd(read)) {
    const total = counted === 'exact' ? await countWhole(read, deps, signal) : undefined;
    return { kind: 'stream', appliedCount, total, batches: streamFiltered(read, page, deps, signal), next: undefined };
  }
  if (read.compiled.isFiltered) {
    const isCountedHere = counted === 'exact' && read.after === undefined;
    const found = await readFiltered(read, page, isCountedHere, deps, signal);
    const total =
      counted === 'exact' ? (isCountedHere ? found.total : await countWhole(read, deps, signal)) : undefined;
    return { kind: 'list', appliedCount, total, rows: found.rows, next: nextOf(found) };
  }
  let total = counted === 'exact' ? await countExactly(read, deps, signal) : undefined;
  if (isStreamed) {
    if (counted === 'estimated') total = await countRoughly(read, page, undefined, deps, signal);
    const found = await streamPage(read, page, deps, signal);
    return { kind: 'stream', appliedCount, total, batches: found.rows, next: nextOf(found) };
  }
  const found = await readPage(read, page, deps, signal);
  if (counted === 'estimated') total = await countRoughly(read, page, found.rows.length, deps, signal);
  return { kind: 'list', appliedCount, total, rows: found.rows, next: nextOf(found) };
}

/** Checks the cost of the page and of the count before the first statement runs. */
async function assertListAffordable(
  read: PreparedRead,
  page: Page,
  counted: CountPreference,
  deps: Deps,
  signal: AbortSignal,
): Promise<void> {
  await assertAffordable(read, page, deps, signal);
  if (counted !== 'exact') return;
  const isCountedWhole = read.compiled.isFiltered && read.after !== undefined;
  await assertCountAffordable(isCountedWhole ? wholeOf(read, deps) : read, deps, signal);
}

/**
 * Whether the rows have positions, from which the cursor of the next page is created: only if the client sets a limit.
 */
const hasEnd = ({ compiled }: PreparedRead): boolean => compiled.rows.positionColumns > 0;

/** The number of rows of the whole list, not only of those after the cursor. */
const countWhole = (read: PreparedRead, deps: Deps, signal: AbortSignal): Promise<number> =>
  countExactly(wholeOf(read, deps), deps, signal);

const wholeOf = (read: PreparedRead, deps: Deps): PreparedRead =>
  prepareRead(read.parsed, read.model, read.access, deps);
