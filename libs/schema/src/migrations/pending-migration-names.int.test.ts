import { createDatabase, type Database } from '@lintel/persistence';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { pendingMigrationNames } from './pending-migration-names.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import { runMigrations } from './run-migrations.ts';

let server: TestDatabase;
let database: Database;

beforeEach(async () => {
  server = await createTestDatabase('persistence');
  database = createDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'pending-test',
  });
});
afterEach(async () => {
  await database.close();
  await server.drop();
});

const FIRST = { name: '1795000000000-first', up: ['CREATE TABLE public.thing (id int)'], down: [] };
const SECOND = { name: '1795000000001-second', up: ['INSERT INTO public.thing VALUES (1)'], down: [] };

test('all migrations are pending in an empty database, in their order', async () => {
  const platform = PLATFORM_MIGRATIONS.map(({ name }) => name);
  expect(await pendingMigrationNames(database, [SECOND, FIRST])).toEqual([...platform, FIRST.name, SECOND.name]);
});

test('those that a newer version adds are pending until they have run', async () => {
  await runMigrations({ url: server.url, migrations: [FIRST] });
  expect(await pendingMigrationNames(database, [FIRST, SECOND])).toEqual([SECOND.name]);
  await runMigrations({ url: server.url, migrations: [FIRST, SECOND] });
  expect(await pendingMigrationNames(database, [FIRST, SECOND])).toEqual([]);
});
