import { areaText, type CellPosition, columnName } from '../cells/area.ts';
import { escapeXml, toCellText } from '../cells/cell-text-form.ts';
import type { SharedStringBook } from '../parts/shared-strings.ts';
import type { CellValue } from './cell-value.ts';

/** The position of a cell and its format. */
export interface StyledCellPosition extends CellPosition {
  readonly style: string | undefined;
}

/** Writes a cell as XML; nothing for an empty one without a format. */
export function cellXml(
  { row, column, style }: StyledCellPosition,
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
      return `${start} t="inlineStr"><is>${value.runs?.map(runXml).join('') ?? textXml(value.text)}</is></c>`;
    case 'formula': {
      const array = value.array === undefined ? '' : ` t="array" ref="${areaText(value.array)}"`;
      return `${start}${value.metadata}><f${array}>${escapeXml(value.text)}</f></c>`;
    }
    default:
      return value satisfies never;
  }
}

const textXml = (text: string): string => `<t xml:space="preserve">${toCellText(text)}</t>`;
const runXml = ([format, text]: readonly [string, string]): string => `<r>${format}${textXml(text)}</r>`;

/** Returns the stored value of a cell as text, for CSV. */
export function storedText(value: CellValue): string {
  switch (value.kind) {
    case 'number':
    case 'text':
    case 'static':
      return value.text;
    case 'boolean':
      return value.value ? '1' : '0';
    // A formula has no value before it is calculated.
    case 'formula':
    case 'none':
      return '';
    default:
      return value satisfies never;
  }
}
