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

/** Options of the values of CSV, which has texts: dates and times in the form of ISO 8601, booleans by their texts. */
export interface CsvValues {
  /** Whether texts that a spreadsheet would read as a formula get a leading `'` (contract/decisions.md#58). */
  readonly formulaGuard: boolean;
}

export interface CsvOptions extends CsvValues {
  readonly formatter: CellFormatter;
}

/**
 * What a spreadsheet reads as the beginning of a formula: also the wide forms of the characters, and spaces that it
 * removes (OWASP: CSV injection).
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** Marks a text as text where a spreadsheet would read it as a formula. */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/**
 * Writes the header, then the columns of the template for every row: every field quoted, quotes doubled, lines ending
 * with LF.
 */
export async function* renderCsv(
  template: CsvTemplate,
  rows: AsyncIterable<CsvRow>,
  options: CsvOptions,
): AsyncGenerator<string> {
  yield csvLine(template.header, template.separator);
  for await (const row of rows)
    yield csvLine(
      template.columns.map((alias) => textOf(row, alias, options)),
      template.separator,
    );
}

/** Writes a record: every field quoted, quotes doubled. */
export const csvLine = (texts: readonly string[], separator: string): string =>
  `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator)}\n`;

function textOf({ band, fields }: CsvRow, alias: Alias, { formatter, formulaGuard }: CsvOptions): string {
  const cell = fieldOf(fields, alias.name);
  if (cell === undefined) return '';
  const text = characterOf(formatter.format(band, alias.name, cell), alias);
  return formulaGuard && isText(cell) ? guarded(text) : text;
}

/** Whether the value is text, which may contain anything. */
export const isText = (cell: Cell): boolean => cell.kind === 'text' || cell.kind === 'instance' || cell.kind === 'list';
