import { type CacheFacts, declareCache, declaredCaches } from './cache-declaration.ts';
import { CacheEntries } from './cache-entries.ts';

const facts: CacheFacts = {
  name: 'b',
  holds: 'texts',
  where: ['data'],
  keyedBy: 'text',
  maxEntries: 10,
  invalidatedBy: ['data.user.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'later',
  whileAway: 'nothing',
};

test('declarations are found by the order of their names, and no name comes twice', () => {
  const second = declareCache(facts);
  const first = declareCache({ ...facts, name: 'a' });
  expect(declaredCaches()).toEqual([first, second]);
  expect(() => declareCache(facts)).toThrow('There are two caches named b');
});

test('what never changes has no events', () => {
  expect(() => declareCache({ ...facts, name: 'c', staleness: 'of its versions' })).toThrow('never changes');
});

test('an entry that can be stale says when own changes are seen', () => {
  const { ownWrites: _, ...silent } = facts;
  expect(() => declareCache({ ...silent, name: 'f' })).toThrow('does not declare when clients see their own changes');
});

test('a cache cannot be made without the bound that its declaration names', () => {
  const clock = { now: () => 0 };
  const declaration = declareCache({ ...facts, name: 'd' });
  expect(() => new CacheEntries({ declaration, clock })).toThrow('The cache d needs a staleness bound');
  const own = declareCache({ ...facts, name: 'e', staleness: 10 });
  expect(() => new CacheEntries({ declaration: own, clock })).not.toThrow();
});
