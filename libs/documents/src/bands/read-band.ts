import type { ReportBand, ReportDataSet } from '@lintel/application';
import type { BandContext } from './band-context.ts';
import { type BandData, rootBand } from './band-data.ts';
import type { Fields } from './cell.ts';
import { readDataSet } from './data-sets/read-data-set.ts';
import { addByLink, addByPosition, type PlacedRow } from './merge-rows.ts';

/** One row of a band, before its child bands are read. */
export interface BandRow {
  /** Index of its parent row. */
  readonly at: number;
  readonly fields: Fields;
  /** Represents missing rows; has no fields. */
  readonly isPlaceholder: boolean;
}

type Sets = Pick<ReportBand, 'name' | 'dataSets'>;

/**
 * Reads the rows of a band for each parent row (contract/report-data.md#data), one by one, in the order of the parents.
 * A data set is read once for all parents where that is possible.
 *
 * @param parents for each parent row the fields of its ancestors, as `<Band>.<field>`
 * @param isFirstOnly the caller needs only the first row
 */
export async function* readBand(
  band: Sets,
  context: BandContext,
  parents: readonly Fields[],
  isFirstOnly = false,
): AsyncGenerator<BandRow> {
  const [first, ...others] = band.dataSets ?? [];
  if (first === undefined) {
    for (const at of parents.keys()) yield { at, fields: context.parameterFields, isPlaceholder: false };
    return;
  }
  const ofFirst = counted(readDataSet(band.name, first, context, parents), context);
  const rows =
    others.length === 0
      ? ofFirst
      : mergeSets(ofFirst, { band: band.name, others, maxRows: isFirstOnly ? 1 : Infinity }, context, parents);
  let next = 0;
  for await (const { at, fields } of abortable(rows, context.signal)) {
    if (context.putEmptyRow) for (; next < at; next += 1) yield placeholder(next);
    next = at + 1;
    yield { at, fields, isPlaceholder: false };
  }
  if (context.putEmptyRow) for (; next < parents.length; next += 1) yield placeholder(next);
}

async function* counted(rows: AsyncGenerator<PlacedRow>, { countRow }: BandContext): AsyncGenerator<PlacedRow> {
  for await (const row of rows) {
    countRow?.();
    yield row;
  }
}

/**
 * Adds the rows of the other data sets to those of the first one. Each data set is read to its end before the next one:
 * a read uses a connection to the database, and runs that use one and wait for another could deadlock.
 */
async function* mergeSets(
  ofFirst: AsyncGenerator<PlacedRow>,
  {
    band,
    others,
    maxRows,
  }: { readonly band: string; readonly others: readonly ReportDataSet[]; readonly maxRows: number },
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  const rows: PlacedRow[] = [];
  for await (const row of ofFirst) {
    rows.push(row);
    if (rows.length === maxRows) break;
  }
  for (const set of rows.length === 0 ? [] : others) {
    const more = readDataSet(band, set, context, parents);
    await (set.link === undefined ? addByPosition(rows, more) : addByLink(rows, more, set.link));
  }
  yield* rows;
}

/** Represents the missing rows of a parent row. */
export const placeholder = (at: number): BandRow => ({ at, fields: new Map(), isPlaceholder: true });

/** Reads the root of a report: all parameters by alias, and the first row of the root's data sets. */
export async function readRoot(dataSets: Sets['dataSets'], context: BandContext): Promise<BandData> {
  const root = rootBand(context.parameterFields);
  if (dataSets === undefined || dataSets.length === 0) return root;
  const sets = { name: root.name, dataSets };
  for await (const row of readBand(sets, context, [new Map()], true))
    return rootBand(new Map([...root.data, ...row.fields]));
  return root;
}

/**
 * Yields the values of a source until the signal aborts, then throws its reason, even while the source waits:
 * application code does not have to check the signal.
 */
async function* abortable<T>(source: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  // One promise per value: `Promise.race` against a single promise would keep every value in memory.
  let rejectNext: ((reason: unknown) => void) | undefined;
  const abort = (): void => rejectNext?.(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        rejectNext = reject;
        source.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: where the source hangs, its end would hang as well.
    source.return(undefined).catch(() => undefined);
  }
}
