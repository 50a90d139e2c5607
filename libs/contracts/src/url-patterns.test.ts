import { createUrlMatcher } from './url-patterns.ts';

const matches = (pattern: string, path: string): boolean => createUrlMatcher([pattern])(path);

// Asserts contract/tokens.md#url-patterns.
test.each([
  ['/rest/entities/E', '/rest/entities/E', true],
  ['/rest/entities/E', '/rest/entities/E/', true],
  ['/rest/entities/E', '/rest/entities/E/1', false],
  ['/rest/entities/E/*', '/rest/entities/E/1', true],
  ['/rest/entities/E/*', '/rest/entities/E', false],
  ['/rest/entities/E/*', '/rest/entities/E/1/2', false],
  ['/rest/docs/**', '/rest/docs', true],
  ['/rest/docs/**', '/rest/docs/openapi.json', true],
  ['/rest/docs/**', '/rest/docsx', false],
  ['/rest/*.json', '/rest/a.json', true],
  ['/rest/?', '/rest/a', true],
  ['/rest/?', '/rest/ab', false],
])('%s and %s: %s', (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

// Asserts contract/tokens.md#url-patterns.
test.each([
  '/rest/docs/../entities/sec_User',
  '/rest/docs/%2e%2e/entities/sec_User',
  '/rest/docs/%2F..%2Fentities',
  '/rest/docs//x',
  '/rest/docs/%zz',
  '/rest/docs/a;b',
  '/rest/docs\\x',
])('a path that could be read in two ways matches nothing: %s', (path) => {
  expect(matches('/rest/docs/**', path)).toBe(false);
});

test('the query string does not take part', () => {
  expect(matches('/rest/docs/*', '/rest/docs/openapi.json?x=/a/b')).toBe(true);
});

// Asserts contract/tokens.md#url-patterns.
test('blank patterns are ignored', () => {
  expect(createUrlMatcher(['', ' '])('/')).toBe(false);
});
