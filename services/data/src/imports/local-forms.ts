import { shortened } from '@lintel/errors';
import type { ImportColumn } from './map-columns.ts';

/** How numbers and dates of a file are written; the form of the API without them (contract/imports.md#local-forms). */
export interface LocalForms {
  /** Between the integer part and the fraction. */
  readonly decimal?: '.' | ',' | undefined;
  /** The order of days and months in dates that begin with neither a year. */
  readonly dateOrder?: 'dmy' | 'mdy' | undefined;
}

/** Separators of groups besides point and comma: blanks (French, Swedish) and apostrophes (Swiss). */
const GROUPS = /(?<=\d)[ \u00A0\u202F'’](?=\d)/g;
const WITH_POINT = /^\d+\.\d+$|^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/;
const WITH_COMMA = /^\d+,(?:\d{1,2}|\d{4,})$|^\d{4,},\d+$|^0,\d+$|^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/;
/** One point before three digits is the form of the API, one comma is either. */
const UNCLEAR_NUMBER = /^\d{1,3},\d{3}$/;
const UNCLEAR_POINT = /^[1-9]\d{0,2}\.\d{3}$/;
const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T]+(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?))?$/;
const YEAR_FIRST = /^(\d{4})(?:[-./](\d{1,2})[-./](\d{1,2})|(\d\d)(\d\d))(?:[ T]+(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?))?$/;

/** Looks at the cells of a file, and finds the forms that are not given. */
export interface FormFinder {
  look(column: ImportColumn, cell: string): void;
  /** The forms, or why they are not clear: a sentence about a column. */
  found(): { readonly forms: LocalForms; readonly mistake: string | undefined };
}

/** Finds forms by cells that have one meaning alone. */
export function createFormFinder(given: LocalForms): FormFinder {
  const seen = { '.': '', ',': '', dmy: '', mdy: '' };
  let unclearNumber = '';
  let unclearDate = '';
  const chosen = <T extends keyof typeof seen>(one: T, other: T): T | undefined =>
    seen[one] !== '' ? one : seen[other] !== '' ? other : undefined;
  return {
    look(column, cell) {
      const where = `'${shortened(cell)}' in column '${column.column}'`;
      if (column.isNumber === true) {
        const digits = unsigned(cell);
        if (WITH_COMMA.test(digits)) seen[','] ||= where;
        // A point before three digits may separate groups, where another cell has a comma.
        else if (WITH_POINT.test(digits) && !UNCLEAR_POINT.test(digits)) seen['.'] ||= where;
        else if (UNCLEAR_NUMBER.test(digits)) {
          if (column.isInteger === true) seen['.'] ||= where;
          else unclearNumber ||= where;
        }
      } else if (column.temporal === 'date' || column.temporal === 'dateTime') {
        const [, first, separator, second] = DATE.exec(cell.trim()) ?? [];
        if (separator === undefined) return;
        if (separator === '.' || Number(first) > 12) seen.dmy ||= where;
        else if (Number(second) > 12) seen.mdy ||= where;
        else if (first !== second) unclearDate ||= where;
      }
    },
    found() {
      const decimal = given.decimal ?? chosen('.', ',');
      const dateOrder = given.dateOrder ?? chosen('dmy', 'mdy');
      const forms = { decimal, dateOrder };
      if (given.decimal === undefined && seen['.'] !== '' && seen[','] !== '')
        return { forms, mistake: `${seen['.']} has a decimal point, ${seen[',']} a decimal comma: ${CHOOSE_DECIMAL}` };
      if (decimal === undefined && unclearNumber !== '')
        return { forms, mistake: `${unclearNumber} may be a fraction or thousands: ${CHOOSE_DECIMAL}` };
      if (given.dateOrder === undefined && seen.dmy !== '' && seen.mdy !== '')
        return { forms, mistake: `${seen.dmy} begins with the day, ${seen.mdy} with the month: ${CHOOSE_ORDER}` };
      if (dateOrder === undefined && unclearDate !== '')
        return { forms, mistake: `${unclearDate} may begin with the day or the month: ${CHOOSE_ORDER}` };
      return { forms, mistake: undefined };
    },
  };
}

const CHOOSE_DECIMAL = "the parameter 'decimal' names the sign";
const CHOOSE_ORDER = "the parameter 'dateOrder' is dmy or mdy";

/** Without sign, also after the number (SAP), and separators of groups; with a digit before the fraction. */
const unsigned = (cell: string): string =>
  cell
    .trim()
    .replace(/^[-+]|-$/g, '')
    .replace(/^(?=[.,]\d)/, '0')
    .replaceAll(GROUPS, '');

/** The text of a number, date or boolean in the form of the API; another text stays, and is refused where it is parsed. */
export function exactCell(column: ImportColumn, cell: string, { decimal, dateOrder }: LocalForms): string {
  const text = cell.trim();
  if (column.isNumber === true) return exactNumber(text, decimal);
  if (column.temporal === 'date' || column.temporal === 'dateTime') return exactDate(text, column.temporal, dateOrder);
  if (column.temporal === 'time') return text.replace(/^\d:/, '0$&');
  return column.isBoolean === true ? (BOOLEANS.get(text.toLowerCase()) ?? text) : text;
}

/** Texts that exports in a language and spreadsheets have. */
const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ...['true', 't', '1', 'ja', 'wahr', 'yes', 'y', '是'].map((text) => [text, 'true'] as const),
  ...['false', 'f', '0', 'nein', 'falsch', 'no', 'n', '否'].map((text) => [text, 'false'] as const),
]);

function exactNumber(text: string, decimal: LocalForms['decimal']): string {
  const digits = unsigned(text);
  if (!/^[\d.,]+$/.test(digits)) return text;
  const sign = text.startsWith('-') || text.endsWith('-') ? '-' : '';
  if (decimal === ',' && /^(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/.test(digits))
    return `${sign}${digits.replaceAll('.', '').replace(',', '.')}`;
  if (decimal === '.' && /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) return `${sign}${digits.replaceAll(',', '')}`;
  return decimal === ',' || digits.includes(',') ? text : `${sign}${digits}`;
}

function exactDate(text: string, kind: 'date' | 'dateTime', order: LocalForms['dateOrder']): string {
  const [, first = '', , second = '', year, time] = DATE.exec(text) ?? [];
  const [day, month] = order === 'mdy' ? [second, first] : [first, second];
  if (year !== undefined) return isoDate({ year, month, day, time }, kind);
  const [, early, longMonth, longDay, shortMonth = '', shortDay = '', clock] = YEAR_FIRST.exec(text) ?? [];
  if (early === undefined) return text;
  return isoDate({ year: early, month: longMonth ?? shortMonth, day: longDay ?? shortDay, time: clock }, kind);
}

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly time: string | undefined;
}

function isoDate({ year, month, day, time }: DateParts, kind: 'date' | 'dateTime'): string {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (kind === 'date') return time === undefined ? date : `${date} ${time}`;
  const [hours = '0', minutes = '00', seconds = '00'] = (time ?? '').split(':').filter((part) => part !== '');
  return `${date}T${hours.padStart(2, '0')}:${minutes}:${seconds}`;
}
