/** The text of a URL's fragment; as it is if its escapes are wrong, for a page is opened with any. */
export function textOfFragment(hash) {
  const raw = hash.slice(1);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
