import type { ValueKind } from '../../../values/value-kind.ts';

/** Formats of cells: their positions in `cellXfs` of the workbook. */
export const CELL_STYLES = { general: 0, caption: 1, date: 2, dateTime: 3, time: 4, textLikeFormula: 5 } as const;

/** Characters of a cell. */
const MAX_CHARACTERS = 32_767;
/** A spreadsheet calculates with so many digits; a longer number would lose the others. */
const MAX_DIGITS = 15;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?$/;
const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
/** Day 0 of spreadsheets, for days after February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Spreadsheets count a 29 February 1900, which did not exist: earlier days have different numbers in different ones. */
const FIRST_DAY = 61;

/**
 * A cell of a sheet. Numbers, booleans, dates and times are values that a spreadsheet calculates with, where it can
 * do so exactly; everything else is a text, never a formula.
 *
 * @param value as the API has it
 * @param text the value as a text, where it is one
 */
export function xlsxCell(reference: string, value: unknown, kind: ValueKind, text: () => string): string {
  if (value === undefined || value === null || value === '') return '';
  const found = Array.isArray(value) || typeof value === 'object' ? undefined : valueCell(String(value), kind);
  return found === undefined ? textCell(reference, text()) : `<c r="${reference}"${found}</c>`;
}

/** A cell with a text. */
export function textCell(reference: string, text: string, style?: number): string {
  if (text === '') return '';
  const used = style ?? (/^[=+\-@]/.test(text) ? CELL_STYLES.textLikeFormula : CELL_STYLES.general);
  const short = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
  return `<c r="${reference}" s="${used}" t="inlineStr"><is><t xml:space="preserve">${xmlText(short)}</t></is></c>`;
}

/** The name of a column: A, B, … Z, AA. */
export function columnName(index: number): string {
  const rest = String.fromCharCode(65 + (index % 26));
  return index < 26 ? rest : `${columnName(Math.floor(index / 26) - 1)}${rest}`;
}

/** A text in XML. What XML cannot have is escaped as in OOXML: `_x0007_`. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot have
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uFFFE\uFFFF]/g, escaped)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const escaped = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** The attributes and the content of a cell, from the style on; undefined for what is a text. */
function valueCell(value: string, kind: ValueKind): string | undefined {
  switch (kind) {
    case 'number':
      return isExact(value) ? `><v>${value}</v>` : undefined;
    case 'boolean':
      return ` t="b"><v>${value === 'true' ? 1 : 0}</v>`;
    case 'date':
      return dayCell(dayOf(value), CELL_STYLES.date);
    case 'dateTime':
      return dayCell(momentOf(value), CELL_STYLES.dateTime);
    case 'time':
      return dayCell(timeOf(value), CELL_STYLES.time);
    default:
      return undefined;
  }
}

const dayCell = (day: number | undefined, style: number): string | undefined =>
  day === undefined ? undefined : ` s="${style}"><v>${day}</v>`;

function isExact(value: string): boolean {
  if (!NUMBER.test(value)) return false;
  const [mantissa = ''] = value.toLowerCase().split('e');
  const digits = mantissa.replace(/^-/, '').replace('.', '').replace(/^0+/, '');
  const significant = mantissa.includes('.') ? digits : digits.replace(/0+$/, '');
  return significant.length <= MAX_DIGITS && Number.isFinite(Number(value));
}

function dayOf(date: string): number | undefined {
  if (!DATE.test(date)) return undefined;
  const number = (Date.parse(`${date}T00:00:00Z`) - EPOCH_MS) / DAY_MS;
  return number >= FIRST_DAY ? number : undefined;
}

function momentOf(moment: string): number | undefined {
  const [, date = '', time = ''] = DATE_TIME.exec(moment) ?? [];
  const [day, part] = [dayOf(date), timeOf(time)];
  return day === undefined || part === undefined ? undefined : day + part;
}

function timeOf(time: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = TIME.exec(time) ?? [];
  if (hours === undefined) return undefined;
  return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) / DAY_SECONDS;
}
