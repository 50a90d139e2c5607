/** What a spreadsheet would read as a formula at the beginning of a cell (OWASP: CSV injection). */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[+-]?\d+([.,]\d+)?(e[+-]?\d+)?$/i;
/** With it, spreadsheets read the file as UTF-8. */
export const CSV_BEGIN = '\uFEFF';

/** A line of a CSV file (RFC 4180). No cell is a formula: an apostrophe makes a text of what would be one. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(value: string): string {
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
