import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { migrationStatus } from './migration-status.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import { runMigrations } from './run-migrations.ts';

let server: TestDatabase;

beforeEach(async () => {
  server = await createTestDatabase('persistence');
});
afterEach(() => server.drop());

const PLATFORM = PLATFORM_MIGRATIONS.map(({ name }) => name);

const CREATE = {
  name: '1795000000000-create',
  up: ['CREATE TABLE public.thing (id int)'],
  down: ['DROP TABLE public.thing'],
};
const FILL = {
  name: '1795000000001-fill',
  up: ['INSERT INTO public.thing VALUES (1)', 'INSERT INTO public.thing VALUES (2)'],
  down: ['DELETE FROM public.thing'],
};
const BROKEN = {
  name: '1795000000002-broken',
  up: ['INSERT INTO public.thing VALUES (3)', 'INSERT INTO public.nothing VALUES (4)'],
  down: [],
};

test('the platform comes first, then the application in the order of the names', async () => {
  const names = await runMigrations({ url: server.url, migrations: [FILL, CREATE] });
  expect(names).toEqual([...PLATFORM, CREATE.name, FILL.name]);
  expect(await server.query('SELECT id FROM public.thing ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await runMigrations({ url: server.url, migrations: [CREATE, FILL] })).toEqual([]);
});

test('of processes that start together one migrates and the others wait for it', async () => {
  const runs = await Promise.all(
    Array.from({ length: 5 }, () => runMigrations({ url: server.url, migrations: [CREATE, FILL] })),
  );
  expect(runs.filter((names) => names.length > 0)).toEqual([[...PLATFORM, CREATE.name, FILL.name]]);
  expect(await server.query('SELECT count(*)::int FROM public.thing')).toEqual([{ count: 2 }]);
});

test('a migration that fails is undone as a whole, and named; what ran before it stays', async () => {
  await expect(runMigrations({ url: server.url, migrations: [CREATE, BROKEN] })).rejects.toMatchObject({
    name: 'MigrationError',
    migration: BROKEN.name,
    message: expect.stringContaining('relation "public.nothing" does not exist'),
  });
  expect(await server.query('SELECT id FROM public.thing')).toEqual([]);
  expect(await runMigrations({ url: server.url, migrations: [CREATE, FILL] })).toEqual([FILL.name]);
});

test('the status tells what has run, what will, and what nobody knows any more', async () => {
  const before = await migrationStatus({ url: server.url, migrations: [CREATE] });
  expect(before.every(({ state }) => state === 'pending')).toBe(true);
  expect(await server.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'lintel'`)).toEqual([]);
  await runMigrations({ url: server.url, migrations: [CREATE] });
  const after = await migrationStatus({ url: server.url, migrations: [FILL] });
  expect(after).toEqual([
    ...PLATFORM.map((name) => ({ name, state: 'executed' })),
    { name: FILL.name, state: 'pending' },
    { name: CREATE.name, state: 'unknown' },
  ]);
});

test('a server that is not there is unavailable', async () => {
  await expect(runMigrations({ url: 'postgres://nobody@127.0.0.1:9/nothing', migrations: [] })).rejects.toMatchObject({
    code: 'DATA_UNAVAILABLE',
  });
});
