import { type Datatype, enumValueByName } from '@lintel/metadata';
import type { DatatypeType, LiteralType } from './literal-type.ts';
import { normalText } from './normal-text.ts';

/** A value as a statement parameter: PostgreSQL reads the text with the parameter's type. */
export type SqlValue = string | number | boolean | null;

/** A parsed value, or nothing when the text is not one of the type. */
export type Parsed =
  | {
      readonly value: SqlValue;
      /** The offset in the text of a time that is stored without one; `value` does not have it. */
      readonly offset?: string;
    }
  | undefined;

const INTEGER = /^-?\d{1,19}$/;
const NUMBER = /^-?(?:\d{1,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;
const UUID = /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;
/** Its usual form, which needs no conversion. */
const PLAIN_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})(Z|[+-]\d{2}:\d{2})?$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?$/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const GREATEST_OFFSET_HOURS = 15;

const RANGES: Readonly<Partial<Record<Datatype, readonly [bigint, bigint]>>> = {
  short: [-(2n ** 15n), 2n ** 15n - 1n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  long: [-(2n ** 63n), 2n ** 63n - 1n],
};

function isDate(year: string | undefined, month: string | undefined, day: string | undefined): boolean {
  const y = Number(year);
  const m = Number(month);
  const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const days = m === 2 && leap ? 29 : (DAYS[m - 1] ?? 0);
  return y >= 1 && Number(day) >= 1 && Number(day) <= days;
}

const isTime = (hour: string | undefined, minute: string | undefined, second: string | undefined): boolean =>
  Number(hour) < 24 && Number(minute) < 60 && Number(second ?? 0) < 60;

const isOffset = (offset: string | undefined): boolean =>
  offset === undefined ||
  offset === 'Z' ||
  (Number(offset.slice(1, 3)) <= GREATEST_OFFSET_HOURS && Number(offset.slice(4)) < 60);

function parseInteger(text: string, datatype: Datatype): Parsed {
  const range = RANGES[datatype];
  if (!INTEGER.test(text) || range === undefined) return undefined;
  const number = BigInt(text);
  return number < range[0] || number > range[1] ? undefined : { value: number.toString() };
}

/** A float that PostgreSQL reads without an error: it refuses what becomes infinite or zero. */
function parseFloating(text: string, datatype: Datatype): Parsed {
  if (!NUMBER.test(text)) return undefined;
  const number = datatype === 'float' ? Math.fround(Number(text)) : Number(text);
  const isZero = !/[1-9]/.test(text.replace(/[eE].*$/, ''));
  if (!Number.isFinite(number) || (number === 0 && !isZero)) return undefined;
  return { value: text };
}

/** The usual form of what RFC 3339 and ISO 8601 allow as well: small letters, an offset without a colon. */
const usualTemporal = (text: string): string =>
  text.toUpperCase().replace(/(:\d{2}(?:\.\d{1,9})?[+-]\d{2})(\d{2})$/, '$1:$2');

const without = (offset: string | undefined, text: string): Parsed =>
  offset === undefined ? { value: text } : { value: text.slice(0, -offset.length), offset };

function parseTemporal(sent: string, datatype: Datatype): Parsed {
  const text = usualTemporal(sent);
  switch (datatype) {
    case 'date':
    case 'localDate': {
      const match = DATE.exec(text);
      return match !== null && isDate(match[1], match[2], match[3]) ? without(match[4], text) : undefined;
    }
    case 'dateTime':
    case 'localDateTime':
    case 'offsetDateTime': {
      const match = DATE_TIME.exec(text);
      if (match === null || !isDate(match[1], match[2], match[3]) || !isTime(match[4], match[5], match[6]))
        return undefined;
      const offset = match[8];
      if (!isOffset(offset) || (datatype === 'offsetDateTime') !== (offset !== undefined && datatype !== 'dateTime'))
        return undefined;
      return without(datatype === 'offsetDateTime' ? undefined : offset, text);
    }
    case 'time':
    case 'localTime':
    case 'offsetTime': {
      const match = TIME.exec(text);
      if (match === null || !isTime(match[1], match[2], match[3]) || !isOffset(match[5])) return undefined;
      return (datatype === 'offsetTime') === (match[5] !== undefined) ? { value: text } : undefined;
    }
    default:
      return undefined;
  }
}

function parseDatatype(text: string, datatype: Datatype): Parsed {
  switch (datatype) {
    case 'string':
    case 'fileRef':
    case 'uri':
      return { value: text };
    case 'char':
      return [...text].length === 1 ? { value: text } : undefined;
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? { value: text.toLowerCase() === 'true' } : undefined;
    case 'short':
    case 'int':
    case 'long':
      return parseInteger(text, datatype);
    case 'bigInteger':
      return /^-?\d{1,400}$/.test(text) ? { value: text } : undefined;
    case 'decimal':
      return NUMBER.test(text) ? { value: text } : undefined;
    case 'double':
    case 'float':
      return parseFloating(text, datatype);
    case 'uuid': {
      if (PLAIN_UUID.test(text)) return { value: text };
      const match = UUID.exec(text);
      const length = text.length - (text.startsWith('{') && text.endsWith('}') ? 2 : 0);
      return match !== null && (length === 36 || length === 32)
        ? { value: match.slice(1).join('-').toLowerCase() }
        : undefined;
    }
    case 'json':
      return { value: JSON.stringify(text) };
    case 'byteArray':
      return BASE64.test(text) ? { value: `\\x${Buffer.from(text, 'base64').toString('hex')}` } : undefined;
    default:
      return parseTemporal(text, datatype);
  }
}

/** Dates and times of other years than 1 to 9999, as they are read. */
const OTHER_YEAR = /^(\d{4}|[1-9]\d{4,6})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})\.\d{3,6}(Z?))?( BC)?$/;
/** https://www.postgresql.org/docs/18/datatype-datetime.html, the complete years of times: later dates cannot be shown. */
const LAST_YEARS = { AD: 294_275, BC: 4_713 } as const;

/** Whether a text is a date or a time that only unbounded types have. */
export function isUnboundedTime({ unbounded, datatype }: DatatypeType, text: string): boolean {
  if (unbounded !== true) return false;
  if (/^-?infinity$/.test(text)) return true;
  const [found, digits = '', month, day, hour, minute, second, zone, era] = OTHER_YEAR.exec(text) ?? [];
  const year = Number(digits);
  const last = LAST_YEARS[era === undefined ? 'AD' : 'BC'];
  if (found === undefined || year < (era === undefined ? 10_000 : 1) || year > last) return false;
  if ((hour === undefined) !== /date$/i.test(datatype) || (zone === 'Z') !== (datatype === 'offsetDateTime'))
    return false;
  // The calendar repeats after 400 years.
  const alike = 2000 + ((((era === undefined ? year : 1 - year) % 400) + 400) % 400);
  return isDate(String(alike), month, day) && isTime(hour ?? '0', minute ?? '0', second);
}

/**
 * Reads a value from its text: filter values, ids, query parameters (contract/instances.md#values,
 * contract/filters.md#values). Nothing is rounded; an enum's constant name becomes its stored id.
 */
export function parseText(type: LiteralType, text: string): Parsed {
  // PostgreSQL has no character zero, and half a surrogate pair is none: no stored text can contain them.
  if (text.includes('\u0000') || !text.isWellFormed()) return undefined;
  if (type.kind === 'datatype' && isUnboundedTime(type, text)) return { value: text };
  if (type.kind === 'datatype') return parseDatatype(normalText(type, text), type.datatype);
  const constant = enumValueByName(type.enumeration, text);
  return constant === undefined ? undefined : { value: constant.id };
}
