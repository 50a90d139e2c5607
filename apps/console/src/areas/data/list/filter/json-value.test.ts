import { isOfJsonType, jsonTypeOf, toJsonType } from './json-value.ts';

test.each([
  ['5', 'number', 5],
  [['5', '0.25'], 'number', [5, 0.25]],
  ['five', 'number', 'five'],
  [5, 'text', '5'],
  ['true', 'boolean', true],
  ['yes', 'boolean', 'yes'],
  ['', 'number', ''],
  [undefined, 'number', undefined],
] as const)('%j as %s is %j', (value, type, expected) => {
  expect(toJsonType(value, type)).toEqual(expected);
});

test('the type of a value is that of its JSON', () => {
  expect([5, false, 'a', [1], [], undefined].map(jsonTypeOf)).toEqual([
    'number',
    'boolean',
    'text',
    'number',
    'text',
    'text',
  ]);
  expect([isOfJsonType([1, 'a'], 'number'), isOfJsonType([1, 2], 'number'), isOfJsonType('5', 'number')]).toEqual([
    false,
    true,
    false,
  ]);
});
