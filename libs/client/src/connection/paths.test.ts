import { pathOf } from './paths.ts';

test.each(['', '.', '..'])('the id %j would address another resource, and is refused', (id) => {
  expect(() => pathOf('/rest/entities', 'E', id)).toThrow(TypeError);
});

test.each<[string | number | bigint | object, string]>([
  ['a/b?c', 'a%2Fb%3Fc'],
  ['...', '...'],
  [0, '0'],
  [9007199254740993n, '9007199254740993'],
  [{ a: 1 }, 'eyJhIjoxfQ'],
])('the id %p is one segment', (id, segment) => {
  expect(pathOf('/rest/entities', id)).toBe(`/rest/entities/${segment}`);
});
