import type { Page, RowPosition } from '@lintel/query';
import { assertAffordable, assertCountAffordable } from './assert-affordable.ts';
import { maxRowsOf } from './assert-response.ts';
import { countExactly, countRoughly, decideCount } from './count-list.ts';
import type { CountPreference } from './preferences.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { readFiltered, streamFiltered } from './read-filtered.ts';
import { enterLine, type Line, type PageOf, readPage, streamPage } from './read-line.ts';
import { withTimeBudget } from './time-budget.ts';

/** What a list answers beside its rows. */
interface ListHead {
  /** Only where it was asked for. */
  readonly total: number | undefined;
  /** How the rows were counted, where the client's preference decided that. */
  readonly appliedCount: CountPreference | undefined;
  /** Where the next page begins; absent behind a page that is not full. */
  readonly next: string | undefined;
}

export type ListAnswer =
  | ({ readonly kind: 'list'; readonly rows: readonly string[] } & ListHead)
  | ({ readonly kind: 'stream'; readonly batches: AsyncIterable<readonly string[]> } & ListHead);

type Deps = Pick<ReadDependencies, 'database' | 'statements' | 'displayIn' | 'limits'> & {
  /** Instead of the usual number: for answers that are kept. */
  readonly maxBufferedRows?: number;
};

/** Roots up to this many are answered from memory; more are streamed. */
const MAX_BUFFERED_ROWS = 1_000;

/**
 * The page of a line's list, and its count where that was asked for.
 *
 * @param seal makes the address of the next page; without it none is told
 */
export async function answerList(
  line: Line,
  page: Page,
  preferred: CountPreference | undefined,
  seal: ((end: RowPosition) => string) | undefined,
  given: Deps,
  signal: AbortSignal,
): Promise<ListAnswer> {
  const { kind: counted, applied: appliedCount } = decideCount(line, preferred);
  if (line.prepared.isLarge) await assertListAffordable(line, page, counted, given, signal);
  const nextOf = ({ end }: PageOf<unknown>): string | undefined => (end === undefined ? undefined : seal?.(end));
  // Of rows without an asked limit that may be too many, the number is found out with the stream.
  const isMeasured = !line.prepared.isFiltered && page.limit > maxRowsOf(line);
  const isStreamed = isMeasured || page.limit > (given.maxBufferedRows ?? MAX_BUFFERED_ROWS);
  const isOneStatement = counted === 'none' && !isStreamed && !line.prepared.isFiltered;
  const deps = isOneStatement
    ? given
    : { ...given, database: withTimeBudget(given.database, given.limits.timeLimitMs) };
  if (line.prepared.isFiltered && isStreamed && !hasEnd(line)) {
    const total = counted === 'exact' ? await countWhole(line, deps, signal) : undefined;
    return { kind: 'stream', appliedCount, total, batches: streamFiltered(line, page, deps, signal), next: undefined };
  }
  if (line.prepared.isFiltered) {
    const isCountedHere = counted === 'exact' && line.after === undefined;
    const read = await readFiltered(line, page, isCountedHere, deps, signal);
    const total = counted === 'exact' ? (isCountedHere ? read.total : await countWhole(line, deps, signal)) : undefined;
    return { kind: 'list', appliedCount, total, rows: read.rows, next: nextOf(read) };
  }
  let total = counted === 'exact' ? await countExactly(line, deps, signal) : undefined;
  if (isStreamed) {
    if (counted === 'estimated') total = await countRoughly(line, page, undefined, deps, signal);
    const read = await streamPage(line, page, deps, signal);
    return { kind: 'stream', appliedCount, total, batches: read.rows, next: nextOf(read) };
  }
  const read = await readPage(line, page, deps, signal);
  if (counted === 'estimated') total = await countRoughly(line, page, read.rows.length, deps, signal);
  return { kind: 'list', appliedCount, total, rows: read.rows, next: nextOf(read) };
}

/** Before the first statement is run. */
async function assertListAffordable(
  line: Line,
  page: Page,
  counted: CountPreference,
  deps: Deps,
  signal: AbortSignal,
): Promise<void> {
  await assertAffordable(line, page, deps, signal);
  if (counted !== 'exact') return;
  const isCountedWhole = line.prepared.isFiltered && line.after !== undefined;
  await assertCountAffordable(isCountedWhole ? wholeOf(line, deps) : line, deps, signal);
}

/** Whether the answer tells where the next page begins: where a limit was asked for. */
const hasEnd = ({ prepared }: Line): boolean => prepared.rows.positionColumns > 0;

/** The number of rows of the whole list, not of those behind a cursor. */
const countWhole = (line: Line, deps: Deps, signal: AbortSignal): Promise<number> =>
  countExactly(wholeOf(line, deps), deps, signal);

const wholeOf = (line: Line, deps: Deps): Line => enterLine(line.parsed, line.model, line.access, deps);
