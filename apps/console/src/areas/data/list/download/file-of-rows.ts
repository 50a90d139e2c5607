import type { Row } from '../row.ts';

/** A file that is made row by row. */
export interface RowFile {
  add(row: Row): void;
  /** Puts what was added together, so that the browser may keep it outside of its memory. */
  flush(): void;
  finish(): Blob;
}

interface FileOptions {
  readonly signal: AbortSignal;
  /** Called with the number of rows that have been read. */
  readonly onProgress: (rows: number) => void;
  /** More rows are an error. */
  readonly maxRows?: number | undefined;
}

/** There are more rows than a file may have. */
export class TooManyRowsError extends Error {
  readonly maxRows: number;

  constructor(maxRows: number) {
    super(`There are more than ${maxRows} rows`);
    this.maxRows = maxRows;
  }
}

const ROWS_OF_PART = 1_000;

/**
 * Reads rows into a file; undefined if the signal has ended it.
 *
 * @throws TooManyRowsError
 */
export async function fileOfRows(
  rows: AsyncIterable<Row>,
  file: RowFile,
  { signal, onProgress, maxRows = Number.POSITIVE_INFINITY }: FileOptions,
): Promise<Blob | undefined> {
  let count = 0;
  for await (const row of rows) {
    if (signal.aborted) return undefined;
    if (count === maxRows) throw new TooManyRowsError(maxRows);
    file.add(row);
    count += 1;
    if (count % ROWS_OF_PART === 0) {
      file.flush();
      onProgress(count);
    }
  }
  if (signal.aborted) return undefined;
  file.flush();
  onProgress(count);
  return file.finish();
}
