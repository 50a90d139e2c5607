import { cases, fc } from '@lintel/testkit/properties';
import { parseByteRanges } from './byte-ranges.ts';

// Asserts contract/files.md#download.
test.each([
  ['bytes=0-0', [{ start: 0, end: 0 }]],
  ['bytes=2-5', [{ start: 2, end: 5 }]],
  ['bytes=2-', [{ start: 2, end: 9 }]],
  ['bytes=2-99', [{ start: 2, end: 9 }]],
  ['bytes=-3', [{ start: 7, end: 9 }]],
  ['bytes=-99', [{ start: 0, end: 9 }]],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['Bytes = 0-1', [{ start: 0, end: 1 }]],
  ['bytes=0-1,3-4', [{ start: 0, end: 4 }]],
  ['bytes=8-,0-3,2-5', [{ start: 0, end: 9 }]],
  ['bytes=0-1,20-30', [{ start: 0, end: 1 }]],
  ['bytes=20-30,40-', 'unsatisfiable'],
  ['bytes=0-1,x', undefined],
  ['bytes=0-1,5-2', undefined],
  ['bytes=,,0-1,', [{ start: 0, end: 1 }]],
  ['bytes=,', undefined],
  ['items=0-1', undefined],
  [undefined, undefined],
])('of ten bytes, %j is %j', (header, expected) => {
  expect(parseByteRanges(header, 10)).toEqual(expected);
});

test('nothing can be had of an empty file', () => {
  expect(parseByteRanges('bytes=0-', 0)).toBe('unsatisfiable');
});

// Asserts contract/files.md#download.
test('ranges far apart stay in the order of the header', () => {
  expect(parseByteRanges('bytes=5000-5009,-10,0-0', 10_000)).toEqual([
    { start: 5000, end: 5009 },
    { start: 9990, end: 9999 },
    { start: 0, end: 0 },
  ]);
});

test('ranges that overlap, touch or nearly touch are one, where the first of them stood', () => {
  expect(parseByteRanges('bytes=9000-9009,500-599,0-99,600-699,50-60,800-899', 10_000)).toEqual([
    { start: 9000, end: 9009 },
    { start: 500, end: 899 },
    { start: 0, end: 99 },
  ]);
});

// Asserts contract/files.md#download.
test('very many ranges are the whole file', () => {
  const header = (count: number): string =>
    `bytes=${Array.from({ length: count }, (_, index) => `${index * 1000}-${index * 1000}`).join(',')}`;
  expect(parseByteRanges(header(50), 1_000_000)).toHaveLength(50);
  expect(parseByteRanges(header(51), 1_000_000)).toBeUndefined();
});

// Asserts contract/files.md#download.
test('no header asks for a byte twice, and none that was asked for is missing', () => {
  const range = fc.tuple(fc.nat(3000), fc.nat(3000)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 20 }), (asked) => {
      const header = `bytes=${asked.map(({ start, end }) => `${start}-${end}`).join(',')}`;
      const got = parseByteRanges(header, 3001);
      if (got === undefined || got === 'unsatisfiable') throw new Error('refused');
      const times = new Array<number>(3001).fill(0);
      for (const { start, end } of got) for (let at = start; at <= end; at += 1) times[at] = (times[at] ?? 0) + 1;
      expect(Math.max(...times)).toBe(1);
      for (const { start, end } of asked) expect(times.slice(start, end + 1).every((count) => count === 1)).toBe(true);
    }),
    cases(200),
  );
});
