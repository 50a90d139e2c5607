import {
  buildModel,
  decimal,
  type EntityDefinition,
  elements,
  integer,
  keyedEntity,
  localDateTime,
  localTime,
  long,
  type Model,
  manyToMany,
  offsetDateTime,
  softDeletedEntity,
  standardEntity,
  string,
  text,
  toOne,
  toOneInverse,
  uuid,
} from '@lintel/metadata';
import {
  compareWithModel,
  createSchemaFromModel,
  revertMigrations,
  runMigrations,
  type SchemaMigration,
} from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { createTestDatabase, type TestDatabase, uniqueName } from '@lintel/testkit';

let server: TestDatabase;

beforeEach(async () => {
  server = await createTestDatabase('persistence');
});
afterEach(() => server.drop());

const modelOf = (...entities: EntityDefinition[]): Model => buildModel({ entities: [...SYSTEM_ENTITIES, ...entities] });

const first = modelOf(
  softDeletedEntity('shop_Item', {
    attributes: {
      sku: string(10).mandatory().unique(),
      price: decimal(10, 2),
      name: string(50),
      count: integer(),
      external: string(36),
      owner: toOne('sec_User'),
    },
    indexes: [{ attributes: ['name'], unique: false }],
  }),
  standardEntity('shop_Tag', { attributes: { name: string(20) } }),
  standardEntity('shop_Old', { attributes: { item: toOne('shop_Item'), older: toOne('shop_Older') } }),
  standardEntity('shop_Older', { attributes: { old: toOne('shop_Old'), words: elements() } }),
);

/** Longer, more exact, another type, mandatory, no longer unique, new, removed. */
const second = modelOf(
  softDeletedEntity('shop_Item', {
    attributes: {
      sku: string(30).mandatory(),
      price: decimal(19, 4).mandatory(),
      name: text(),
      count: long(),
      external: uuid(),
      owner: toOne('sec_User'),
      tags: manyToMany('shop_Tag'),
      added: offsetDateTime(),
      local: localDateTime(),
      from: localTime(),
    },
  }),
  standardEntity('shop_Tag', { attributes: { name: string(20).unique() } }),
  keyedEntity('shop_Log', { key: 'id', generation: 'identity', attributes: { id: long(), words: elements(5) } }),
);

async function nextMigration(model: Model, migrations: readonly SchemaMigration[]): Promise<SchemaMigration> {
  const difference = await compareWithModel({ url: server.url, model, migrations });
  return { name: `${1_795_000_000_000 + migrations.length}-step`, up: difference.up, down: difference.down };
}

const revert = (migrations: readonly SchemaMigration[]) =>
  revertMigrations({ url: server.url, migrations, allowDataLoss: true });

const catalogue = (): Promise<object[]> =>
  server.query(`SELECT table_name, column_name, format_type(a.atttypid, a.atttypmod) AS type, is_nullable
    FROM information_schema.columns
    JOIN pg_attribute a ON a.attrelid = format('%I.%I', table_schema, table_name)::regclass AND a.attname = column_name
    WHERE table_schema = 'shop' ORDER BY 1, 2`);

test('a generated migration makes exactly the schema of the model, and its own undoing', async () => {
  const initial = await nextMigration(first, []);
  expect(await runMigrations({ url: server.url, migrations: [initial] })).toContain(initial.name);
  const before = await catalogue();
  expect((await compareWithModel({ url: server.url, model: first, migrations: [initial] })).up).toEqual([]);

  const step = await nextMigration(second, [initial]);
  await runMigrations({ url: server.url, migrations: [initial, step] });
  expect((await compareWithModel({ url: server.url, model: second, migrations: [initial, step] })).up).toEqual([]);

  expect(await revert([initial, step])).toEqual([step.name]);
  expect(await catalogue()).toEqual(before);
  expect(await revert([initial])).toEqual([initial.name]);
  expect(await server.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'shop'`)).toEqual([]);
  expect(await revert([initial])).toEqual([]);
});

test('values survive a change of their type', async () => {
  const initial = await nextMigration(first, []);
  await runMigrations({ url: server.url, migrations: [initial] });
  await server.query(`INSERT INTO shop.item (id, version, sku, price, name, count, external)
    VALUES ('6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11', 1, 'A-1', 10.5, 'thing', 7, '7c1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11')`);
  const step = await nextMigration(second, [initial]);
  await runMigrations({ url: server.url, migrations: [initial, step] });
  expect(await server.query('SELECT sku, price::text, name, count::text, external FROM shop.item')).toEqual([
    { sku: 'A-1', price: '10.5000', name: 'thing', count: '7', external: '7c1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11' },
  ]);
});

test('a text that gets a length keeps every value, or the step fails', async () => {
  const long = modelOf(standardEntity('shop_Item', { attributes: { name: text() } }));
  const short = modelOf(standardEntity('shop_Item', { attributes: { name: string(3) } }));
  const initial = await nextMigration(long, []);
  const step = await nextMigration(short, [initial]);
  expect(step.up).toEqual(['ALTER TABLE "shop"."item" ALTER COLUMN "name" TYPE character varying(3)']);
  await runMigrations({ url: server.url, migrations: [initial] });
  await server.query(
    `INSERT INTO shop.item (id, version, name) VALUES ('6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11', 1, 'four')`,
  );
  await expect(runMigrations({ url: server.url, migrations: [initial, step] })).rejects.toThrow('too long');
});

test('what loses data or may fail is said', async () => {
  const initial = await nextMigration(first, []);
  expect((await compareWithModel({ url: server.url, model: first, migrations: [] })).warnings).toEqual([]);
  const { warnings } = await compareWithModel({ url: server.url, model: second, migrations: [initial] });
  expect(warnings.some((each) => each.includes('"shop"."old" is dropped with its rows'))).toBe(true);
  expect(warnings.some((each) => each.includes('column "price" of "shop"."item" becomes mandatory'))).toBe(true);
  expect(warnings.some((each) => each.includes('"uq_tag__name"'))).toBe(true);
});

test('an attribute that stops or starts to be unique among live rows changes its index', async () => {
  const soft = modelOf(softDeletedEntity('shop_Item', { attributes: { sku: string(10).unique() } }));
  const hard = modelOf(standardEntity('shop_Item', { attributes: { sku: string(10).unique() } }));
  const initial = await nextMigration(soft, []);
  const step = await nextMigration(hard, [initial]);
  await runMigrations({ url: server.url, migrations: [initial, step] });
  const indexes = await server.query(
    `SELECT indexdef AS definition FROM pg_indexes WHERE tablename = 'item' AND indexname LIKE 'uq%'`,
  );
  expect(indexes).toEqual([{ definition: 'CREATE UNIQUE INDEX uq_item__sku ON shop.item USING btree (sku)' }]);
});

test('a reference that becomes unique gets its index, with a warning, and its other end changes nothing', async () => {
  const itemsOf = (isOne: boolean): Model =>
    modelOf(
      standardEntity('shop_Bin', { attributes: isOne ? { item: toOneInverse('shop_Item', 'bin') } : {} }),
      softDeletedEntity('shop_Item', { attributes: { bin: isOne ? toOne('shop_Bin').unique() : toOne('shop_Bin') } }),
    );
  const initial = await nextMigration(itemsOf(false), []);
  const { up, down, warnings } = await compareWithModel({
    url: server.url,
    model: itemsOf(true),
    migrations: [initial],
  });
  expect(up).toEqual([
    'CREATE UNIQUE INDEX "uq_item__bin_id__live" ON "shop"."item" ("bin_id") WHERE "deleted_date" IS NULL',
  ]);
  expect(down).toEqual(['DROP INDEX "shop"."uq_item__bin_id__live"']);
  expect(warnings).toEqual([
    '"shop"."item" gets the unique index "uq_item__bin_id__live": the step fails where values repeat',
  ]);
});

test('the platform makes the tables of users and assignments as their entities describe them', async () => {
  const difference = await compareWithModel({ url: server.url, model: modelOf(), migrations: [] });
  expect(difference).toMatchObject({ up: [], down: [], warnings: [], kept: [] });
});

test('the comparison leaves nothing behind on the server', async () => {
  // Other tests create databases on the server at the same time: those of this user belong to this comparison.
  const user = uniqueName('comparison');
  await server.query(`CREATE ROLE ${user} LOGIN CREATEDB PASSWORD 'secret'`);
  const url = new URL(server.url);
  url.username = user;
  url.password = 'secret';
  await compareWithModel({ url: url.href, model: first, migrations: [] });
  expect(await server.query(`SELECT datname FROM pg_database WHERE datdba = '${user}'::regrole`)).toEqual([]);
  expect(await server.query(`SELECT 1 FROM pg_namespace WHERE nspname IN ('shop', 'sec')`)).toEqual([]);
});

test('a schema made from the model directly is the same as one made by migrations', async () => {
  await createSchemaFromModel(server.url, first);
  const direct = await catalogue();
  const other = await createTestDatabase('persistence');
  try {
    await runMigrations({ url: other.url, migrations: [await nextMigration(first, [])] });
    const columns = 'SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = $1';
    expect(await other.query(columns, ['shop'])).toHaveLength(direct.length);
  } finally {
    await other.drop();
  }
  await createSchemaFromModel(server.url, first);
  expect(await catalogue()).toEqual(direct);
});

test('soft-deleted rows do not count for uniqueness', async () => {
  await createSchemaFromModel(server.url, first);
  const insert = (id: number, deleted: string | null) =>
    server.query('INSERT INTO shop.item (id, version, sku, deleted_date) VALUES ($1, 1, $2, $3)', [
      `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
      'A-1',
      deleted,
    ]);
  await insert(1, '2026-01-01');
  await insert(2, '2026-01-02');
  await insert(3, null);
  await expect(insert(4, null)).rejects.toThrow('uq_item__sku__live');
});

test('a new mandatory attribute with a default is added to a table with rows, which get the default', async () => {
  const initial = await nextMigration(first, []);
  await runMigrations({ url: server.url, migrations: [initial] });
  await server.query(`INSERT INTO shop.tag (id, version, name) VALUES (gen_random_uuid(), 1, 'red')`);
  const attributes = { name: string(20), uses: integer().mandatory().default(3) };
  const grown = modelOf(standardEntity('shop_Tag', { attributes }));
  const { up, warnings } = await compareWithModel({ url: server.url, model: grown, migrations: [initial] });
  expect(warnings.filter((each) => each.includes('uses'))).toEqual([]);
  const step = await nextMigration(grown, [initial]);
  expect(step.up).toEqual(up);
  await runMigrations({ url: server.url, migrations: [initial, step] });
  expect(await server.query('SELECT name, uses FROM shop.tag')).toEqual([{ name: 'red', uses: 3 }]);
  expect((await compareWithModel({ url: server.url, model: grown, migrations: [initial, step] })).up).toEqual([]);
});
