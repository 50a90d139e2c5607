import { batchesOf } from './batches-of.ts';

test('a request has at most 100 files, and what fits into its body', () => {
  const refs = Array.from({ length: 250 }, (_, at) => `fs://${at}?name=a`);
  expect(batchesOf(refs).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(batchesOf(refs).flat()).toEqual(refs);
  const long = refs.slice(0, 10).map((ref) => ref + 'ä'.repeat(3_500));
  expect(batchesOf(long).map(({ length }) => length)).toEqual([4, 4, 2]);
  expect(batchesOf([])).toEqual([]);
});
