import { parseFileReference } from '@lintel/contracts';
import type { Datatype } from '@lintel/metadata';
import type { ExactJson } from '../json/exact-json.ts';
import { decimalOf, formatDecimal, isPlainDecimal } from './exact-decimal.ts';
import type { DatatypeType, LiteralType } from './literal-type.ts';
import { normalText } from './normal-text.ts';
import { parseLiteral } from './parse-literal.ts';
import { isUnboundedTime, type Parsed } from './parse-text.ts';
import { inUtc, storedTime, type TimeReading } from './stored-time.ts';

/** Blank texts mean null in these datatypes (contract/instances.md#values). */
const BLANK_IS_NULL: ReadonlySet<Datatype> = new Set<Datatype>([
  'bigInteger',
  'boolean',
  'date',
  'dateTime',
  'fileRef',
  'float',
  'localDate',
  'localDateTime',
  'localTime',
  'offsetDateTime',
  'offsetTime',
  'short',
  'time',
  'uuid',
]);

/**
 * A value in the canonical form of its datatype, so that equal values are equal texts: sent and stored ones are compared.
 *
 * texts, uuids, enum constants (by name): string · boolean · short, int, float, double: number ·
 * long, bigInteger, decimal: exact decimal text in plain notation · localDate `YYYY-MM-DD` ·
 * dateTime, localDateTime `YYYY-MM-DDTHH:mm:ss.SSS` · offsetDateTime the same in UTC with `Z` ·
 * localTime `HH:mm:ss`, offsetTime the same with `±HH:mm` · byteArray Base64 ·
 * json: its text, the members of objects in the order of their names.
 */
export type Scalar = string | number | boolean | null;

/**
 * The canonical form of a value that a client sent.
 *
 * @param times how a time is read
 * @param path of the value
 * @param parse reads it: strictly, as in bodies, or as an id
 * @returns nothing when the value is not one of the type
 */
export function canonicalScalar(
  type: LiteralType,
  json: ExactJson,
  times?: TimeReading,
  path?: string,
  parse: (type: LiteralType, json: ExactJson) => Parsed = parseLiteral,
): { readonly value: Scalar } | undefined {
  if (json === null) return { value: null };
  if (type.kind === 'enum') return parse(type, json) === undefined ? undefined : { value: json as string };
  if (typeof json === 'string' && json.trim() === '' && BLANK_IS_NULL.has(type.datatype)) return { value: null };
  if (typeof json === 'string' && type.datatype === 'fileRef' && parseFileReference(json) === undefined)
    return undefined;
  const parsed = storedTime(type, parse(type, json), times, path);
  if (parsed === undefined) return undefined;
  if (parsed.value === null || typeof parsed.value === 'boolean') return { value: parsed.value };
  const value = canonicalText(type, String(parsed.value));
  return value === undefined ? undefined : { value };
}

/**
 * The canonical form of a text that `parseLiteral` has accepted.
 *
 * @returns nothing for a time that has no four digits of the year in UTC
 */
function canonicalText(type: DatatypeType, text: string): Scalar | undefined {
  const { datatype, microseconds } = type;
  const digits = microseconds === true ? 6 : 3;
  if (isUnboundedTime(type, text)) return text;
  switch (datatype) {
    case 'short':
    case 'int':
    case 'double':
      return Number(text);
    case 'float':
      return Math.fround(Number(text));
    case 'long':
    case 'bigInteger':
      return BigInt(text).toString();
    case 'decimal': {
      if (type.equality !== undefined) return normalText(type, text);
      if (isPlainDecimal(text)) return text;
      const decimal = decimalOf(text);
      return decimal === undefined ? text : formatDecimal(decimal);
    }
    case 'dateTime':
    case 'localDateTime':
      return withFraction(text, digits);
    case 'offsetDateTime':
      return utcText(text, digits);
    case 'time':
    case 'localTime':
      return withSeconds(text);
    case 'offsetTime': {
      const offset = /(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[0] ?? 'Z';
      return `${withSeconds(text.slice(0, -offset.length))}${offset === 'Z' ? '+00:00' : offset}`;
    }
    case 'byteArray':
      return Buffer.from(text.slice(2), 'hex').toString('base64');
    default:
      return text;
  }
}

/** `10:20` → `10:20:00`. */
const withSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time);

/** `…T10:20` → `…T10:20:00.000`. */
function withFraction(text: string, digits: number): string {
  const [date = '', time = ''] = text.split('T');
  const [seconds = '', fraction = ''] = (time.length === 5 ? `${time}:00` : time).split('.');
  return `${date}T${seconds}.${fraction.padEnd(digits, '0')}`;
}

function utcText(text: string, digits: number): string | undefined {
  const offset = /(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[0] ?? 'Z';
  const utc = inUtc(withFraction(text.slice(0, -offset.length), digits), offset);
  return utc === undefined ? undefined : `${utc.value}Z`;
}
