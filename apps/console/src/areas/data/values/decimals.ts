import { perLocale } from '../../../language/per-locale.ts';

const DECIMAL = /^([-+]?)(\d+)(?:\.(\d*))?$/;

/** Whether a text is a decimal number as the API has it. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text);

/** Compares two decimals with all their digits: negative if the first one is less, positive if it is greater. */
export function compareDecimals(one: string, other: string): number {
  const scale = Math.max(fractionOf(one).length, fractionOf(other).length);
  const difference = scaled(one, scale) - scaled(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const fractionOf = (text: string): string => DECIMAL.exec(text)?.[3] ?? '';

function scaled(text: string, scale: number): bigint {
  const [, sign = '', whole = '0', fraction = ''] = DECIMAL.exec(text) ?? [];
  const digits = BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
  return sign === '-' ? -digits : digits;
}

interface Separators {
  readonly decimal: string;
  readonly group: string;
}

const separatorsOf = perLocale((locale): Separators => {
  const parts = new Intl.NumberFormat(`${locale}-u-nu-latn`).formatToParts(-12345.6);
  const find = (wanted: Intl.NumberFormatPartTypes, other: string): string =>
    parts.find(({ type }) => type === wanted)?.value ?? other;
  return { decimal: find('decimal', '.'), group: find('group', ',') };
});

/**
 * A decimal of the API for an input field: the decimal separator of the language, no groups, and all digits but a
 * fraction of zeros, since `2.000` is two thousand in some languages.
 */
export const toInputNumber = (value: string, locale: string): string =>
  isDecimal(value) ? value.replace(/\.0*$/, '').replace('.', separatorsOf(locale).decimal) : value;

/**
 * The decimal of the API for what was entered, in the form of the language or with a point; what is no number is
 * returned as it is. `1.234` is one thousand in German, `1.23` is not: groups have three digits.
 */
export function fromInputNumber(text: string, locale: string): string {
  const trimmed = text.trim().replaceAll(/[\s\u00a0\u202f']/g, '');
  if (trimmed === '') return '';
  const { decimal, group } = separatorsOf(locale);
  const escaped = (separator: string): string => separator.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const grouped = new RegExp(`^[-+]?\\d{1,3}(?:${escaped(group)}\\d{3})+(?:${escaped(decimal)}\\d*)?$`);
  const plain = grouped.test(trimmed) ? trimmed.replaceAll(group, '') : trimmed;
  const point = plain
    .replace(decimal, '.')
    .replace(/^([-+]?)\./, '$10.')
    .replace(/^\+/, '')
    .replace(/\.$/, '');
  return isDecimal(point) ? point : text.trim();
}
