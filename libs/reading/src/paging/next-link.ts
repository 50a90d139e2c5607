/** Longer headers are refused by servers and proxies on the way. */
const MAX_CHARACTERS = 8_000;
/** The new cursor replaces the start position of the page; no response header may contain a token. */
const REPLACED = new Set(['cursor', 'offset', 'access_token']);

/**
 * The value of `Link` that refers to the next page (RFC 8288): the request's own path and parameters with another
 * cursor, relative to the address that the client used. After a search by body it refers to the same path, to which the
 * client sends the same body again.
 *
 * @param url path and query of the request, as received
 * @returns undefined if the address would be too long for a header: the client then searches by body
 */
export function nextLink(url: string, cursor: string): string | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const kept = query.split('&').filter((part) => part !== '' && !REPLACED.has(decodedName(part)));
  const target = `${path}?${[...kept, `cursor=${cursor}`].join('&')}`.replaceAll('>', '%3E');
  const link = `<${target}>; rel="next"`;
  return link.length > MAX_CHARACTERS ? undefined : link;
}

function decodedName(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // A broken escape is the name of no parameter.
    return name;
  }
}
