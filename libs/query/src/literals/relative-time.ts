import { type ExactObject, isExactObject } from '../json/exact-json.ts';
import type { LiteralType } from './literal-type.ts';

/** A signed duration of ISO 8601, of at most five digits for each unit. */
const DURATION =
  /^([+-])?P(?=\d|T)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/;
const NAMES = ['now', 'startOf', 'plus', 'timeZone'];
const FOUR_DIGITS = /^(?!0000)\d{4}-/;

/** Sets a time back to the begin of a unit. Times by the clock of a zone have the same digits in UTC here. */
type Begin = (wall: Date) => void;

const BEGINS: ReadonlyMap<unknown, Begin> = new Map<string, Begin>([
  ['minute', (wall) => wall.setUTCSeconds(0, 0)],
  ['hour', (wall) => wall.setUTCMinutes(0, 0, 0)],
  ['day', (wall) => wall.setUTCHours(0, 0, 0, 0)],
  ['week', (wall) => wall.setUTCHours(-24 * ((wall.getUTCDay() + 6) % 7), 0, 0, 0)],
  ['month', (wall) => beginMonth(wall, wall.getUTCMonth())],
  ['quarter', (wall) => beginMonth(wall, wall.getUTCMonth() - (wall.getUTCMonth() % 3))],
  ['year', (wall) => beginMonth(wall, 0)],
]);

function beginMonth(wall: Date, month: number): void {
  wall.setUTCMonth(month, 1);
  wall.setUTCHours(0, 0, 0, 0);
}

/**
 * The text of a value that depends on the time of the request: `{"now": "-P7D"}`, `{"startOf": "month", "plus": "-P1M"}`
 * (contract/filters.md#relative). Units of days and longer count by the clock of the zone; date-times without an offset
 * are in UTC.
 *
 * @param zoneOf the zone of that name, or of the caller; undefined for an unknown one
 * @returns nothing for another object, and where the type has no dates
 */
export function relativeTime(
  type: LiteralType,
  value: ExactObject,
  now: Date,
  zoneOf: (name: string | undefined) => string | undefined,
): string | undefined {
  const { now: shift, startOf, plus = 'P0D', timeZone } = value;
  const begin = startOf === undefined ? undefined : BEGINS.get(startOf);
  const isNow = startOf === undefined && value['plus'] === undefined;
  if (isNow === (begin !== undefined) || (begin !== undefined && shift !== undefined)) return undefined;
  if (type.kind !== 'datatype' || Object.keys(value).some((name) => !NAMES.includes(name))) return undefined;
  const units = unitsOf(isNow ? shift : plus);
  const zone = timeZone === undefined || typeof timeZone === 'string' ? zoneOf(timeZone) : undefined;
  if (units === undefined || zone === undefined) return undefined;
  return textOf(type.datatype, shifted(now, begin, units, zone), zone);
}

/** Whether a value of a filter is meant as a relative one. */
export const isRelativeTime = (value: unknown): value is ExactObject =>
  isExactObject(value as ExactObject) && NAMES.slice(0, 2).some((name) => Object.hasOwn(value as ExactObject, name));

/** Months, days and seconds. */
type Units = readonly [months: number, days: number, seconds: number];

function unitsOf(text: unknown): Units | undefined {
  const found = typeof text === 'string' ? DURATION.exec(text) : null;
  if (found === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(2)
    .map((digits) => Number(digits ?? 0) * (found[1] === '-' ? -1 : 1));
  return [years * 12 + months, weeks * 7 + days, (hours * 60 + minutes) * 60 + seconds];
}

function shifted(now: Date, begin: Begin | undefined, [months, days, seconds]: Units, zone: string): Date {
  if (begin === undefined && months === 0 && days === 0) return new Date(now.getTime() + seconds * 1_000);
  const wall = new Date(now.getTime() + offsetOf(now, zone));
  begin?.(wall);
  addMonths(wall, months);
  wall.setUTCDate(wall.getUTCDate() + days);
  return new Date(momentOf(wall, zone).getTime() + seconds * 1_000);
}

/** Adds months; the day is at most the last one of the month. */
function addMonths(wall: Date, months: number): void {
  const day = wall.getUTCDate();
  wall.setUTCDate(1);
  wall.setUTCMonth(wall.getUTCMonth() + months);
  const last = new Date(wall);
  last.setUTCMonth(wall.getUTCMonth() + 1, 0);
  wall.setUTCDate(Math.min(day, last.getUTCDate()));
}

/** The moment at which the clock of the zone shows the time; where it is set forward, as much later. */
function momentOf(wall: Date, zone: string): Date {
  const guess = new Date(wall.getTime() - offsetOf(wall, zone));
  const moment = new Date(wall.getTime() - offsetOf(guess, zone));
  return offsetOf(moment, zone) === offsetOf(guess, zone) || moment > guess ? moment : guess;
}

/** Milliseconds by which the clock of the zone is ahead of UTC. */
function offsetOf(moment: Date, zone: string): number {
  if (Number.isNaN(moment.getTime())) return Number.NaN;
  const text = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(moment);
  const [, sign, hours, minutes = 0, seconds = 0] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

function textOf(datatype: string, moment: Date, zone: string): string | undefined {
  const isDate = datatype === 'date' || datatype === 'localDate';
  const shown = new Date(moment.getTime() + (isDate ? offsetOf(moment, zone) : 0));
  if (Number.isNaN(shown.getTime())) return undefined;
  const text = shown.toISOString();
  if (!FOUR_DIGITS.test(text)) return undefined;
  switch (datatype) {
    case 'date':
    case 'localDate':
      return text.slice(0, 10);
    case 'dateTime':
    case 'localDateTime':
      return text.slice(0, -1);
    case 'offsetDateTime':
      return text;
    default:
      return undefined;
  }
}
