import type { AttributeInfo, EnumInfo } from '@lintel/client';
import { NUMBER_TYPES } from '@lintel/react';
import type { Text } from '../../../context.ts';
import { fileNameOf } from '../../../downloads/file-name.ts';
import { perLocale } from '../../../language/per-locale.ts';

/** What the form of a value depends on. */
export interface Formats {
  readonly locale: string;
  readonly text: Text;
  readonly enums: ReadonlyMap<string, EnumInfo>;
}

/** The text of a value of an attribute, in the form of the language; empty without a value. */
export function formatValue(value: unknown, attribute: AttributeInfo, formats: Formats): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) return value.map((each) => formatValue(each, attribute, formats)).join(', ');
  if (attribute.attributeType === 'ENUM') return enumCaption(String(value), attribute.type, formats);
  if (typeof value === 'object') return nameOfInstance(value);
  return formatDatatype(value, attribute.type, formats);
}

/** The name of an instance; its id where the name is hidden or missing. */
export function nameOfInstance(value: object): string {
  const { _instanceName: name, id } = value as { readonly _instanceName?: unknown; readonly id?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  if (id !== undefined && id !== null) return typeof id === 'object' ? JSON.stringify(id) : String(id);
  return JSON.stringify(value);
}

const enumCaption = (name: string, type: string, { enums }: Formats): string =>
  enums.get(type)?.values.find((each) => each.name === name)?.caption ?? name;

function formatDatatype(value: unknown, type: string, { locale, text }: Formats): string {
  switch (type) {
    case 'boolean':
      return text(value === true ? 'value.true' : 'value.false');
    case 'date':
    case 'localDate':
      return formatDate(`${value}T00:00:00Z`, dayFormat(locale)) ?? String(value);
    case 'dateTime':
    case 'localDateTime':
      return formatDate(`${value}Z`, localTimeFormat(locale)) ?? String(value);
    case 'offsetDateTime':
      return formatDate(String(value), momentFormat(locale)) ?? String(value);
    case 'fileRef':
      return fileNameOf(String(value));
    default:
      return NUMBER_TYPES.has(type) ? formatNumber(String(value), locale) : String(value);
  }
}

/** All digits of a decimal, with the separators of the language; it never becomes a JavaScript number. */
export function formatNumber(value: string, locale: string): string {
  const [, sign = '', whole = '', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === '') return value;
  const grouped = integerFormat(locale).format(BigInt(whole));
  return `${sign}${grouped}${fraction === undefined ? '' : `${separatorOf(locale)}${fraction}`}`;
}

const integerFormat = perLocale((locale) => new Intl.NumberFormat(locale));
const separatorOf = perLocale((locale) => {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
});

function formatDate(text: string, format: Intl.DateTimeFormat): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : format.format(date);
}

const dayFormat = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
const localTimeFormat = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }),
);
const momentFormat = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
);
