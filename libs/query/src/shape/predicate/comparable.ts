import { familyOf } from '@lintel/metadata';
import type { LiteralType } from '../../literals/literal-type.ts';
import { parseText, type SqlValue } from '../../literals/parse-text.ts';

/** A value in the form in which two of the same type are compared in memory. */
export type Comparable = string | number | bigint | boolean | ExactDecimal;

/** An exact decimal: `digits` × 10^−`scale`. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function readDecimal(text: string): ExactDecimal {
  const match = DECIMAL.exec(text);
  if (match === null) throw new Error(`${JSON.stringify(text)} is no decimal number`);
  const [, sign, whole = '0', fraction = '', exponent = '0'] = match;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(`${sign ?? ''}${whole}${fraction}`);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/**
 * The comparable form of a value of the type: one that application code sees (`plainObject`), a literal of a
 * policy, or what a session holds.
 *
 * @returns null for no value
 * @throws Error when the value is not of the type
 */
export function comparableOf(value: unknown, type: LiteralType): Comparable | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : String(value);
  const parsed = parseText(type, text);
  if (parsed === undefined) throw new Error(`${JSON.stringify(text)} is not of the type that it is compared with`);
  return parsed.value === null ? null : normal(parsed.value, type);
}

function normal(value: NonNullable<SqlValue>, type: LiteralType): Comparable {
  if (type.kind === 'enum') return value;
  switch (familyOf(type.datatype)) {
    case 'integer':
      return BigInt(value);
    case 'decimal':
      return readDecimal(String(value));
    case 'floating':
      // Of the precision of the column, as the database compares it.
      return type.datatype === 'float' ? Math.fround(Number(value)) : Number(value);
    case 'temporal':
      return instantOf(String(value), type.datatype === 'offsetTime');
    default:
      return value;
  }
}

const TEMPORAL =
  /^(?:(\d{4,7})(-\d{2}-\d{2}))?T?(?:(\d{2}:\d{2})(?::(\d{2}))?(?:\.(\d+))?)?(Z|[+-]\d{2}:\d{2})?( BC)?$/;
/** The calendar repeats after 400 years: milliseconds. */
const CYCLE = 146_097n * 86_400_000n;
/** Microseconds that no year of PostgreSQL has. */
const INFINITE = 2n ** 80n;
/** More than any offset has seconds. */
const OFFSETS = 1_000_000n;

/**
 * Microseconds, as PostgreSQL keeps them; local times count as if they were UTC, times of day as if they were
 * on one day. Of two equal times of day with offsets, the one further west is the later.
 */
function instantOf(text: string, hasOffsetOrder: boolean): bigint {
  if (text.endsWith('infinity')) return text.startsWith('-') ? -INFINITE : INFINITE;
  const match = TEMPORAL.exec(text);
  const [, digits = '1970', day = '-01-01', time = '00:00', seconds = '00', fraction = '', zone = 'Z', era] =
    match ?? [];
  const year = era === undefined ? Number(digits) : 1 - Number(digits);
  const cycles = Math.floor((year - 2000) / 400);
  const milliseconds = Date.parse(`${year - cycles * 400}${day}T${time}:${seconds}${zone}`);
  if (match === null || Number.isNaN(milliseconds)) throw new Error(`${JSON.stringify(text)} is no point in time`);
  const micros =
    (BigInt(milliseconds) + BigInt(cycles) * CYCLE) * 1_000n + BigInt(Math.round(Number(`0.${fraction}0`) * 1e6));
  return hasOffsetOrder ? micros * OFFSETS - BigInt(secondsOf(zone)) : micros;
}

function secondsOf(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60);
}

const isDecimal = (value: Comparable): value is ExactDecimal => typeof value === 'object';

/** Less than, equal to or greater than zero, as `left` is before, equal to or after `right`. */
export function compareValues(left: Comparable, right: Comparable): number {
  if (isDecimal(left) && isDecimal(right)) {
    const scale = Math.max(left.scale, right.scale);
    const difference =
      left.digits * 10n ** BigInt(scale - left.scale) - right.digits * 10n ** BigInt(scale - right.scale);
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  }
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
