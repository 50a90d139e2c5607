const MAX_LENGTH = 2_000;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Why codes and browsers must not be sent to an address (RFC 9700 §2.1, RFC 8252 §7); undefined if they may. Allowed
 * are `https`, `http` of a loopback address, and schemes of an application, which have the name of a domain in them.
 */
export function redirectProblem(uri: string): string | undefined {
  // Parsers read the first ones in different ways; the last one is half a character.
  if (uri.length > MAX_LENGTH || /[\s\\\p{Cc}\p{Cs}]/u.test(uri) || !URL.canParse(uri))
    return `must be an absolute URL of at most ${MAX_LENGTH} characters`;
  if (uri.includes('#')) return 'must not have a fragment';
  if (uri.includes('*')) return 'must not have a wildcard';
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return 'must not have a user or password';
  if (protocol === 'https:') return hostname === '' ? 'must have a host' : undefined;
  if (protocol === 'http:')
    return LOOPBACK.has(hostname) ? undefined : 'must be https, unless it is a loopback address';
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)
    ? undefined
    : 'must have the scheme https, or one of an application, as com.example.app';
}
