import { parseByteRange } from './byte-range.ts';

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-5', { start: 2, end: 5 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=2-99', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0-1,3-4', undefined],
  ['items=0-1', undefined],
  [undefined, undefined],
])('of ten bytes, %j is %j', (header, expected) => {
  expect(parseByteRange(header, 10)).toEqual(expected);
});

test('nothing can be had of an empty file', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
});
