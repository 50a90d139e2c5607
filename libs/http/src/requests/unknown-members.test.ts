import { handlingOf, unknownMembersOf, unknownParameters } from './unknown-members.ts';

const KNOWN = new Set(['limit', 'filter']);

test.each([
  ['/x', []],
  ['/x?', []],
  ['/x?limit=1&filter=%7B%7D', []],
  ['/x?limit', []],
  ['/x?lim%69t=1', []],
  ['/x?a=1&limit=2&b&a=3&=4&&', ['a', 'b']],
  ['/x?a%20b=1&c+d=1&%ff=1', ['a b', 'c d', '%ff']],
  ['/x?a=b=c&__proto__=1', ['a', '__proto__']],
])('the unknown parameters of %s are %j', (url, names) => {
  expect(unknownParameters(url, KNOWN)).toEqual(names);
});

test('unknown names are limited, however many there are', () => {
  const url = `/x?${Array.from({ length: 5_000 }, (_, at) => `a${at}`).join('&')}`;
  expect(unknownParameters(url, KNOWN)).toHaveLength(21);
  expect(unknownMembersOf(Object.fromEntries(url.split('&').map((name) => [name, 1])), KNOWN)).toHaveLength(21);
});

test('handling=strict refuses; the setting refuse cannot be made lenient', () => {
  expect(handlingOf({}, 'name')).toBe('name');
  expect(handlingOf({ prefer: 'count=exact, handling=strict' }, 'ignore')).toBe('refuse');
  expect(handlingOf({ prefer: 'handling=lenient' }, 'name')).toBe('name');
  expect(handlingOf({ prefer: 'handling=lenient' }, 'refuse')).toBe('refuse');
});
