import type { EnumInfo } from '@lintel/client';
import { type ResolvedPath, valueAt } from '@lintel/react';
import { CSV_BEGIN, csvLine } from '../../../../downloads/csv.ts';
import type { Text } from '../../../../language/create-text.ts';
import { formatValue } from '../../values/format-value.ts';
import { valueKindOf } from '../../values/value-kind.ts';
import type { Row } from '../row.ts';
import type { RowFile } from './file-of-rows.ts';

interface CsvOptions {
  readonly columns: readonly ResolvedPath[];
  readonly text: Text;
  readonly enums: ReadonlyMap<string, EnumInfo>;
}

/**
 * A CSV file of rows: captions first, then a line for each row. Numbers, dates and times are as in the API, with a dot
 * and in the order of ISO 8601; enums and references are texts.
 */
export function csvOfRows({ columns, text, enums }: CsvOptions): RowFile {
  const parts: Blob[] = [];
  let lines = [CSV_BEGIN, csvLine(columns.map(({ caption }) => caption))];
  return {
    add: (row) => lines.push(csvLine(columns.map((column) => textOf(row, column, text, enums)))),
    flush() {
      parts.push(new Blob(lines));
      lines = [];
    },
    finish: () => new Blob(parts, { type: 'text/csv;charset=utf-8' }),
  };
}

function textOf(row: Row, { path, attribute }: ResolvedPath, text: Text, enums: CsvOptions['enums']): string {
  const value = valueAt(row, path);
  if (value === undefined || value === null) return '';
  const isFormatted = ['boolean', 'enum', 'reference'].includes(valueKindOf(attribute)) || typeof value === 'object';
  return isFormatted ? formatValue(value, attribute, { locale: 'en', text, enums }) : String(value);
}
