/** A moment of the API in the form of an input for local times, in the zone of the user; empty without a moment. */
export function readLocalTime(moment: string): string {
  const time = new Date(moment).getTime();
  if (Number.isNaN(time)) return '';
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().replace('Z', '');
}

/** The moment of the API that an input for local times has; undefined while the input is not complete. */
export function writeLocalTime(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
