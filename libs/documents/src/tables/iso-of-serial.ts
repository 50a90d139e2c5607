const DAY_MS = 86_400_000;
/** The day 1900-02-29 of the calendar of 1900, which did not exist. */
const LEAP_DAY = 60;

/**
 * The date and time that a spreadsheet stores as a number: `serialOf` the other way round.
 *
 * @returns ISO without an offset; without a date below 1, without a time for whole days; undefined for a number that is
 *   no date
 */
export function isoOfSerial(serial: number, isCalendarOf1904: boolean): string | undefined {
  if (!(serial >= 0 && serial < 2_958_466)) return undefined;
  const days = Math.floor(serial);
  const time = new Date(Math.round((serial - days) * DAY_MS))
    .toISOString()
    .slice(11, 23)
    .replace(/\.000$/, '');
  if (days === 0 && !isCalendarOf1904) return time;
  if (days === LEAP_DAY && !isCalendarOf1904) return undefined;
  const first = isCalendarOf1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < LEAP_DAY ? 31 : 30);
  const moment = new Date(first + Math.round(serial * DAY_MS));
  const date = moment.toISOString().slice(0, 10);
  return serial === days ? date : `${date}T${time}`;
}
