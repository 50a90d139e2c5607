/** A moment in the zone and language of the user; empty for none. */
export const formatTime = (time: string | null | undefined, locale: string): string =>
  time === null || time === undefined
    ? ''
    : new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
