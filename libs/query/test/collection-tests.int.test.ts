import { createDatabase, type Database } from '@lintel/persistence';
import { createSchemaFromModel } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { DATA } from './data.ts';
import { model } from './model.ts';
import { compileRequest } from './run-stages.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase({ key: model.version, build: (url) => createSchemaFromModel(url, model) }, 'query');
  for (const statement of DATA) await server.query(statement);
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 30_000,
    applicationName: 'query-test',
  });
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

interface Condition {
  readonly property: string;
  readonly operator: string;
  readonly value?: unknown;
}

type Group = { readonly group: 'AND' | 'OR'; readonly conditions: readonly Condition[] };

async function owners(condition: Condition | Group): Promise<readonly string[]> {
  const members = {
    filter: { conditions: [condition] },
    fetchPlan: { entity: 't_Owner', properties: [] },
    limit: 100,
  };
  const { text, values } = compileRequest({ operation: 'list', entityName: 't_Owner', members });
  const rows = await database.query<{ json: string }>({ text, values });
  return rows.map(({ json }) => JSON.parse(json).id as string).sort();
}

const condition = (property: string, operator: string, value?: unknown): Condition =>
  value === undefined ? { property, operator } : { property, operator, value };

/** Each is planned alone as an `EXISTS`, or two. */
const CONDITIONS: readonly Condition[] = [
  condition('name', '<>', 'Anna'),
  condition('nicknames', '<>', 'x'),
  condition('nicknames', 'isNull', true),
  condition('pets', 'notEmpty', true),
  condition('pets', 'isNull', true),
  ...['Rex', 'Tom', 'none'].map((name) => condition('pets.name', '=', name)),
  ...[1, 3, 5].map((age) => condition('pets.age', '>', age)),
  condition('pets.color', '=', 'RED'),
  condition('pets.color', 'isNull', true),
  condition('pets.passport.code', 'isNull', true),
  condition('pets.visits', 'isNull', true),
  condition('pets.visits.cost', '>', 10),
  condition('pets.visits.cost', '<=', 10),
  condition('pets.visits.cost', 'isNull', true),
  condition('pets.tags.label', 'contains', 'a'),
  condition('pets.tags.code', 'isNull', true),
  condition('pets.owner.name', '=', 'Anna'),
];

test('an AND of conditions finds what each of them finds, an OR what any of them does', async () => {
  const alone = new Map<Condition, readonly string[]>();
  for (const one of CONDITIONS) alone.set(one, await owners(one));
  const found = (one: Condition): readonly string[] => alone.get(one) ?? [];
  expect([...alone.values()].some((ids) => ids.length > 0)).toBe(true);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...CONDITIONS), { minLength: 2, maxLength: 14 }), async (conditions) => {
      const all = [...new Set(conditions.flatMap(found))];
      const kept = all.filter((id) => conditions.every((one) => found(one).includes(id)));
      expect(await owners({ group: 'AND', conditions })).toEqual(kept.sort());
      expect(await owners({ group: 'OR', conditions })).toEqual(all.sort());
    }),
    cases(150),
  );
});

/** The owner of a pet of an owner is that owner: such a path may go up and down as often as it likes. */
test.each(['name', 'level', 'nicknames', 'pets.name', 'pets.visits.cost', 'pets.tags.label'])(
  'a path that goes up and down to %s finds what the short one finds',
  async (leaf) => {
    for (const [operator, value] of [
      ['=', leaf === 'level' ? 'HIGH' : leaf.endsWith('cost') ? 10 : 'Rex'],
      ['<>', leaf === 'level' ? 'LOW' : leaf.endsWith('cost') ? 1 : 'x'],
      ['notEmpty', true],
    ] as const) {
      const short = await owners(condition(`pets.owner.${leaf}`, operator, value));
      for (const prefix of ['pets.owner.pets.owner', 'pets.owner.pets.owner.pets.owner.pets.owner'])
        expect(await owners(condition(`${prefix}.${leaf}`, operator, value))).toEqual(short);
    }
  },
);

test('so does a path to nothing', async () => {
  const short = await owners(condition('pets.color', 'isNull', true));
  for (const prefix of ['pets.owner', 'pets.owner.pets.owner', 'pets.owner.pets.owner.pets.owner'])
    expect(await owners(condition(`${prefix}.pets.color`, 'isNull', true))).toEqual(short);
});
