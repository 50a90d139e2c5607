import type { EnumInfo } from '@lintel/client';
import { type ResolvedPath, valueAt } from '@lintel/react';
import type { Text } from '../../../../language/create-text.ts';
import { formatValue } from '../../values/format-value.ts';
import { valueKindOf } from '../../values/value-kind.ts';
import type { Row } from '../row.ts';
import { CSV_BEGIN, csvLine } from './csv.ts';

interface CsvOptions {
  readonly columns: readonly ResolvedPath[];
  readonly text: Text;
  readonly enums: ReadonlyMap<string, EnumInfo>;
  readonly signal: AbortSignal;
  /** Called with the number of rows that have been read. */
  readonly onProgress: (rows: number) => void;
}

/** Rows are put together in parts, which the browser may keep outside of its memory. */
const ROWS_OF_PART = 1_000;

/**
 * A CSV file of rows: captions first, then a line for each row. Numbers, dates and times are as in the API, with a dot
 * and in the order of ISO 8601; enums and references are texts. Undefined if the signal has ended it.
 */
export async function csvOfRows(
  rows: AsyncIterable<Row>,
  { columns, text, enums, signal, onProgress }: CsvOptions,
): Promise<Blob | undefined> {
  const parts: Blob[] = [];
  let lines = [CSV_BEGIN, csvLine(columns.map(({ caption }) => caption))];
  let count = 0;
  const finishPart = (): void => {
    parts.push(new Blob(lines));
    lines = [];
    onProgress(count);
  };
  for await (const row of rows) {
    if (signal.aborted) return undefined;
    lines.push(csvLine(columns.map((column) => textOf(row, column, text, enums))));
    count += 1;
    if (count % ROWS_OF_PART === 0) finishPart();
  }
  if (signal.aborted) return undefined;
  finishPart();
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

function textOf(row: Row, { path, attribute }: ResolvedPath, text: Text, enums: CsvOptions['enums']): string {
  const value = valueAt(row, path);
  if (value === undefined || value === null) return '';
  const isFormatted = ['boolean', 'enum', 'reference'].includes(valueKindOf(attribute)) || typeof value === 'object';
  return isFormatted ? formatValue(value, attribute, { locale: 'en', text, enums }) : String(value);
}
