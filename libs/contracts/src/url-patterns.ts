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
  const expressions = tests.map(toExpression);
  return (path) => {
    const normal = normalise(path);
    return normal !== undefined && expressions.some((expression) => expression.test(normal));
  };
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

function toExpression(pattern: string): RegExp {
  let source = '';
  for (const part of pattern.replace(/\/$/, '').split('/').slice(1)) {
    if (part === '**') source += '(?:/.*)?';
    else
      source += `/${part
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*+/g, '[^/]*')
        .replace(/\?/g, '[^/]')}`;
  }
  return new RegExp(`^${source === '' ? '/' : source}$`, 'u');
}
