import { compileJsonPath, valuesAt } from './read-json.ts';
import { withinTime } from './within-time.ts';

const tooLong = () => new Error('too long');

test('a value and an error of the work are passed on', () => {
  expect(withinTime(() => [1, 2], 1_000, tooLong)).toEqual([1, 2]);
  expect(() =>
    withinTime(
      () => {
        throw new RangeError('own');
      },
      1_000,
      tooLong,
    ),
  ).toThrow(RangeError);
});

test.each([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['a regular expression', () => /^(a+)+$/.test(`${'a'.repeat(50)}b`)],
] as const)('%s that takes too long is ended', (_, work) => {
  expect(() => withinTime(work as () => unknown, 50, tooLong)).toThrow('too long');
  expect(withinTime(() => 'next', 1_000, tooLong)).toBe('next');
});

const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1), deep(depth - 1)]);

test.each([
  ['a regular expression in a path', "$[?search(@.a, '^(a+)+$')]", [{ a: `${'a'.repeat(50)}b` }]],
  ['a path that finds everything again and again', '$..*..*..*..*', deep(12)],
])('%s is refused by name', (_, path, document) => {
  expect(() => valuesAt(compileJsonPath(path), document, path, 200)).toThrow(
    expect.objectContaining({
      code: 'REPORT_RUN_ERROR',
      message: expect.stringContaining('takes more than 200 ms'),
    }),
  );
});
