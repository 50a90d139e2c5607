import { createDatabase, type Database } from '@lintel/persistence';
import { createSchemaFromModel } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { model } from '../model.ts';
import { compileRequest, type TestRequest } from '../run-stages.ts';
import { naiveTest, type Pet } from './naive.ts';

const idOf = (kind: number, at: number): string => `0000000${kind}-0000-4000-8000-${String(at).padStart(12, '0')}`;

/** Every mixture of missing and present values comes up. */
const PETS: readonly Pet[] = Array.from({ length: 72 }, (_, at): Pet => {
  const pick = <T>(list: readonly T[], step: number): T => list[Math.floor(at / step) % list.length] as T;
  return {
    id: idOf(1, at),
    name: pick(['ab', 'b', 'aab', 'c', 'abc'], 1),
    age: pick([null, 0, 3, 7, 10], 2),
    weight: pick([1.5, null, 4], 3),
    alive: pick([true, null, false], 5),
    color: pick(['RED', null, 'GREEN'] as const, 4),
    owner: pick([null, { name: 'ab', level: 'HIGH' }, { name: 'c', level: null }] as const, 6),
    visits: pick([[], [{ cost: 5 }], [{ cost: null }, { cost: 11 }]], 7),
  };
});
const OWNERS = ['ab', 'c'] as const;

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: model.version, build: (url) => createSchemaFromModel(url, model) },
    'agreement',
  );
  const text = (value: unknown): string => (value === null ? 'NULL' : `'${String(value)}'`);
  await server.query(`INSERT INTO t.owner (id, version, name, level) VALUES
    ('${idOf(2, 0)}', 1, 'ab', 2), ('${idOf(2, 1)}', 1, 'c', NULL)`);
  const colors = { RED: 'r', GREEN: 'g' } as const;
  for (const { id, name, age, weight, alive, color, owner, visits } of PETS) {
    const ownerId = owner === null ? null : idOf(2, OWNERS.indexOf(owner.name as (typeof OWNERS)[number]));
    const stored = color === null ? null : colors[color];
    await server.query(`INSERT INTO t.pet (id, version, name, age, weight, alive, color, owner_id) VALUES
      (${[id, 1, name, age, weight, alive, stored, ownerId].map(text).join(', ')})`);
    for (const { cost } of visits)
      await server.query(`INSERT INTO t.visit (pet_id, cost) VALUES ('${id}', ${text(cost)})`);
  }
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'agreement-test',
  });
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

async function run(request: Omit<TestRequest, 'entityName'>): Promise<readonly Record<string, unknown>[]> {
  const { text, values } = compileRequest({ entityName: 't_Pet', ...request });
  const rows = await database.query<{ json?: string; count?: string }>({ text, values });
  return rows.map(({ json, count }) => (json === undefined ? { count: Number(count) } : JSON.parse(json)));
}

const PLAN = { fetchPlan: { entity: 't_Pet', properties: [] } };

test('a query answers the instances that the naive evaluation keeps, and counts them', async () => {
  await fc.assert(
    fc.asyncProperty(naiveTest, async ({ text, of }) => {
      const kept = PETS.filter((pet) => of(pet) === true).map(({ id }) => id);
      const query = { text: `select p from t_Pet p where ${text} order by p.id` };
      const rows = await run({ operation: 'list', members: PLAN, query });
      expect(rows.map(({ id }) => id)).toEqual(kept);
      expect(await run({ operation: 'count', query })).toEqual([{ count: kept.length }]);
    }),
    cases(300),
  );
});

test('a join has a row for each member, distinct one for each instance', async () => {
  await fc.assert(
    fc.asyncProperty(naiveTest, async ({ text, of }) => {
      const kept = PETS.filter((pet) => of(pet) === true);
      const joined = kept.flatMap(({ id, visits }) => visits.map(() => id));
      const left = kept.flatMap(({ id, visits }) => (visits.length === 0 ? [id] : visits.map(() => id)));
      const ids = async (from: string): Promise<readonly unknown[]> =>
        (
          await run({ operation: 'list', members: PLAN, query: { text: `select ${from} where ${text} order by p.id` } })
        ).map(({ id }) => id);
      expect(await ids('p from t_Pet p join p.visits x')).toEqual(joined);
      expect(await ids('p from t_Pet p left join p.visits x')).toEqual(left);
      expect(await ids('distinct p from t_Pet p join p.visits x')).toEqual([...new Set(joined)]);
    }),
    cases(100),
  );
});

test('groups have the counts and sums of their rows', async () => {
  await fc.assert(
    fc.asyncProperty(naiveTest, fc.integer({ min: 1, max: 5 }), async ({ text, of }, least) => {
      const groups = new Map<string | null, Pet[]>();
      for (const pet of PETS.filter((one) => of(one) === true))
        groups.set(pet.color, [...(groups.get(pet.color) ?? []), pet]);
      const expected = [...groups].flatMap(([color, pets]) => {
        const ages = pets.flatMap(({ age }) => age ?? []);
        const total = ages.length === 0 ? null : ages.reduce((sum, age) => sum + age, 0);
        return pets.length < least ? [] : [{ color, pets: pets.length, ages: ages.length, total }];
      });
      const rows = await run({
        operation: 'list',
        members: { returnNulls: true },
        query: {
          text: `select p.color as color, count(p) as pets, count(p.age) as ages, sum(p.age) as total
            from t_Pet p where ${text} group by p.color having count(*) >= :least`,
          parameters: { least: 'int' },
          given: { least: String(least) },
        },
      });
      const byColor = (one: { color?: unknown }, other: { color?: unknown }): number =>
        String(one.color).localeCompare(String(other.color));
      expect(rows.toSorted(byColor)).toEqual(expected.toSorted(byColor));
    }),
    cases(100),
  );
});

test('orders put nulls where they are asked to be', async () => {
  const ages = async (order: string): Promise<readonly unknown[]> =>
    (
      await run({
        operation: 'list',
        members: { returnNulls: true },
        query: { text: `select p.age as age from t_Pet p order by p.age ${order}` },
      })
    ).map(({ age }) => age);
  const sorted = PETS.flatMap(({ age }) => age ?? []).toSorted((one, other) => one - other);
  const nulls = PETS.filter(({ age }) => age === null).map(() => null);
  expect(await ages('')).toEqual([...sorted, ...nulls]);
  expect(await ages('desc')).toEqual([...nulls, ...sorted.toReversed()]);
  expect(await ages('asc nulls first')).toEqual([...nulls, ...sorted]);
  expect(await ages('desc nulls last')).toEqual([...sorted.toReversed(), ...nulls]);
});
