import { preferencesOf } from '@lintel/http';
import { type CountPreference, NO_PREFERENCES, type ReadPreferences } from '@lintel/reading';

const COUNTS: ReadonlySet<string> = new Set(['exact', 'estimated', 'none'] satisfies CountPreference[]);

/** Reads the `Prefer` header. */
export function parsePreferences(header: string | string[] | undefined): ReadPreferences {
  if (header === undefined) return NO_PREFERENCES;
  const given = preferencesOf(header);
  const count = given.get('count');
  return {
    ...(count !== undefined && COUNTS.has(count) ? { count: count as CountPreference } : {}),
    ...(given.has('server-timing') ? { serverTiming: true } : {}),
  };
}
