import type { Datatype } from '@lintel/metadata';
import { Exact, Floating } from './exact.ts';

/**
 * What single values mean, written from the contract (contract/instances.md#values, contract/filters.md#values) and
 * contract/decisions.md#3, #15, without a look at the compiler.
 *
 * A value of the world is: a number for `short`, `int`, `float`, `double`; a bigint for `long` and
 * `bigInteger`; a boolean; for everything else the text that JSON shows. `decimal` is its exact text.
 */
export type Scalar = string | number | bigint | boolean;

/** Type of a single value. The ids of an enum are what is stored, the names what is shown. */
export type ScalarType =
  | { readonly kind: 'datatype'; readonly datatype: Datatype }
  | { readonly kind: 'enum'; readonly values: readonly { readonly name: string; readonly id: string | number }[] };

/** The value as JSON shows it. */
export function shapeScalar(type: ScalarType, value: Scalar): unknown {
  if (type.kind === 'enum') return value;
  switch (type.datatype) {
    case 'float':
    case 'double':
      return new Floating(Number(value), type.datatype === 'float');
    case 'short':
    case 'int':
    case 'long':
    case 'bigInteger':
    case 'decimal':
      return new Exact(String(value));
    default:
      return value;
  }
}

const MICROS = 1_000_000n;

/** Microseconds since the beginning of 1970 (a time of day: since midnight) in UTC, and the offset in seconds. */
export function instantOf(text: string): { readonly micros: bigint; readonly offset: number } {
  const match = /^(?:(\d{4}-\d\d-\d\d)T?)?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (match === null) throw new Error(`${text} is no date or time`);
  const [, date, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const days = date === undefined ? 0n : BigInt(Date.parse(`${date}T00:00:00Z`)) * 1000n;
  const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  const offset =
    zone === 'Z' ? 0 : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4)) * 60);
  const micros = days + seconds * MICROS + BigInt(fraction.padEnd(6, '0').slice(0, 6)) - BigInt(offset) * MICROS;
  return { micros, offset };
}

export function decimalOf(value: Scalar): { readonly digits: bigint; readonly scale: number } {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(String(value));
  if (match === null) throw new Error(`${value} is no number`);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match;
  return { digits: BigInt(sign + whole + fraction), scale: fraction.length - Number(exponent) };
}

/** The sum of two decimals, without zeros at its end. */
export function addDecimals(one: string, other: string): string {
  const [left, right] = [decimalOf(one), decimalOf(other)];
  const scale = Math.max(left.scale, right.scale, 0);
  const sum = left.digits * 10n ** BigInt(scale - left.scale) + right.digits * 10n ** BigInt(scale - right.scale);
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

const signOf = (difference: bigint): number => (difference < 0n ? -1 : difference > 0n ? 1 : 0);

function compareDecimals(one: Scalar, other: Scalar): number {
  const left = decimalOf(one);
  const right = decimalOf(other);
  const scale = Math.max(left.scale, right.scale, 0);
  return signOf(left.digits * 10n ** BigInt(scale - left.scale) - right.digits * 10n ** BigInt(scale - right.scale));
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Zero for equal values, less than zero when `one` comes first. Texts and enums know only equal and not. */
export function compareScalars(type: ScalarType, one: Scalar, other: Scalar): number {
  if (type.kind === 'enum') return compareTexts(String(one), String(other));
  switch (type.datatype) {
    case 'float':
      return Math.fround(Number(one)) - Math.fround(Number(other));
    case 'double':
      return Number(one) - Number(other);
    case 'short':
    case 'int':
    case 'long':
    case 'bigInteger':
    case 'decimal':
      return compareDecimals(one, other);
    case 'boolean':
      return Number(one) - Number(other);
    case 'byteArray':
      return Buffer.compare(Buffer.from(String(one), 'base64'), Buffer.from(String(other), 'base64'));
    case 'date':
    case 'localDate':
    case 'dateTime':
    case 'localDateTime':
    case 'offsetDateTime':
    case 'time':
    case 'localTime':
      return signOf(instantOf(String(one)).micros - instantOf(String(other)).micros);
    case 'offsetTime': {
      // Equal only with the same offset, like the reference's type; PostgreSQL orders the offsets from east to west.
      const left = instantOf(String(one));
      const right = instantOf(String(other));
      return signOf(left.micros - right.micros) || right.offset - left.offset;
    }
    default:
      return compareTexts(String(one), String(other));
  }
}

/** Every character by itself, without regard to its neighbours: what the database does. */
const lower = (text: string): string =>
  Array.from(text, (character) => {
    const small = character.toLowerCase();
    return [...small].length === 1 ? small : [...small][0];
  }).join('');

/** The operators on texts: any case, the text as it is (contract/decisions.md#11). */
export function matchesText(operator: string, value: Scalar, text: string): boolean {
  const haystack = lower(String(value));
  const needle = lower(text);
  switch (operator) {
    case 'contains':
      return haystack.includes(needle);
    case 'doesNotContain':
      return !haystack.includes(needle);
    case 'startsWith':
      return haystack.startsWith(needle);
    case 'endsWith':
      return haystack.endsWith(needle);
    default:
      throw new Error(`${operator} is no operator on texts`);
  }
}
