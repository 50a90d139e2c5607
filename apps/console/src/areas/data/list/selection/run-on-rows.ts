import { RestError } from '@lintel/client';
import { lacksReason } from '../../../../reason/send-with-reason.ts';
import { nameOfInstance } from '../../values/format-value.ts';
import { keyOfRow, type Row } from '../row.ts';

/** A row that the server has refused, and why. */
export interface Refusal {
  readonly key: string;
  readonly name: string;
  readonly error: unknown;
}

/** What has been done so far. */
export interface RowProgress {
  readonly done: number;
  readonly refused: number;
  /** The first refusals; more would be no help. */
  readonly refusals: readonly Refusal[];
}

/** How rows are written: several in one request, all or none, where there is such a request, and one alone. */
export interface RowWrites {
  many?(rows: readonly Row[]): Promise<unknown>;
  one(row: Row): Promise<unknown>;
}

interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RowProgress) => void;
}

/** Rows of one request. */
export const CHUNK = 50;
const MAX_REFUSALS = 100;

/**
 * Writes rows, each independently of the others: a request is for several rows, and where the server refuses it, the
 * rows of this request are written one by one. Ends early with the signal.
 *
 * @throws what ends the work: the network, or the login, but no refusal of a row
 */
export async function runOnRows(
  rows: Iterable<Row> | AsyncIterable<Row>,
  writes: RowWrites,
  { signal, onProgress }: RunOptions,
): Promise<RowProgress> {
  let progress: RowProgress = { done: 0, refused: 0, refusals: [] };
  const report = (next: RowProgress): void => {
    progress = next;
    onProgress(next);
  };
  for await (const chunk of chunksOf(rows)) {
    if (signal.aborted) return progress;
    if (await writeMany(chunk, writes)) {
      report({ ...progress, done: progress.done + chunk.length });
      continue;
    }
    for (const row of chunk) {
      if (signal.aborted) return progress;
      report(await writeOne(row, writes, progress));
    }
  }
  return progress;
}

/** Whether the rows were written together. */
async function writeMany(rows: readonly Row[], writes: RowWrites): Promise<boolean> {
  try {
    await writes.many?.(rows);
    return writes.many !== undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

async function writeOne(row: Row, writes: RowWrites, progress: RowProgress): Promise<RowProgress> {
  try {
    await writes.one(row);
    return { ...progress, done: progress.done + 1 };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const refusal = { key: keyOfRow(row) ?? '', name: nameOfInstance(row), error };
    return {
      ...progress,
      refused: progress.refused + 1,
      refusals: [...progress.refusals, refusal].slice(0, MAX_REFUSALS),
    };
  }
}

/** A refusal of the values or of the row; without a login or a reason, or with too many requests, all rows have the same. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RestError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 429].includes(error.status) &&
  !lacksReason(error);

/** Rows in groups. */
export async function* chunksOf(
  rows: Iterable<Row> | AsyncIterable<Row>,
  size = CHUNK,
): AsyncGenerator<readonly Row[]> {
  let chunk: Row[] = [];
  for await (const row of rows) {
    chunk.push(row);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
