import type { ServerResponse } from 'node:http';

/**
 * The preferences of a `Prefer` header (RFC 7240): values by name, both in lower case; of several with one name the
 * first counts. Parameters of preferences are ignored.
 */
export function preferencesOf(header: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  if (header === undefined) return given;
  for (const item of String(header).split(',')) {
    const [preference = ''] = item.split(';', 1);
    const [name = '', ...value] = preference.split('=');
    const key = name.trim().toLowerCase();
    const text = value
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1');
    if (!given.has(key)) given.set(key, text.toLowerCase());
  }
  return given;
}

const APPLIED = 'Preference-Applied';

/** Adds a preference to those that the response names as applied (RFC 7240 §3), once. */
export function applyPreference(response: Pick<ServerResponse, 'getHeader' | 'setHeader'>, preference: string): void {
  const before = response.getHeader(APPLIED);
  if (before === undefined) response.setHeader(APPLIED, preference);
  else if (!String(before).split(', ').includes(preference))
    response.setHeader(APPLIED, `${String(before)}, ${preference}`);
}
