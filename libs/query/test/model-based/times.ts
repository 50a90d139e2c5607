import { between, type Choose, chance, pick } from './choose.ts';
import { instantOf } from './scalars.ts';
import type { Sent } from './sent-values.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Unit = (typeof UNITS)[number];

/** Time zones without a summer time; the first one is that of a user who has chosen none. */
export const ZONES: readonly { readonly timeZone?: string; readonly hours: number }[] = [
  { hours: 0 },
  { timeZone: 'UTC', hours: 0 },
  { timeZone: 'Etc/GMT-5', hours: 5 },
  { timeZone: 'Etc/GMT+11', hours: -11 },
];

export const isDate = (datatype: string): boolean => datatype === 'date' || datatype === 'localDate';
export const isMoment = (datatype: string): boolean =>
  ['dateTime', 'localDateTime', 'offsetDateTime'].includes(datatype);

/** The begin of the unit, both by the same clock. */
function beginOf(unit: Unit, wall: number): number {
  const floor = (size: number): number => Math.floor(wall / size) * size;
  const date = new Date(floor(DAY));
  const month = (number: number): number => Date.parse(`${date.toISOString().slice(0, 5)}${two(number)}-01T00:00:00Z`);
  const days = (date.getUTCDay() + 6) % 7;
  const starts: Readonly<Record<Unit, number>> = {
    minute: floor(MINUTE),
    hour: floor(HOUR),
    day: date.getTime(),
    week: date.getTime() - days * DAY,
    month: month(date.getUTCMonth() + 1),
    quarter: month(date.getUTCMonth() - (date.getUTCMonth() % 3) + 1),
    year: month(1),
  };
  return starts[unit];
}

const two = (number: number): string => String(number).padStart(2, '0');

/** The text of a value of the type; a date is the one by the clock that is so many hours ahead. */
function textOf(datatype: string, moment: number, hours: number): string {
  if (isDate(datatype)) return new Date(moment + hours * HOUR).toISOString().slice(0, 10);
  return new Date(moment).toISOString().slice(0, datatype === 'offsetDateTime' ? 24 : 23);
}

/** The begin of the unit with a value: contract/aggregates.md#groups. */
export function bucketOf(text: string, datatype: string, unit: Unit, hours: number): string {
  // A day is a day in every zone.
  const ahead = isDate(datatype) ? 0 : hours * HOUR;
  const begin = beginOf(unit, Number(instantOf(text).micros / 1_000n) + ahead);
  return unit === 'minute' || unit === 'hour'
    ? textOf(datatype, begin - ahead, 0)
    : new Date(begin).toISOString().slice(0, 10);
}

/** The time of every request; some values are those of this time. */
export const NOW = '2024-02-29T12:30:15.250Z';

/** A value relative to now, as a client sends it: contract/filters.md#relative. */
export function generateRelative(choose: Choose, datatype: string): Sent<string> {
  const { hours, ...zone } = pick(choose, ZONES);
  const unit = chance(choose, 60) ? pick(choose, UNITS) : undefined;
  const [months, days, seconds] = [amount(choose, 14), amount(choose, 40), amount(choose, 90_000)];
  const sign = chance(choose, 50) ? 1 : -1;
  const parts = `P${months}M${days}D${seconds === 0 ? '' : `T${seconds}S`}`;
  const duration = `${sign < 0 ? '-' : pick(choose, ['', '+'])}${parts}`;
  const wall = Date.parse(NOW) + hours * HOUR;
  const begun = unit === undefined ? wall : beginOf(unit, wall);
  const moved = addMonths(begun, sign * months) + sign * days * DAY;
  return {
    json: { ...(unit === undefined ? { now: duration } : { startOf: unit, plus: duration }), ...zone },
    value: textOf(datatype, moved - hours * HOUR + sign * seconds * 1_000, hours),
  };
}

const amount = (choose: Choose, max: number): number => (chance(choose, 50) ? 0 : between(choose, 1, max));

/** After a month with fewer days the last one of them is meant. */
function addMonths(wall: number, months: number): number {
  const from = new Date(wall);
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  const length = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(from.getUTCDate(), length) - 1) * DAY + (wall - Math.floor(wall / DAY) * DAY);
}
