import { restoreDatabase, runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { confirmLosses } from './confirm-losses.ts';

let server: TestDatabase;
beforeEach(async () => {
  server = await createTestDatabase('confirmed');
});
afterEach(() => server.drop());

const KEPT = { name: '1795000000001-kept', up: ['CREATE TABLE public.kept AS SELECT 1 AS value'], down: [] };
const LOST = { name: '1795000000002-lost', up: ['TRUNCATE public.kept'], down: [] };

test('a confirmation copies the database, and lets the migrations with a loss run', async () => {
  const database = { url: server.url, migrations: [KEPT, LOST] };
  await runMigrations({ url: server.url, migrations: [KEPT] });
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<string>();
  const waiting = confirmLosses(database, { ask, confirmed });
  expect(await asked).toContain('  1795000000002-lost\n    TRUNCATE public.kept\n');
  expect(await restoreDatabase(server.url)).toBe('no copy');
  confirm();
  await waiting;
  await runMigrations(database);
  expect(await server.query('SELECT value FROM public.kept')).toEqual([]);
  expect(await restoreDatabase(server.url)).toBe('done');
  expect(await server.query('SELECT value FROM public.kept')).toEqual([{ value: 1 }]);
});

test('a database whose pending migrations lose nothing is not asked about', async () => {
  const parts = { ask: (text: string) => expect(text).toBe(''), confirmed: new Promise<void>(() => {}) };
  await confirmLosses({ url: server.url, migrations: [KEPT] }, parts);
  expect(await restoreDatabase(server.url)).toBe('no copy');
});
