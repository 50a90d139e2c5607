import { stringify } from 'csv-stringify/sync';
import type { Cell, Fields } from '../../bands/cell.ts';
import { fieldOf } from '../../bands/field-of.ts';
import { type Alias, characterOf } from '../aliases.ts';
import type { CellFormatter } from '../formats/format-cell.ts';
import type { CsvTemplate } from './parse-csv-template.ts';

/** A row of a first-level band that is no placeholder. */
export interface CsvRow {
  readonly band: string;
  readonly fields: Fields;
}

export interface CsvOptions {
  readonly formatter: CellFormatter;
  /** Whether texts that a spreadsheet would read as a formula get a leading `'` (contract/decisions.md#58). */
  readonly formulaGuard: boolean;
}

/**
 * What a spreadsheet reads as the beginning of a formula: also the wide forms of the characters, and spaces that it
 * removes (OWASP: CSV injection).
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** Marks a text as text where a spreadsheet would read it as a formula. */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Rows of one piece of output. */
const BATCH_ROWS = 500;

/**
 * Writes the header, then the columns of the template for every row: every field quoted, quotes doubled, lines ending
 * with LF.
 */
export async function* renderCsv(
  template: CsvTemplate,
  rows: AsyncIterable<CsvRow>,
  options: CsvOptions,
): AsyncGenerator<string> {
  let batch: (readonly string[])[] = [template.header];
  for await (const row of rows) {
    batch.push(template.columns.map((alias) => textOf(row, alias, options)));
    if (batch.length >= BATCH_ROWS) {
      yield write(batch, template);
      batch = [];
    }
  }
  if (batch.length > 0) yield write(batch, template);
}

function textOf({ band, fields }: CsvRow, alias: Alias, { formatter, formulaGuard }: CsvOptions): string {
  const cell = fieldOf(fields, alias.name);
  if (cell === undefined) return '';
  const text = characterOf(formatter.format(band, alias.name, cell), alias);
  return formulaGuard && isText(cell) ? guarded(text) : text;
}

/** Whether the value is text, which may contain anything. */
export const isText = (cell: Cell): boolean => cell.kind === 'text' || cell.kind === 'instance' || cell.kind === 'list';

const write = (records: readonly (readonly string[])[], template: CsvTemplate): string =>
  stringify(records as string[][], {
    delimiter: template.separator,
    quoted: true,
    quoted_empty: true,
    record_delimiter: '\n',
  });
