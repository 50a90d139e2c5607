import { perLocale } from './per-locale.ts';

const formatOf = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }));

/** A moment in the zone of the device and the language of the page; empty for none. */
export const formatTime = (time: string | number | Date | null | undefined, locale: string): string =>
  time === null || time === undefined ? '' : formatOf(locale).format(new Date(time));
