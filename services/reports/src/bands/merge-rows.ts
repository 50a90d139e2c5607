import { ReportFailure } from '../report-failure.ts';
import { type Cell, type Fields, linkKeyOf } from './cell.ts';

/** Adds the n-th row of `more` to the n-th of `rows`; what `more` has too many is dropped. */
export async function* mergeByPosition(
  rows: AsyncGenerator<Fields>,
  more: AsyncGenerator<Fields>,
): AsyncGenerator<Fields> {
  try {
    let isMoreDone = false;
    for await (const row of rows) {
      const next: IteratorResult<Fields> | undefined = isMoreDone ? undefined : await more.next();
      isMoreDone ||= next?.done === true;
      yield next === undefined || next.done === true ? row : new Map([...row, ...next.value]);
    }
  } finally {
    await more.return(undefined);
  }
}

/**
 * Adds to each row what `more` has under the same value of the field `link`. Of several rows with one value
 * only the first receives it.
 *
 * @throws ReportFailure when a row lacks the field
 */
export async function* mergeByLink(
  rows: AsyncGenerator<Fields>,
  more: AsyncGenerator<Fields>,
  link: string,
): AsyncGenerator<Fields> {
  const byLink = new Map<string, Map<string, Cell>>();
  for await (const row of more) {
    const key = keyIn(row, link);
    if (key !== undefined) byLink.set(key, new Map([...(byLink.get(key) ?? []), ...row]));
  }
  for await (const row of rows) {
    const key = keyIn(row, link);
    const addition = key === undefined ? undefined : byLink.get(key);
    if (key === undefined || addition === undefined) yield row;
    else {
      byLink.delete(key);
      yield new Map([...row, ...addition]);
    }
  }
}

function keyIn(row: Fields, link: string): string | undefined {
  const cell = row.get(link);
  if (cell === undefined)
    throw new ReportFailure(`The field ${link}, which links the data sets of the band, is missing in a row`);
  return linkKeyOf(cell);
}
