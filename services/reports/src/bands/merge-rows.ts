import { ReportFailure } from '../report-failure.ts';
import { type Cell, type Fields, linkKeyOf } from './cell.ts';

/** A row of a data set and the parent row that it belongs to, by its index; in the order of the parents. */
export interface PlacedRow {
  readonly at: number;
  readonly fields: Fields;
}

/** Adds the n-th row of `more` to the n-th of `rows` of the same parent; what `more` has too many is dropped. */
export async function* mergeByPosition(
  rows: AsyncGenerator<PlacedRow>,
  more: AsyncGenerator<PlacedRow>,
): AsyncGenerator<PlacedRow> {
  try {
    let isMoreDone = false;
    let waiting: PlacedRow | undefined;
    for await (const row of rows) {
      while (!isMoreDone && (waiting === undefined || waiting.at < row.at)) {
        const next: IteratorResult<PlacedRow> = await more.next();
        if (next.done === true) isMoreDone = true;
        waiting = next.done === true ? undefined : next.value;
      }
      if (waiting?.at === row.at) {
        yield { at: row.at, fields: new Map([...row.fields, ...waiting.fields]) };
        waiting = undefined;
      } else yield row;
    }
  } finally {
    await more.return(undefined);
  }
}

/**
 * Adds to each row what `more` has for the same parent under the same value of the field `link`. Of several
 * rows with one value only the first receives it.
 *
 * @throws ReportFailure when a row lacks the field
 */
export async function* mergeByLink(
  rows: AsyncGenerator<PlacedRow>,
  more: AsyncGenerator<PlacedRow>,
  link: string,
): AsyncGenerator<PlacedRow> {
  const byLink = new Map<string, Map<string, Cell>>();
  for await (const row of more) {
    const key = keyIn(row, link);
    if (key !== undefined) byLink.set(key, new Map([...(byLink.get(key) ?? []), ...row.fields]));
  }
  for await (const row of rows) {
    const key = keyIn(row, link);
    const addition = key === undefined ? undefined : byLink.get(key);
    if (key === undefined || addition === undefined) yield row;
    else {
      byLink.delete(key);
      yield { at: row.at, fields: new Map([...row.fields, ...addition]) };
    }
  }
}

function keyIn({ at, fields }: PlacedRow, link: string): string | undefined {
  const cell = fields.get(link);
  if (cell === undefined)
    throw new ReportFailure(`The field ${link}, which links the data sets of the band, is missing in a row`);
  const key = linkKeyOf(cell);
  return key === undefined ? undefined : `${at} ${key}`;
}
