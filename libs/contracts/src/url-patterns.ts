/**
 * Matches URL paths against patterns with `?` (one character), `*` (inside one segment) and `**` (any
 * number of segments), contract/tokens.md#url-patterns. The gateway and every service use this one
 * function, so that they cannot disagree on what is anonymous.
 *
 * The path is compared after percent-decoding and without a trailing slash; a path with `.` or `..`
 * segments, an encoded slash or a broken escape matches nothing.
 */
export function createUrlMatcher(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '');
  const expressions = tests.map((pattern) => toExpression(pattern));
  return (path) => {
    const normal = normalise(path);
    return normal !== undefined && expressions.some((expression) => expression.test(normal));
  };
}

/**
 * Matches paths that need more than others: what could be read in two ways counts as the more dangerous reading. Each
 * segment is decoded by itself, as routers do; case, empty segments and a trailing slash do not matter.
 */
export function createUrlGuard(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '');
  const expressions = tests.map((pattern) => toExpression(pattern, 'iu'));
  return (path) => {
    const segments = (path.split(/[?#]/, 1)[0] ?? '').split('/').filter((segment) => segment !== '');
    const normal = `/${segments.map(decodedSegment).join('/')}`;
    return expressions.some((expression) => expression.test(normal));
  };
}

/** A slash in a segment separates nothing. */
function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '\uFFFD');
  } catch {
    return segment;
  }
}

function normalise(path: string): string | undefined {
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  if (/%2f|%5c|\\|;/i.test(bare)) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(bare);
  } catch {
    return undefined;
  }
  const segments = decoded.split('/');
  if (segments.includes('.') || segments.includes('..')) return undefined;
  if (segments.slice(1, -1).includes('')) return undefined;
  return decoded.length > 1 ? decoded.replace(/\/$/, '') : decoded;
}

function toExpression(pattern: string, flags = 'u'): RegExp {
  let source = '';
  for (const part of pattern.replace(/\/$/, '').split('/').slice(1)) {
    if (part === '**') source += '(?:/.*)?';
    else
      source += `/${part
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*+/g, '[^/]*')
        .replace(/\?/g, '[^/]')}`;
  }
  return new RegExp(`^${source === '' ? '/' : source}$`, flags);
}
