import { declareCache } from './cache-declaration.ts';
import { createMemo } from './create-memo.ts';

const facts = {
  holds: 'texts',
  where: ['data'],
  keyedBy: 'version',
  maxEntries: 2,
  invalidatedBy: [],
  whileAway: 'nothing',
} as const;

test('a value is made once for a key; the least recently used one makes room', () => {
  const memo = createMemo<string, string>(declareCache({ ...facts, name: 'test-memo', staleness: 'of its versions' }));
  const made: string[] = [];
  const get = (key: string) =>
    memo.get(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect([memo.find('a'), memo.find('c')]).toEqual(['A', undefined]);
  expect(memo.statistics()).toEqual({ hits: 3, misses: 4, evictions: 2, entries: 2 });
  memo.dropAll();
  get('a');
  expect(made).toEqual(['a', 'b', 'c', 'b', 'a']);
});

test('large values make room for fewer, and the largest are not held', () => {
  const memo = createMemo<string, string>(
    declareCache({
      ...facts,
      name: 'test-memo-of-sizes',
      maxEntries: 100,
      maxSize: { max: 10, unit: 'characters' },
      staleness: 'of its versions',
    }),
    { of: (value) => value.length, largest: 6 },
  );
  const get = (key: string, length: number) => memo.get(key, () => key.repeat(length));
  get('a', 6);
  get('b', 5);
  expect(memo.statistics()).toMatchObject({ entries: 1, evictions: 1 });
  expect(get('c', 7)).toHaveLength(7);
  expect(memo.statistics()).toMatchObject({ entries: 1 });
  get('b', 5);
  expect(memo.statistics()).toMatchObject({ hits: 1 });
});

test('what can become wrong is refused', () => {
  const declaration = declareCache({ ...facts, name: 'test-changing-memo', staleness: 1_000, ownWrites: 'later' });
  expect(() => createMemo(declaration)).toThrow('needs a cache that events end');
});
