/** Longer headers are refused by servers and proxies on the way. */
const MAX_CHARACTERS = 8_000;
/** A page begins at one place; a token belongs into no header of an answer. */
const REPLACED = new Set(['cursor', 'offset', 'access_token']);

/**
 * The value of `Link` that leads to the next page (RFC 8288): the request's own path and parameters with
 * another cursor, relative to the address that the client used. After a search by body it leads to the same
 * path, to be sent the same body again.
 *
 * @param url path and query of the request, as it came
 * @returns undefined where the address would be too long for a header: the client then searches by body
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
