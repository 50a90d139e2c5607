import type { TemporalKind } from '@lintel/metadata';

const DAY_MS = 86_400_000;
const PATTERN = /^(?:(\d{4})-(\d{2})-(\d{2}))?T?(?:(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?$/;

/**
 * Converts a date or time to the number that a spreadsheet stores: days since the beginning of its calendar, times as
 * fractions of a day. The calendar of 1900 counts the day 1900-02-29, which did not exist.
 *
 * @param text ISO
 * @returns undefined for values without such a number: those with an offset, and days before the calendar begins
 */
export function serialOf(text: string, kind: TemporalKind, isCalendarOf1904: boolean): string | undefined {
  if (kind !== 'date' && kind !== 'dateTime' && kind !== 'time') return undefined;
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = match;
  const milliseconds =
    (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  if (year === undefined) return kind === 'time' ? decimalText(milliseconds / DAY_MS) : undefined;
  if (kind === 'time') return undefined;
  const days = dayOf(Date.parse(`${year}-${month}-${day}`), isCalendarOf1904);
  return days === undefined ? undefined : decimalText(days + milliseconds / DAY_MS);
}

function dayOf(utc: number, isCalendarOf1904: boolean): number | undefined {
  if (isCalendarOf1904) {
    const days = Math.round((utc - Date.UTC(1904, 0, 1)) / DAY_MS);
    return days >= 0 ? days : undefined;
  }
  const days = Math.round((utc - Date.UTC(1899, 11, 31)) / DAY_MS);
  if (days < 1) return undefined;
  return days < 60 ? days : days + 1;
}

/** Ten digits are enough for milliseconds. */
const decimalText = (value: number): string => value.toFixed(10).replace(/\.?0+$/, '');
