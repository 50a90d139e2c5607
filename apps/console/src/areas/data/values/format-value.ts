import type { AttributeInfo, EnumInfo } from '@lintel/client';
import type { Text } from '../../../language/create-text.ts';

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
    case 'decimal':
    case 'double':
    case 'float':
    case 'long':
    case 'int':
    case 'short':
    case 'bigInteger':
      return formatNumber(String(value), locale);
    case 'date':
    case 'localDate':
      return formatDate(`${value}T00:00:00Z`, locale, { dateStyle: 'medium', timeZone: 'UTC' }) ?? String(value);
    case 'dateTime':
    case 'localDateTime':
      return (
        formatDate(`${value}Z`, locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }) ?? String(value)
      );
    case 'offsetDateTime':
      return formatDate(String(value), locale, { dateStyle: 'medium', timeStyle: 'medium' }) ?? String(value);
    case 'fileRef':
      return fileNameOf(String(value));
    default:
      return String(value);
  }
}

/** All digits of a decimal, with the separators of the language; it never becomes a JavaScript number. */
export function formatNumber(value: string, locale: string): string {
  const [, sign = '', whole = '', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === '') return value;
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(0.5);
  const separator = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const grouped = new Intl.NumberFormat(locale).format(BigInt(whole));
  return `${sign}${grouped}${fraction === undefined ? '' : `${separator}${fraction}`}`;
}

function formatDate(text: string, locale: string, options: Intl.DateTimeFormatOptions): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : new Intl.DateTimeFormat(locale, options).format(date);
}

/** The name of a file in its reference, which ends with `?name=…`. */
export function fileNameOf(reference: string): string {
  const name = new URLSearchParams(reference.split('?')[1] ?? '').get('name');
  return name ?? reference.split('/').at(-1) ?? reference;
}
