import { isLike } from './like-pattern.ts';

test.each([
  ['', '', true],
  ['', '%', true],
  ['', '_', false],
  ['a', '', false],
  ['abc', 'abc', true],
  ['abc', 'ABC', false],
  ['abc', 'ab', false],
  ['abc', 'a%', true],
  ['abc', '%c', true],
  ['abc', '%b%', true],
  ['abc', '%%', true],
  ['abc', 'a_c', true],
  ['abc', 'a_', false],
  ['abc', '___', true],
  ['abc', '%_', true],
  ['abab', '%ab', true],
  ['ababa', '%ab', false],
  ['aab', '%_ab', true],
  ['abcabd', 'a%bd', true],
  ['mississippi', 'm%iss%ip_i', true],
  ['mississippi', 'm%iss%ip_x', false],
  ['two\nlines', 'two%lines', true],
  ['😀', '_', true],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
  ['(a|b)*', '(a|b)*', true],
])('%j like %j: %s', (text, pattern, expected) => {
  expect(isLike(text, pattern, '\\')).toBe(expected);
});

test.each([
  ['100%', '100\\%', '\\', true],
  ['1000', '100\\%', '\\', false],
  ['a_b', 'a!_b', '!', true],
  ['axb', 'a!_b', '!', false],
  ['a!b', 'a!!b', '!', true],
  ['a\\b', 'a\\b', '!', true],
  ['a\\b', 'a\\_', '', true],
  ['ab', 'a%%b', '%', false],
  ['a%b', 'a%%b', '%', true],
])('%j like %j escape %j: %s', (text, pattern, escapeCharacter, expected) => {
  expect(isLike(text, pattern, escapeCharacter)).toBe(expected);
});

test('a pattern of many wildcards that almost fits is answered without trying all ways to fit it', () => {
  const text = 'a'.repeat(5_000);
  expect(isLike(text, `${'%a'.repeat(200)}%b`, '\\')).toBe(false);
  expect(isLike(text, `${'%a_'.repeat(200)}%`, '\\')).toBe(true);
});
