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

/** Reads the `Prefer` header; the first of two equal preferences counts. */
export function parsePreferences(header: string | string[] | undefined): ReadPreferences {
  if (header === undefined) return NO_PREFERENCES;
  const given = new Map<string, string>();
  for (const item of String(header).split(',')) {
    const [preference = ''] = item.split(';', 1);
    const [name = '', ...value] = preference.split('=');
    const key = name.trim().toLowerCase();
    if (!given.has(key))
      given.set(
        key,
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .toLowerCase(),
      );
  }
  const count = given.get('count');
  return {
    ...(count !== undefined && COUNTS.has(count) ? { count: count as CountPreference } : {}),
    ...(given.has('server-timing') ? { serverTiming: true } : {}),
  };
}
