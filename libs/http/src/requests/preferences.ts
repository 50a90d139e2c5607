/**
 * What a client asks for by `Prefer` (RFC 7240): values by name, both in lower case; the first of two equal
 * preferences counts. Parameters of preferences are left out.
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
