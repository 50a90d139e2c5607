import { declareCache } from './cache-declaration.ts';
import { CacheEntries } from './cache-entries.ts';

const WORDS = declareCache({
  name: 'test-words',
  holds: 'words',
  where: ['data'],
  keyedBy: 'letter',
  maxEntries: 100,
  maxSize: { max: 10, unit: 'characters' },
  invalidatedBy: ['data.user.changed.v1'],
  staleness: 1_000,
  ownWrites: 'later',
  whileAway: 'nothing',
});

const create = (dropped: string[] = []) =>
  new CacheEntries<string, string>({
    declaration: WORDS,
    clock: { now: () => 0 },
    size: { of: (word) => word.length, largest: 6 },
    onDropped: (word) => dropped.push(word),
  });

test('entries make room by size, and a large one is not held at all', () => {
  const words = create();
  for (const word of ['apple', 'beer', 'cheese']) words.keep(word.slice(0, 1), word, 0);
  expect(['a', 'b', 'c'].map((letter) => words.get(letter))).toEqual([undefined, 'beer', 'cheese']);
  words.keep('d', 'doughnut', 0);
  expect(words.get('d')).toBeUndefined();
  expect(words.meter.statistics()).toEqual({ hits: 2, misses: 2, evictions: 1, entries: 2 });
});

test('dropped and replaced entries are reported', () => {
  const dropped: string[] = [];
  const words = create(dropped);
  words.keep('a', 'ant', 0);
  words.keep('a', 'ape', 0);
  words.keep('b', 'bee', 0);
  words.dropWhere((word) => word === 'bee');
  expect(dropped).toEqual(['ant', 'bee']);
  expect(words.get('b')).toBeUndefined();
  words.dropAll();
  expect(dropped).toEqual(['ant', 'bee', 'ape']);
});
