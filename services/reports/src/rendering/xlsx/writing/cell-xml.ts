import { areaText, columnName } from '../cells/area.ts';
import { escapeXml, toCellText } from '../cells/cell-text-form.ts';
import type { SharedStringBook } from '../parts/shared-strings.ts';
import type { CellValue } from './cell-value.ts';

/** Where a cell stands, and its format. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
  readonly style: string | undefined;
}

/** A cell as the sheet's XML has it; nothing for an empty one without a format. */
export function cellXml(
  { row, column, style }: CellPosition,
  value: CellValue,
  sharedStrings: Pick<SharedStringBook, 'use'>,
): string {
  if (value.kind === 'none' && style === undefined) return '';
  const start = `<c r="${columnName(column)}${row}"${style === undefined ? '' : ` s="${style}"`}`;
  switch (value.kind) {
    case 'none':
      return `${start}/>`;
    case 'static':
      if (value.shared !== undefined) return `${start} t="s"><v>${sharedStrings.use(value.shared)}</v></c>`;
      return `${start}${value.attributes}>${value.body}</c>`;
    case 'number':
      return `${start}><v>${value.text}</v></c>`;
    case 'boolean':
      return `${start} t="b"><v>${value.value ? 1 : 0}</v></c>`;
    case 'text':
      return `${start} t="inlineStr"><is><t xml:space="preserve">${toCellText(value.text)}</t></is></c>`;
    case 'formula': {
      const array = value.array === undefined ? '' : ` t="array" ref="${areaText(value.array)}"`;
      return `${start}><f${array}>${escapeXml(value.text)}</f></c>`;
    }
    default:
      return value satisfies never;
  }
}

/** The value that is stored in a cell, as text: what a csv file made from the workbook has. */
export function storedText(value: CellValue): string {
  switch (value.kind) {
    case 'number':
    case 'text':
    case 'static':
      return value.text;
    case 'boolean':
      return value.value ? '1' : '0';
    // Nobody has calculated it yet.
    case 'formula':
    case 'none':
      return '';
    default:
      return value satisfies never;
  }
}
