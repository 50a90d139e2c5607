import { type AttributeBuilder, buildModel, type Model, standardEntity, string } from '@lintel/metadata';
import { compareWithModel, detectDrift, revertMigrations, runMigrations, type SchemaDifference } from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';

let server: TestDatabase;
beforeAll(async () => {
  server = await createTestDatabase('chains');
});
afterAll(() => server.drop());

/** Entities with tables of their own and entities in the table of a root, from a name or a former and a present one. */
function modelOf(entities: readonly string[], attributes: readonly string[]): Model {
  const split = (text: string) => text.split('>') as [string, string?];
  const renamed = (former: string | undefined) => (former === undefined ? {} : { renamedFrom: former });
  return buildModel({
    entities: [
      ...SYSTEM_ENTITIES,
      standardEntity('zoo_Animal', { inheritance: { strategy: 'single-table' }, attributes: { food: string(9) } }),
      ...entities.map(split).flatMap(([name, former]) => [
        standardEntity(`shop_${name}`, {
          ...renamed(former && `shop_${former}`),
          history: true,
          attributes: Object.fromEntries(
            attributes.map(split).map(([attribute, before]): [string, AttributeBuilder<string>] => {
              const text = string(9).unique();
              return [attribute, before === undefined ? text : text.renamedFrom(before)];
            }),
          ),
        }),
        standardEntity(`zoo_${name}`, { extends: 'zoo_Animal', ...renamed(former && `zoo_${former}`), attributes: {} }),
      ]),
    ],
  });
}

const BEFORE = modelOf(['A', 'B'], ['one', 'two']);
const CHAIN = modelOf(['B>A', 'C>B'], ['two>one', 'three>two']);

const ROWS = [
  { name: 'a', one: '1', two: '2', kind: 'zoo_A' },
  { name: 'b', one: '3', two: '4', kind: 'zoo_B' },
];

/** The recorded rows. */
async function entries(...names: readonly [string, string]): Promise<readonly string[]> {
  const [first, second] = names.map((name) => `after ->> '${name}'`);
  const rows = await server.query(
    `SELECT concat_ws(' ', source, ${first}, ${second}) AS entry FROM history.entry ORDER BY id`,
  );
  return rows.map(({ entry }) => String(entry));
}

test('names of tables, columns and rows that follow one another are renamed in one step', async () => {
  const { url } = server;
  const first = { name: '1795000000000-initial', ...(await compareWithModel({ url, model: BEFORE, migrations: [] })) };
  await runMigrations({ url, migrations: [first] });
  for (const { name, one, two, kind } of ROWS)
    await server.query(`INSERT INTO shop.${name} (id, version, one, two) VALUES (gen_random_uuid(), 1, '${one}', '${two}');
      INSERT INTO zoo.animal (id, version, entity_name) VALUES (gen_random_uuid(), 1, '${kind}')`);

  const { up, down, losses, warnings } = await compareWithModel({ url, model: CHAIN, migrations: [first] });
  expect([losses, up.filter((each) => /CREATE|DROP|ADD/.test(each))]).toEqual([[], []]);
  expect(warnings).toContain(
    `rows of "zoo"."animal" that are 'zoo_A' become 'zoo_B': a misspelt former name changes none`,
  );
  const migrations = [first, { name: '1795000000001-renamed', up, down }];
  await runMigrations({ url, migrations });
  expect(await detectDrift({ url, model: CHAIN, migrations })).toMatchObject({ fits: true, findings: [] });
  expect([
    ...(await server.query('SELECT two, three FROM shop.b')),
    ...(await server.query('SELECT two, three FROM shop.c')),
    ...(await server.query('SELECT entity_name FROM zoo.animal ORDER BY 1')),
  ]).toEqual([{ two: '1', three: '2' }, { two: '3', three: '4' }, { entity_name: 'zoo_B' }, { entity_name: 'zoo_C' }]);
  expect(await entries('two', 'three')).toEqual(['shop.b 1 2', 'shop.c 3 4']);
  const done = modelOf(['B', 'C'], ['two', 'three']);
  expect(await compareWithModel({ url, model: done, migrations })).toMatchObject({ up: [], down: [] });
  await expect(compareWithModel({ url, model: CHAIN, migrations })).rejects.toThrow('which is obsolete');

  await revertMigrations({ url, migrations, steps: 1, allowDataLoss: true });
  expect([
    ...(await server.query('SELECT one, two FROM shop.a')),
    ...(await server.query('SELECT one, two FROM shop.b')),
    ...(await server.query('SELECT entity_name FROM zoo.animal ORDER BY 1')),
  ]).toEqual([{ one: '1', two: '2' }, { one: '3', two: '4' }, { entity_name: 'zoo_A' }, { entity_name: 'zoo_B' }]);
  expect(await entries('one', 'two')).toEqual(['shop.a 1 2', 'shop.b 3 4']);

  const given = (...pairs: readonly string[]): Promise<SchemaDifference> => {
    const renames = ['shop.a', 'shop.b'].flatMap((table) =>
      pairs.map((pair) => pair.split('>')).map(([to = '', from = '']) => ({ table, from, to })),
    );
    return compareWithModel({ url, model: modelOf(['A', 'B'], ['two', 'three']), migrations: [first], renames });
  };
  const declared = modelOf(['A', 'B'], ['two>one', 'three>two']);
  expect((await given('two>one', 'three>two')).up).toEqual(
    (await compareWithModel({ url, model: declared, migrations: [first] })).up,
  );
  await expect(given('three>two')).rejects.toThrow('shop.a.two cannot become three');
  await expect(given('two>two')).rejects.toThrow('shop.a.two cannot become two');

  const refused = (model: Model) => expect(compareWithModel({ url, model, migrations: [first] })).rejects;
  const change = 'names cannot be exchanged in one step. Give one of them another name first, in a separate step.';
  await refused(modelOf(['A>B', 'B>A'], ['one', 'two'])).toThrow(change);
  await refused(modelOf(['A', 'B'], ['one>two', 'two>one'])).toThrow(change);
  await refused(modelOf(['A', 'B'], ['three>one', 'four>one', 'two'])).toThrow('one becomes three, one becomes four');
  await refused(modelOf(['C>A', 'D>A', 'B'], ['one', 'two'])).toThrow('shop.a becomes shop.c, shop.a becomes shop.d');
  await refused(modelOf(['A', 'B'], ['two>one'])).toThrow(
    "shop_A.two has renamedFrom('one'), which is obsolete: shop.a has the column two already.",
  );
});

test('an entity of a tree does not take the rows of another one that the model has', async () => {
  const tree = buildModel({
    entities: [
      ...SYSTEM_ENTITIES,
      standardEntity('zoo_Animal', { inheritance: { strategy: 'single-table' }, attributes: {} }),
      standardEntity('zoo_Cat', { extends: 'zoo_Animal', attributes: {}, renamedFrom: 'zoo_Dog' }),
      standardEntity('zoo_Dog', { extends: 'zoo_Animal', attributes: {} }),
    ],
  });
  await expect(compareWithModel({ url: server.url, model: tree, migrations: [] })).rejects.toThrow(
    "zoo_Cat has renamedFrom('zoo_Dog'), which is another entity of the model.",
  );
});
