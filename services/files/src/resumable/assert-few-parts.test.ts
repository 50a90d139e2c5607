import { assertFewParts } from './receive-bytes.ts';

const MEBIBYTE = 1024 * 1024;

test.each([
  [9_999, 9_999],
  [10_000, 10_000 * MEBIBYTE],
  [40_000, 40_000 * 8 * MEBIBYTE],
])('%i parts with %i bytes may be continued', (count, sizeBytes) => {
  expect(() => assertFewParts(count, sizeBytes)).not.toThrow();
});

// Asserts contract/files.md#resumable.
test('ten thousand small parts may not', () => {
  expect(() => assertFewParts(10_000, 10_000)).toThrow(
    expect.objectContaining({ code: 'FILE_INVALID_UPLOAD', details: expect.stringContaining('10000 parts') }),
  );
});
