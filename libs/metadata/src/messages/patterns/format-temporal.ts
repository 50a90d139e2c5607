import { FormatError } from './format-error.ts';

const ISO =
  /^(?:(\d{4,})-(\d{2})-(\d{2}))?T?(?:(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:\d{2})?( BC)?$/;
/** Letters of the same kind, quoted text, or anything else. */
const TOKENS = /([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']+/g;

interface Moment {
  readonly year?: string;
  readonly month?: string;
  readonly day?: string;
  readonly hour?: string;
  readonly minute?: string;
  readonly second: string;
  readonly fraction: string;
  readonly offset?: string;
  /** ` BC`, or empty. */
  readonly era: string;
}

/**
 * Writes an ISO date, time or both by a pattern of `y M d E H h m s S a X Z` and quoted text
 * (`dd.MM.yyyy HH:mm`); names of months and weekdays in the language of the locale.
 * Infinite ones stay as they are, and a text with a year before Christ ends with its era.
 *
 * @throws FormatError if the pattern needs a part that the value does not have
 */
export function formatTemporal(iso: string, pattern: string, locale: string): string {
  if (/^-?infinity$/.test(iso)) return iso;
  const match = ISO.exec(iso);
  if (match === null || iso === '') throw new FormatError(`${iso} is no date or time`);
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset, era = ''] = match;
  const moment = { year, month, day, hour, minute, second, fraction, offset, era } as Moment;
  let hasYear = false;
  const text = pattern.replace(TOKENS, (token, letter: string | undefined, quoted: string | undefined) => {
    hasYear ||= letter === 'y' || letter === 'u';
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    return letter === undefined ? token : fieldOf(letter, token.length, moment, { iso, pattern, locale });
  });
  return hasYear ? `${text}${era}` : text;
}

interface Request {
  readonly iso: string;
  readonly pattern: string;
  readonly locale: string;
}

function fieldOf(letter: string, length: number, moment: Moment, request: Request): string {
  switch (letter) {
    case 'y':
    case 'u':
      return length === 2 ? need(moment.year, request).slice(-2) : padded(need(moment.year, request), length);
    case 'M':
    case 'L':
      return length <= 2 ? padded(need(moment.month, request), length) : monthName(moment, length, request);
    case 'd':
      return padded(need(moment.day, request), length);
    case 'E':
      return weekdayName(moment, length, request);
    case 'H':
      return padded(need(moment.hour, request), length);
    case 'h':
      return padded(String(((Number(need(moment.hour, request)) + 11) % 12) + 1), length);
    case 'm':
      return padded(need(moment.minute, request), length);
    case 's':
      need(moment.hour, request);
      return padded(moment.second, length);
    case 'S':
      need(moment.hour, request);
      return moment.fraction.padEnd(length, '0').slice(0, length);
    case 'a':
      return Number(need(moment.hour, request)) < 12 ? 'AM' : 'PM';
    case 'X':
      return length === 3 ? need(moment.offset, request) : offsetDigits(need(moment.offset, request));
    case 'Z':
      return offsetDigits(need(moment.offset, request).replace('Z', '+00:00'));
    default:
      throw new FormatError(`The date format ${request.pattern} has the unknown letter ${letter}`);
  }
}

function need(part: string | undefined, { iso, pattern }: Request): string {
  if (part === undefined) throw new FormatError(`${iso} cannot be formatted as ${pattern}`);
  return part;
}

const padded = (digits: string, length: number): string => digits.replace(/^0+(?=\d)/, '').padStart(length, '0');
const offsetDigits = (offset: string): string => offset.replace(':', '');

function monthName(moment: Moment, length: number, request: Request): string {
  return named(moment, request, { month: length === 3 ? 'short' : 'long' });
}

function weekdayName(moment: Moment, length: number, request: Request): string {
  return named(moment, request, { weekday: length <= 3 ? 'short' : 'long' });
}

function named(moment: Moment, request: Request, options: Intl.DateTimeFormatOptions): string {
  const [year = 0, month = 1, day] = [moment.year, moment.month, moment.day].map((part) => Number(need(part, request)));
  // The calendar repeats after 400 years, and a date of JavaScript has no year below 100 or above 275760.
  const alike = 2000 + ((((moment.era === '' ? year : 1 - year) % 400) + 400) % 400);
  const noon = new Date(Date.UTC(alike, month - 1, day, 12));
  return new Intl.DateTimeFormat(request.locale.replaceAll('_', '-'), { ...options, timeZone: 'UTC' }).format(noon);
}
