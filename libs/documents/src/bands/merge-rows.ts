import { ReportFailure } from '../report-failure.ts';
import { type Fields, linkKeyOf } from './cell.ts';
import { fieldOf } from './field-of.ts';

/** A row of a data set and the index of its parent row; rows are in the order of the parents. */
export interface PlacedRow {
  readonly at: number;
  readonly fields: Fields;
}

/**
 * Adds the n-th row of `more` to the n-th of `rows` of the same parent. Extra rows of `more` are dropped; reading stops
 * when no row is left to extend.
 */
export async function addByPosition(rows: PlacedRow[], more: AsyncIterable<PlacedRow>): Promise<void> {
  let next = 0;
  for await (const { at, fields } of more) {
    while (next < rows.length && (rows[next] as PlacedRow).at < at) next += 1;
    const row = rows[next];
    if (row === undefined) return;
    if (row.at > at) continue;
    rows[next] = withFields(row, fields);
    next += 1;
    if (next === rows.length) return;
  }
}

/**
 * Adds to each row the row of `more` with the same parent and the same value of the field `link`. Of several rows with
 * the same value only the first one is extended.
 *
 * @throws ReportFailure when a row lacks the field
 */
export async function addByLink(rows: PlacedRow[], more: AsyncIterable<PlacedRow>, link: string): Promise<void> {
  const indexes = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const key = keyIn(row, link);
    if (key !== undefined && !indexes.has(key)) indexes.set(key, index);
  }
  for await (const addition of more) {
    const key = keyIn(addition, link);
    const index = key === undefined ? undefined : indexes.get(key);
    if (index !== undefined) rows[index] = withFields(rows[index] as PlacedRow, addition.fields);
  }
}

const withFields = ({ at, fields }: PlacedRow, more: Fields): PlacedRow => ({
  at,
  fields: new Map([...fields, ...more]),
});

function keyIn({ at, fields }: PlacedRow, link: string): string | undefined {
  const cell = fieldOf(fields, link);
  if (cell === undefined)
    throw new ReportFailure(`The field ${link}, which links the data sets of the band, is missing in a row`);
  const key = linkKeyOf(cell);
  return key === undefined ? undefined : `${at} ${key}`;
}
