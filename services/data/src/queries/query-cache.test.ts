import { buildModel, keyedEntity, quoteTable, string, tableOf } from '@lintel/metadata';
import { QueryCache } from './query-cache.ts';

const model = buildModel({
  entities: ['t_City', 't_Order'].map((name) => keyedEntity(name, { key: 'code', attributes: { code: string(5) } })),
});
const statement = { text: `SELECT c.code FROM ${quoteTable(tableOf({ name: 't_City' }))} c`, values: [] };

/** A cache for a database whose reads end when the test releases them. */
function cacheWithReads() {
  const cache = new QueryCache({ model, clock: { now: () => 0 }, maxStalenessMs: 60_000 });
  cache.setConnected(true);
  const pending: ((rows: readonly object[]) => void)[] = [];
  const database = cache.before({
    query: <R extends object>() =>
      new Promise<readonly R[]>((resolve) => pending.push((rows) => resolve(rows as readonly R[]))),
    stream: () => {
      throw new Error('not used');
    },
  });
  return { cache, pending, read: () => database.query(statement) };
}

test.each([
  ['an entity that the statement does not read', 't_Order', 1],
  ['an entity that the statement reads', 't_City', 2],
])('a result is cached unless its own data may have changed meanwhile: %s', async (_, changed, expectedReads) => {
  const { cache, pending, read } = cacheWithReads();
  const first = read();
  cache.dropEntities([changed]);
  pending[0]?.([{ code: 'BE' }]);
  await first;
  const second = read();
  pending[1]?.([{ code: 'BE' }]);
  expect(await second).toEqual([{ code: 'BE' }]);
  expect(pending).toHaveLength(expectedReads);
});

test('results of reads that ran while everything was dropped are not cached', async () => {
  const { cache, pending, read } = cacheWithReads();
  const first = read();
  cache.dropAll();
  pending[0]?.([]);
  await first;
  void read();
  expect(pending).toHaveLength(2);
});
