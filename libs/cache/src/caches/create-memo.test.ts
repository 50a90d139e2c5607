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
  const memo = createMemo<string, string>(declareCache({ ...facts, name: 'memo', staleness: 'of its versions' }));
  const made: string[] = [];
  const get = (key: string) =>
    memo.get(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect(memo.statistics()).toEqual({ hits: 2, misses: 4, evictions: 2, entries: 2 });
  memo.dropAll();
  get('a');
  expect(made).toEqual(['a', 'b', 'c', 'b', 'a']);
});

test('what can become wrong is refused', () => {
  const declaration = declareCache({ ...facts, name: 'changing', staleness: 1_000 });
  expect(() => createMemo(declaration)).toThrow('needs a cache that events end');
});
