/**
 * The form in which two spellings of one key are equal: `svc.rest.entity-max-fetch-size`,
 * `svc.rest.entityMaxFetchSize` and `SVC_REST_ENTITY_MAX_FETCH_SIZE` (contract/decisions.md#40).
 */
export const normalKey = (key: string): string => key.replace(/[._-]/g, '').toLowerCase();

/** Whether a key, in any spelling, begins with the platform's prefix. */
export const hasPropertyPrefix = (key: string): boolean => /^svc[._]/i.test(key);

/** Environment spelling of a property: `svc.rest.base-path` → `SVC_REST_BASE_PATH`. */
export const environmentName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[.-]/g, '_')
    .toUpperCase();

/**
 * The part of `key` after `prefix`, without separators at its start; undefined if `key` does not begin
 * with the prefix or no separator follows it.
 */
export function restAfter(prefix: string, key: string): string | undefined {
  const wanted = normalKey(prefix);
  let matched = 0;
  let position = 0;
  while (position < key.length && matched < wanted.length) {
    const character = key.charAt(position);
    position += 1;
    if (/[._-]/.test(character)) continue;
    if (character.toLowerCase() !== wanted.charAt(matched)) return undefined;
    matched += 1;
  }
  if (matched < wanted.length || !/[._-]/.test(key.charAt(position))) return undefined;
  const rest = key.slice(position).replace(/^[._-]+/, '');
  return rest === '' ? undefined : rest;
}
