const ZONE = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/;

/** The name of a time zone; undefined for an unknown one. */
export function zoneNamed(given: unknown): string | undefined {
  if (typeof given !== 'string' || !ZONE.test(given)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
