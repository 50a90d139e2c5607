import { preferencesOf } from '@lintel/http';

/** How the number of all matching instances is found. */
export type CountPreference = 'exact' | 'estimated' | 'none';

/** What the client asks for by `Prefer` (RFC 7240). What is not known is ignored. */
export interface ReadPreferences {
  readonly count?: CountPreference;
  /** `Server-Timing` in the answer. */
  readonly serverTiming?: true;
}

export const NO_PREFERENCES: ReadPreferences = Object.freeze({});

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
