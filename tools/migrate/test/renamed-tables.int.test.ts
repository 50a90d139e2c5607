import {
  buildModel,
  type EntityDefinition,
  elements,
  integer,
  type Model,
  manyToMany,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import {
  compareWithModel,
  detectDrift,
  type Rename,
  revertMigrations,
  runMigrations,
  type SchemaMigration,
} from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';

let server: TestDatabase;
let initial: SchemaMigration;

const modelOf = (...entities: EntityDefinition[]): Model => buildModel({ entities: [...SYSTEM_ENTITIES, ...entities] });

/** A buyer with values and links, to which others refer, under any name. */
function shop(
  name: string,
  more: { renamedFrom?: string; words?: string; wordsFrom?: string; tags?: string; tagsFrom?: string } = {},
) {
  const { renamedFrom, words = 'words', wordsFrom, tags = 'tags', tagsFrom } = more;
  const [values, links] = [elements(5), manyToMany('shop_Tag')];
  return modelOf(
    standardEntity('shop_Tag', { attributes: { label: string(10) } }),
    standardEntity(name, {
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
      attributes: {
        name: string(20).unique(),
        since: integer(),
        recommendedBy: toOne(name),
        [words]: wordsFrom === undefined ? values : values.renamedFrom(wordsFrom),
        [tags]: tagsFrom === undefined ? links : links.renamedFrom(tagsFrom),
      },
      indexes: [{ attributes: ['name', 'since'], unique: false }],
      checks: { early: '{since} > 0' },
    }),
    standardEntity('shop_Order', { attributes: { buyer: toOne(name) } }),
  );
}

const BEFORE = shop('shop_Buyer');

beforeEach(async () => {
  server = await createTestDatabase('renamed');
  const { up, down } = await compareWithModel({ url: server.url, model: BEFORE, migrations: [] });
  initial = { name: '1795000000000-initial', up, down };
  await runMigrations({ url: server.url, migrations: [initial] });
  const id = '00000000-0000-4000-8000-000000000001';
  await server.query(`INSERT INTO shop.tag (id, version, label) VALUES ('${id}', 1, 'old');
    INSERT INTO shop.buyer (id, version, name, recommended_by_id) VALUES ('${id}', 1, 'Ada', '${id}');
    INSERT INTO shop.buyer_words VALUES ('${id}', 0, 'yes');
    INSERT INTO shop.buyer_tags_link VALUES ('${id}', '${id}');
    INSERT INTO shop."order" (id, version, buyer_id) VALUES ('${id}', 1, '${id}')`);
});
afterEach(() => server.drop());

const compare = (model: Model, renames: readonly Rename[] = [], migrations = [initial]) =>
  compareWithModel({ url: server.url, model, migrations, renames });

/** Runs the step and reverts it: the model fits after each, and rows stay. */
async function expectRenamed(
  model: Model,
  renames: readonly Rename[],
  tables: readonly string[],
  after = model,
): Promise<void> {
  const { url } = server;
  const { up, down, losses, warnings } = await compare(model, renames);
  expect([losses, warnings.filter((each) => !each.includes('the former version of the application'))]).toEqual([
    [],
    [],
  ]);
  expect(up.filter((each) => /^(CREATE|DROP) TABLE|DROP COLUMN/.test(each))).toEqual([]);
  const migrations = [initial, { name: '1795000000001-renamed', up, down }];
  await runMigrations({ url, migrations });
  expect(await detectDrift({ url, model, migrations })).toEqual({ fits: true, findings: [], migrations: [] });
  expect(await compare(after, [], migrations)).toMatchObject({ up: [], down: [] });
  for (const table of tables) expect(await server.query(`SELECT 1 AS row FROM ${table}`)).toEqual([{ row: 1 }]);
  await revertMigrations({ url, migrations, steps: 1, allowDataLoss: true });
  expect(await detectDrift({ url, model: BEFORE, migrations: [initial] })).toMatchObject({ fits: true, findings: [] });
  expect(await server.query('SELECT 1 AS row FROM shop.buyer JOIN shop.buyer_words ON buyer_id = id')).toEqual([
    { row: 1 },
  ]);
}

const RENAMED = ['shop.customer', 'shop.customer_words', 'shop.customer_tags_link', 'shop."order"'];

test('an entity with a former name keeps its rows, its values and its links under the new one', () =>
  expectRenamed(shop('shop_Customer', { renamedFrom: 'shop_Buyer' }), [], RENAMED, shop('shop_Customer')));

test('an entity of another schema is moved, with the former name of its table', async () => {
  const model = shop('crm_Customer', { renamedFrom: 'shop.buyer' });
  await expectRenamed(
    model,
    [],
    ['crm.customer', 'crm.customer_words', 'crm.customer_tags_link'],
    shop('crm_Customer'),
  );
});

test('values and links of attributes with a former name stay', () =>
  expectRenamed(
    shop('shop_Buyer', { words: 'terms', wordsFrom: 'words', tags: 'labels', tagsFrom: 'shop.buyer_tags_link' }),
    [],
    ['shop.buyer_terms', 'shop.buyer_labels_link'],
    shop('shop_Buyer', { words: 'terms', tags: 'labels' }),
  ));

test('a removed and an added table with like columns are possibly one, and are one where somebody says so', async () => {
  const model = shop('shop_Customer');
  const { possibleRenames, losses } = await compare(model);
  expect(losses).toContain('DROP TABLE "shop"."buyer"');
  expect(possibleRenames).toContainEqual({ table: 'shop.buyer', to: 'shop.customer' });
  await expectRenamed(model, [{ table: 'shop.buyer', to: 'shop.customer' }], RENAMED);
});

test.each([
  [
    shop('shop_Buyer', { renamedFrom: 'shop_Client' }),
    [],
    /^shop_Buyer has renamedFrom\('shop_Client'\), which is obsolete and to be removed: the migrations make no table shop\.client\.$/,
  ],
  [shop('shop_Buyer', { words: 'terms', wordsFrom: 'sayings' }), [], /^shop_Buyer\.terms has renamedFrom\('sayings'\)/],
  [
    shop('shop_Buyer'),
    [{ table: 'shop.buyer', to: 'shop.customer' }],
    /^shop\.buyer cannot become shop\.customer: the model has no such table\.$/,
  ],
  [
    shop('shop_Customer'),
    [{ table: 'shop.client', to: 'shop.customer' }],
    /^shop\.client cannot become shop\.customer: the migrations make no table shop\.client\.$/,
  ],
])('a rename that the database cannot have is refused: %#', async (model, renames, message) => {
  await expect(compare(model, renames)).rejects.toThrow(message);
});

test('rows of a renamed entity in a tree become rows of the new name', async () => {
  const tree = (name: string, renamedFrom?: string): Model =>
    modelOf(
      standardEntity('zoo_Animal', { abstract: true, attributes: { name: string(20) } }),
      standardEntity(name, {
        extends: 'zoo_Animal',
        attributes: { size: integer() },
        ...(renamedFrom === undefined ? {} : { renamedFrom }),
      }),
    );
  const { up } = await compareWithModel({
    url: server.url,
    model: tree('zoo_Cat', 'zoo_Dog'),
    migrations: [await stepOf(tree('zoo_Dog'))],
  });
  expect(up).toContain(`UPDATE "zoo"."animal" SET "entity_name" = 'zoo_Cat' WHERE "entity_name" = 'zoo_Dog'`);
});

test('the former name of an entity in the table of its root is obsolete after the step', async () => {
  const tree = (name: string, renamedFrom?: string): Model =>
    modelOf(
      standardEntity('zoo_Animal', { inheritance: { strategy: 'single-table' }, attributes: { name: string(20) } }),
      standardEntity(name, {
        extends: 'zoo_Animal',
        attributes: { size: integer() },
        ...(renamedFrom === undefined ? {} : { renamedFrom }),
      }),
    );
  const first = await stepOf(tree('zoo_Dog'));
  const { url } = server;
  const { up, down } = await compareWithModel({ url, model: tree('zoo_Cat', 'zoo_Dog'), migrations: [first] });
  expect([up, down].map((one) => one.filter((each) => each.startsWith('UPDATE')))).toEqual([
    [`UPDATE "zoo"."animal" SET "entity_name" = 'zoo_Cat' WHERE "entity_name" = 'zoo_Dog'`],
    [`UPDATE "zoo"."animal" SET "entity_name" = 'zoo_Dog' WHERE "entity_name" = 'zoo_Cat'`],
  ]);
  const migrations = [first, { name: '1795000000001-renamed', up, down }];
  expect(await compareWithModel({ url, model: tree('zoo_Cat'), migrations })).toMatchObject({ up: [], down: [] });
  await expect(compareWithModel({ url, model: tree('zoo_Cat', 'zoo_Dog'), migrations })).rejects.toThrow(
    /^zoo_Cat has renamedFrom\('zoo_Dog'\), which is obsolete and to be removed: the migrations have renamed its rows\.$/,
  );
  const back = { name: '1795000000002-back', up: down, down: up };
  const again = await compareWithModel({
    url,
    model: tree('zoo_Cat', 'zoo_Dog'),
    migrations: [...migrations, back],
  });
  expect(again.up).toEqual(up);
});

const stepOf = async (model: Model): Promise<SchemaMigration> => {
  const { up, down } = await compareWithModel({ url: server.url, model, migrations: [] });
  return { name: '1795000000000-initial', up, down };
};
