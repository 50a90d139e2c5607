import type { DatasetColumn } from '@lintel/contracts';

/** Lines of a data set that are sent together. */
export interface DatasetLines {
  readonly lines: readonly string[];
  /** Number of lines that are rows. */
  readonly rows: number;
}

/** Describes the rows that follow. */
export const columnsLine = (columns: readonly DatasetColumn[]): string => JSON.stringify({ $columns: columns });

/** The lines of rows, with the number of the parent row before its first one. */
export function createParentNumbers(): (
  rows: readonly { readonly at: number; readonly json: string }[],
) => DatasetLines {
  let current: number | undefined;
  return (rows) => {
    const lines = rows.flatMap(({ at, json }) => {
      if (at === current) return [json];
      current = at;
      return [`{"$at":${at}}`, json];
    });
    return { lines, rows: rows.length };
  };
}
