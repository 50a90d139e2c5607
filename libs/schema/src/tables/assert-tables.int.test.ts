import { buildModel, elements, standardEntity, string } from '@lintel/metadata';
import { createDatabase, type Database } from '@lintel/persistence';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createSchemaFromModel } from '../comparison/create-schema-from-model.ts';
import { assertTables } from './assert-tables.ts';

const model = buildModel({
  entities: [standardEntity('shop_Item', { attributes: { name: string(20), tags: elements(20) } })],
});

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase('tables');
  database = createDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'tables-test',
  });
});
afterAll(async () => {
  await database?.close();
  await server?.drop();
});

test('a model whose tables are not there is refused by their names, and taken when they are', async () => {
  await expect(assertTables(database, model)).rejects.toThrow(
    'The database has no tables "shop"."item", "shop"."item_tags": run its migrations ("lintel migrate run"), or ',
  );
  await createSchemaFromModel(server.url, model);
  await expect(assertTables(database, model)).resolves.toBeUndefined();
});

test('columns that are missing are named, and those that are there in addition are not minded', async () => {
  await server.query('ALTER TABLE shop.item DROP COLUMN name, ADD COLUMN title text');
  await expect(assertTables(database, model)).rejects.toThrow('The database has no column "shop"."item"."name":');
});

// Asserts contract/search.md#searchable.
test('an extension that searches need is named', async () => {
  const searched = buildModel({
    entities: [standardEntity('shop_Item', { attributes: { title: string().searchable({ typos: true }) } })],
  });
  await expect(assertTables(database, searched)).rejects.toThrow('The database has no extension pg_trgm');
  await server.query('CREATE EXTENSION pg_trgm');
  await expect(assertTables(database, searched)).resolves.toBeUndefined();
});
