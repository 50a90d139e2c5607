import type { Page, RowPosition } from '@lintel/query';
import { assertAffordable, assertCountAffordable } from '../limits/assert-affordable.ts';
import { withTimeBudget } from '../limits/time-budget.ts';
import type { CountPreference } from '../preferences.ts';
import { type ExportedTable, exportedTable } from '../prepare/exported-table.ts';
import {
  inForm,
  type PageOf,
  type PreparedRead,
  prepareRead,
  type RowBatch,
  readPage,
  streamPage,
} from '../prepare/prepared-read.ts';
import type { ReadDependencies } from '../read-dependencies.ts';
import { maxRowsOf } from '../statements/assert-response.ts';
import { countExactly, countRoughly, decideCount } from './count-list.ts';
import { readFiltered, streamFiltered } from './read-filtered.ts';

/** The result of a list without its rows. */
interface ListHead {
  /** Only if the client requests it. */
  readonly total: number | undefined;
  /** How the rows were counted, if the preference of the client decided that. */
  readonly appliedCount: CountPreference | undefined;
  /** The cursor of the next page; absent after a page that is not full. */
  readonly next: string | undefined;
  /** Number of matches that are ranked at most. */
  readonly candidates?: number;
}

export type ListResult =
  | ({ readonly kind: 'list'; readonly rows: readonly string[] } & ListHead)
  | ({
      readonly kind: 'stream';
      readonly batches: AsyncIterable<RowBatch>;
      /** The rows are lines of CSV, or JSON; NDJSON has no columns. */
      readonly exported?: ExportedTable;
    } & ListHead);

type Deps = Pick<ReadDependencies, 'database' | 'statements' | 'displayIn' | 'limits' | 'exportAs'> & {
  /** Replaces `MAX_BUFFERED_ROWS`, for results that are cached. */
  readonly maxBufferedRows?: number;
};

/** A page with a greater limit is streamed. */
const MAX_BUFFERED_ROWS = 1_000;

/**
 * Executes a list: reads the page, and counts all rows if the client wants the number. The cost of a large statement
 * is checked first.
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
  const { isFiltered, isLarge } = read.compiled;
  const { kind: counted, applied: appliedCount } = decideCount(read, preferred);
  if (isLarge) await assertListAffordable(read, page, counted, given, signal);
  const isStreamed = isStreamedPage(read, page, given);
  const deps = isFiltered || isStreamed || counted !== 'none' ? withSharedTime(given) : given;
  const nextOf = ({ end }: PageOf<unknown>): string | undefined => (end === undefined ? undefined : encodeEnd?.(end));
  const list: List = { read, page, counted, appliedCount, nextOf };
  const { exportAs } = given;
  if (exportAs !== undefined) {
    const streamed = await (isFiltered ? streamFilteredList(list, deps, signal) : streamList(list, deps, signal));
    return { ...streamed, exported: exportedTable(read, exportAs, given) };
  }
  if (isFiltered && isStreamed && !hasEnd(read)) return streamFilteredList(list, deps, signal);
  if (isFiltered) return readFilteredList(list, deps, signal);
  return isStreamed ? streamList(list, deps, signal) : readList(list, deps, signal);
}

/** Whether the rows are read through a database cursor: a long page, or one that may have too many objects. */
function isStreamedPage(
  read: PreparedRead,
  page: Page,
  { exportAs, maxBufferedRows = MAX_BUFFERED_ROWS }: Deps,
): boolean {
  // Without a limit of the client there may be too many rows: the stream counts them.
  const isMeasured = !read.compiled.isFiltered && page.limit > maxRowsOf(read);
  return exportAs !== undefined || isMeasured || page.limit > maxBufferedRows;
}

/** All statements of the request share its time limit. */
const withSharedTime = (deps: Deps): Deps => ({
  ...deps,
  database: withTimeBudget(deps.database, deps.limits.timeLimitMs),
});

/** A list that is to be read. */
interface List extends Pick<ListHead, 'appliedCount'> {
  readonly read: PreparedRead;
  readonly page: Page;
  readonly counted: CountPreference;
  /** The cursor of the page after the one that was read. */
  readonly nextOf: (found: PageOf<unknown>) => string | undefined;
}

type StreamedList = Extract<ListResult, { kind: 'stream' }>;

async function streamFilteredList(list: List, deps: Deps, signal: AbortSignal): Promise<StreamedList> {
  const { read, page, counted, appliedCount } = list;
  const total = counted === 'exact' ? await countWhole(read, deps, signal) : undefined;
  const batches = inForm(read, streamFiltered(read, page, deps, signal), deps);
  return { kind: 'stream', appliedCount, total, batches, next: undefined };
}

async function readFilteredList(list: List, deps: Deps, signal: AbortSignal): Promise<ListResult> {
  const { read, page, counted, appliedCount, nextOf } = list;
  // The first page is read from the start of the list, so its rows are counted meanwhile.
  const isCountedHere = counted === 'exact' && read.after === undefined;
  const found = await readFiltered(read, page, isCountedHere, deps, signal);
  const countRows = async () => (isCountedHere ? found.total : await countWhole(read, deps, signal));
  const total = counted === 'exact' ? await countRows() : undefined;
  return { kind: 'list', appliedCount, total, rows: found.rows, next: nextOf(found) };
}

async function streamList(list: List, deps: Deps, signal: AbortSignal): Promise<StreamedList> {
  const { read, page, counted, appliedCount, nextOf } = list;
  let total = counted === 'exact' ? await countExactly(read, deps, signal) : undefined;
  if (counted === 'estimated') total = await countRoughly(read, page, undefined, deps, signal);
  const found = await streamPage(read, page, deps, signal);
  return { kind: 'stream', appliedCount, total, batches: found.rows, next: nextOf(found) };
}

async function readList(list: List, deps: Deps, signal: AbortSignal): Promise<ListResult> {
  const { read, page, counted, appliedCount, nextOf } = list;
  let total = counted === 'exact' ? await countExactly(read, deps, signal) : undefined;
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
