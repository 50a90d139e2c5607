const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)$/;

/** A moment of the API in the form of an input for local times, in the zone of the user; empty without a moment. */
export function readLocalTime(moment: string): string {
  const time = new Date(moment).getTime();
  // A browser reads dates from other texts, too: `infinity 1` as one of 2001.
  if (!MOMENT.test(moment) || Number.isNaN(time)) return '';
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().replace('Z', '');
}

/** The moment of the API that an input for local times has; undefined while the input is not complete. */
export function writeLocalTime(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
