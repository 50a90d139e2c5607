import { readFileSync } from 'node:fs';
import { type Application, defineApplication } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { compareWithModel, detectDrift, runMigrations, type SchemaMigration } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { type DataFixture, startDataOn } from '../data-fixture.ts';

/** An application whose items have one text attribute; its name depends on the version. */
const version = (attribute: 'title' | 'name'): Application =>
  defineApplication({
    id: 'shop',
    name: 'Shop',
    entities: [standardEntity('shop_Item', { attributes: { [attribute]: string(100).mandatory() } })],
  });

const former = version('title');
const next = version('name');

// docs/guide/migrations.md contains the same statements.
const EXPAND: SchemaMigration = {
  name: '1795000000001-name-beside-title',
  up: [
    'ALTER TABLE shop.item ADD COLUMN name varchar(100)',
    `CREATE FUNCTION shop.item_title_is_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.name := coalesce(NEW.name, NEW.title);
    NEW.title := NEW.name;
  ELSIF NEW.name IS DISTINCT FROM OLD.name THEN
    NEW.title := NEW.name;
  ELSE
    NEW.name := NEW.title;
  END IF;
  RETURN NEW;
END $$`,
    `CREATE TRIGGER item_title_is_name BEFORE INSERT OR UPDATE ON shop.item
FOR EACH ROW EXECUTE FUNCTION shop.item_title_is_name()`,
    'ALTER TABLE shop.item ALTER COLUMN title DROP NOT NULL',
  ],
  down: [
    'UPDATE shop.item SET title = name WHERE title IS NULL',
    'ALTER TABLE shop.item ALTER COLUMN title SET NOT NULL',
    'DROP TRIGGER item_title_is_name ON shop.item',
    'DROP FUNCTION shop.item_title_is_name()',
    'ALTER TABLE shop.item DROP COLUMN name',
  ],
};
const FILL: SchemaMigration = {
  name: '1795000000002-name-of-all-items',
  up: [
    'UPDATE shop.item SET name = title WHERE name IS NULL',
    'ALTER TABLE shop.item ADD CONSTRAINT ck_item__name CHECK (name IS NOT NULL) NOT VALID',
  ],
  down: ['ALTER TABLE shop.item DROP CONSTRAINT ck_item__name'],
};
const REQUIRE: SchemaMigration = {
  name: '1795000000003-name-required',
  up: [
    'ALTER TABLE shop.item VALIDATE CONSTRAINT ck_item__name',
    'ALTER TABLE shop.item ALTER COLUMN name SET NOT NULL',
    'ALTER TABLE shop.item DROP CONSTRAINT ck_item__name',
  ],
  down: ['ALTER TABLE shop.item ALTER COLUMN name DROP NOT NULL'],
};
const CONTRACT: SchemaMigration = {
  name: '1795000000004-no-title',
  up: [
    'DROP TRIGGER item_title_is_name ON shop.item',
    'DROP FUNCTION shop.item_title_is_name()',
    'ALTER TABLE shop.item DROP COLUMN title',
  ],
  down: [],
};

const users = { admin: { resourceRoles: ['system-full-access'] } };
let server: TestDatabase;
let initial: SchemaMigration;
const started: DataFixture[] = [];

beforeAll(async () => {
  server = await createTestDatabase('versions');
  const { up, down } = await compareWithModel({ url: server.url, model: former.model, migrations: [] });
  initial = { name: '1795000000000-initial', up, down };
});
afterAll(async () => {
  for (const data of started) await data.close();
  await server.drop();
});

const migrate = (...migrations: SchemaMigration[]) => runMigrations({ url: server.url, migrations });

async function start(application: Application): Promise<DataFixture> {
  const data = await startDataOn(server, application, users);
  await data.service.start();
  started.push(data);
  return data;
}

const itemsOf = async (data: DataFixture, attribute: string): Promise<unknown> => {
  const response = await data.send('admin', 'GET', `/entities/shop_Item?sort=${attribute}`);
  return response.json().map((item: Record<string, unknown>) => item[attribute]);
};

test('the guide contains the migrations that are tested here', () => {
  const guide = readFileSync(new URL('../../../../docs/guide/migrations.md', import.meta.url), 'utf8');
  const statements = [EXPAND, FILL, REQUIRE, CONTRACT].flatMap(({ up }) => up);
  expect(statements.filter((statement) => !guide.includes(`${statement};`))).toEqual([]);
});

test('both versions serve requests while an attribute is renamed in two releases', async () => {
  await migrate(initial);
  const one = await start(former);
  expect(await one.send('admin', 'POST', '/entities/shop_Item', { title: 'a' })).toMatchObject({ status: 201 });

  // Release 1: the schema is expanded while the old version runs, then both versions run.
  await migrate(initial, EXPAND);
  expect(await one.send('admin', 'POST', '/entities/shop_Item', { title: 'b' })).toMatchObject({ status: 201 });
  await migrate(initial, EXPAND, FILL, REQUIRE);
  const two = await start(next);
  expect(await two.send('admin', 'POST', '/entities/shop_Item', { name: 'c' })).toMatchObject({ status: 201 });
  expect(await one.send('admin', 'POST', '/entities/shop_Item', { title: 'd' })).toMatchObject({ status: 201 });
  expect(await itemsOf(one, 'title')).toEqual(['a', 'b', 'c', 'd']);
  expect(await itemsOf(two, 'name')).toEqual(['a', 'b', 'c', 'd']);

  const created = (await two.send('admin', 'POST', '/entities/shop_Item', { name: 'e' })).json();
  const path = `/entities/shop_Item/${created.id}`;
  expect(await one.send('admin', 'PUT', path, { title: 'f' })).toMatchObject({ status: 200 });
  expect((await two.send('admin', 'GET', path)).json()).toMatchObject({ name: 'f' });
  expect(await two.send('admin', 'PUT', path, { name: 'g' })).toMatchObject({ status: 200 });
  expect((await one.send('admin', 'GET', path)).json()).toMatchObject({ title: 'g' });
  // The attribute stays mandatory in both versions.
  expect(await one.send('admin', 'POST', '/entities/shop_Item', {})).toMatchObject({ status: 400 });
  expect(await two.send('admin', 'POST', '/entities/shop_Item', {})).toMatchObject({ status: 400 });

  // A process of the old version starts with the newer schema.
  expect(await migrate(initial)).toEqual([]);
  await expect(one.service.start()).resolves.toBeUndefined();
  const migrations = [initial, EXPAND, FILL, REQUIRE];
  const between = await detectDrift({ url: server.url, model: next.model, migrations });
  expect(between.fits).toBe(true);
  expect(between.findings).toMatchObject([
    { kind: 'extra', severity: 'notice', object: 'column', name: 'title' },
    { kind: 'kept', severity: 'notice', object: 'trigger', name: 'item_title_is_name' },
  ]);

  // Release 2: no process of the old version runs any longer.
  await migrate(...migrations, CONTRACT);
  expect(await itemsOf(two, 'name')).toEqual(['a', 'b', 'c', 'd', 'g']);
  expect(await two.send('admin', 'PUT', path, { name: 'h' })).toMatchObject({ status: 200 });
  const after = await detectDrift({ url: server.url, model: next.model, migrations: [...migrations, CONTRACT] });
  expect(after).toEqual({ fits: true, findings: [], migrations: [] });
});
