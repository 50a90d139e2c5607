import type { ResolvedPath } from '@lintel/react';
import { valueAt } from '@lintel/react';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { type Formats, formatValue } from '../../../values/format-value.ts';
import { valueKindOf } from '../../../values/value-kind.ts';
import type { RowFile } from '../file-of-rows.ts';
import { partsOf, SHEET_END, sheetBegin } from './workbook-parts.ts';
import { columnName, xlsxCell } from './xlsx-cell.ts';

/** Rows of a workbook; as of reports that are not streamed (`svc.reports.xlsx-max-rows`). */
export const MAX_XLSX_ROWS = 200_000;

interface XlsxOptions extends Formats {
  readonly columns: readonly ResolvedPath[];
  /** The caption of the entity. */
  readonly sheet: string;
  readonly isRightToLeft: boolean;
}

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A workbook of rows: captions first, then a row for each one. It is compressed while it grows. */
export function xlsxOfRows({ columns, sheet, isRightToLeft, ...formats }: XlsxOptions): RowFile {
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  });
  const addPart = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name, { level: 6 });
    zip.add(part);
    return part;
  };
  for (const [name, content] of Object.entries(partsOf(sheet))) addPart(name).push(strToU8(content), true);
  const part = addPart('xl/worksheets/sheet1.xml');
  const described = columns.map((column, at) => ({
    ...column,
    kind: valueKindOf(column.attribute),
    name: columnName(at),
  }));
  let lines = [sheetBegin(columns, isRightToLeft)];
  let number = 1;
  return {
    add(row) {
      number += 1;
      const cells = described.map(({ path, attribute, kind, name }) => {
        const value = valueAt(row, path);
        return xlsxCell(`${name}${number}`, value, kind, () =>
          kind === 'number' || kind === 'date' || kind === 'dateTime' || kind === 'time'
            ? plainText(value)
            : formatValue(value, attribute, formats),
        );
      });
      lines.push(`<row r="${number}">${cells.join('')}</row>`);
    },
    flush() {
      part.push(strToU8(lines.join('')));
      lines = [];
      parts.push(new Blob(chunks));
      chunks = [];
    },
    finish() {
      part.push(strToU8(SHEET_END), true);
      zip.end();
      return new Blob([...parts, ...chunks], { type: TYPE });
    },
  };
}

/** Values that a cell cannot have exactly are as in the API. */
const plainText = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : String(value));
