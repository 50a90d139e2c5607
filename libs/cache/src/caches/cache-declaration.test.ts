import { type CacheFacts, declareCache, declaredCaches } from './cache-declaration.ts';
import { CacheEntries } from './cache-entries.ts';

const facts: CacheFacts = {
  name: 'test-b',
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
  const first = declareCache({ ...facts, name: 'test-a' });
  expect(declaredCaches().filter((declared) => [second, first].includes(declared))).toEqual([first, second]);
  expect(() => declareCache(facts)).toThrow('There are two caches named test-b');
});

test('what never changes has no events', () => {
  expect(() => declareCache({ ...facts, name: 'test-c', staleness: 'of its versions' })).toThrow('never changes');
});

test('an entry that can be stale says when own changes are seen', () => {
  const { ownWrites: _, ...silent } = facts;
  expect(() => declareCache({ ...silent, name: 'test-f' })).toThrow(
    'does not declare when clients see their own changes',
  );
});

test('a cache cannot be made without the bound that its declaration names', () => {
  const clock = { now: () => 0 };
  const declaration = declareCache({ ...facts, name: 'test-d' });
  expect(() => new CacheEntries({ declaration, clock })).toThrow('The cache test-d needs a staleness bound');
  const own = declareCache({ ...facts, name: 'test-e', staleness: 10 });
  expect(() => new CacheEntries({ declaration: own, clock })).not.toThrow();
});
