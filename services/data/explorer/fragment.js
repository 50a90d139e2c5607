/**
 * The operation that a fragment names by its id, or by a request whose values fill in its form.
 *
 * @returns {{ id: string } | { method: string, target: string, body?: string }}
 */
export function readFragment(hash) {
  const { method, target, body } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return method === undefined || target === undefined ? { id: decoded(hash.slice(1)) } : { method, target, body };
}

/** A text without its escapes; as it is if they are wrong, for a page is opened with any fragment. */
export function decoded(raw) {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
