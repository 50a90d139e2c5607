import { perLocale } from '../../../../language/per-locale.ts';

const formatOf = (options: Intl.DateTimeFormatOptions) =>
  perLocale((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }));

const MONTH = formatOf({ month: 'short', year: 'numeric' });
const FORMATS: Readonly<Record<string, ReturnType<typeof formatOf>>> = {
  day: formatOf({ dateStyle: 'medium' }),
  week: formatOf({ dateStyle: 'medium' }),
  month: MONTH,
  // The month that it begins with.
  quarter: MONTH,
  year: formatOf({ year: 'numeric' }),
};

/** The text of a unit of time that begins on a day; undefined for units of hours and minutes. */
export function formatUnit(day: string, unit: string, locale: string): string | undefined {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? undefined : FORMATS[unit]?.(locale).format(date);
}
