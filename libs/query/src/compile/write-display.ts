import type { NumberSymbols } from '@lintel/metadata';
import { temporalText } from '../literals/temporal-text.ts';
import type { DisplayFormat } from '../plan/read-plan.ts';
import { quoteConstant } from './statement-text.ts';

/** Digits of the greatest number that is written with groups; greater ones are written without groups. */
const MAX_DIGITS = 38;
/** `9,999,…,990`: PostgreSQL leaves out what a number does not have. */
const INTEGER_DIGITS = '0'.padStart(MAX_DIGITS, '9').replace(/\B(?=(?:\d{3})+$)/g, ',');
const GREATEST = `1e${MAX_DIGITS}`;

/** The text of a column's value as people read it; null if the column is. */
export function writeDisplay(column: string, format: DisplayFormat): string {
  switch (format.kind) {
    case 'captions': {
      const cases = format.captions.map(({ id, text }) => `WHEN ${constant(id)} THEN ${quoteConstant(text)}`);
      return cases.length === 0 ? 'NULL::text' : `CASE ${column} ${cases.join(' ')} END`;
    }
    case 'number':
      return writeNumber(column, format);
    case 'temporal':
      return writeTemporal(column, format);
    default:
      return format satisfies never;
  }
}

const constant = (id: string | number | boolean): string => (typeof id === 'string' ? quoteConstant(id) : String(id));

function writeNumber(column: string, { number, symbols }: Extract<DisplayFormat, { kind: 'number' }>): string {
  switch (number) {
    case 'integer':
      return localized(`to_char(${column}::numeric, 'FM${INTEGER_DIGITS}')`, symbols);
    case 'decimal': {
      const text = localized(`to_char(${halfEven(column, 2)}, 'FM${INTEGER_DIGITS}.00')`, symbols);
      return `CASE WHEN abs(${column}) < ${GREATEST} THEN ${text} ELSE ${column}::text END`;
    }
    case 'floating': {
      // Whole numbers would keep their point.
      const digits = `rtrim(to_char(${halfEven(`${column}::numeric`, 3)}, 'FM${INTEGER_DIGITS}.999'), '.')`;
      return `CASE WHEN abs(${column}) < ${GREATEST} THEN ${localized(digits, symbols)} ELSE ${column}::text END`;
    }
    default:
      return number satisfies never;
  }
}

/** PostgreSQL rounds halves up, the reference to even. */
function halfEven(value: string, digits: 2 | 3): string {
  const half = `abs(${value}) * ${10 ** digits} % 1 = 0.5`;
  return `CASE WHEN ${half} THEN round(${value} * ${10 ** digits / 2}) * ${2 / 10 ** digits} ELSE round(${value}, ${digits}) END`;
}

/** The template has the symbols of English. */
const localized = (text: string, { decimal, grouping }: NumberSymbols): string =>
  decimal === '.' && grouping === ',' ? text : `translate(${text}, '.,', ${quoteConstant(`${decimal}${grouping}`)})`;

function writeTemporal(column: string, format: Extract<DisplayFormat, { kind: 'temporal' }>): string {
  const { datatype, pattern } = format;
  switch (datatype) {
    case 'offsetDateTime':
      return temporalText(format, column, `to_char(${column} AT TIME ZONE 'UTC', ${templateOf(pattern)})`);
    case 'offsetTime': {
      const offset = `rpad(replace(substring(${column}::text FROM '[+-].*$'), ':', ''), 5, '0')`;
      return `(substr(${column}::text, 1, 5) || ' ' || ${offset})`;
    }
    default:
      return temporalText(format, column, `to_char(${column}, ${templateOf(pattern)})`);
  }
}

const LETTERS: Readonly<Record<string, string>> = {
  yyyy: 'YYYY',
  MM: 'MM',
  dd: 'DD',
  HH: 'HH24',
  mm: 'MI',
  // Timestamps are stored and formatted in UTC.
  Z: '"+0000"',
};

/** A pattern of a locale in the form of PostgreSQL's `to_char`; text between the letters is quoted. */
const templateOf = (pattern: string): string =>
  quoteConstant(pattern.replace(/[A-Za-z]+|[^A-Za-z]+/g, (token) => LETTERS[token] ?? `"${token}"`));
