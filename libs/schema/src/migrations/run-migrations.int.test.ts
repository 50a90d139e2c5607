import { StartError } from '@lintel/errors';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { acceptChangedMigrations } from './accept-migrations.ts';
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

test('nothing is run where what the session waits for fails', async () => {
  const refused = new StartError('the application has errors');
  const until = Promise.reject(refused);
  until.catch(() => {});
  await expect(runMigrations({ url: server.url, migrations: [CREATE], until })).rejects.toBe(refused);
  expect(
    await server.query(
      "SELECT to_regclass('platform.migration') IS NULL AS none, to_regclass('public.thing') AS thing",
    ),
  ).toEqual([{ none: true, thing: null }]);
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
    position: 2,
    message: `Migration ${BROKEN.name} failed at statement 2 of 2: relation "public.nothing" does not exist
  in: INSERT INTO public.nothing VALUES (4)
  Nothing of this migration was kept.`,
  });
  expect(await server.query('SELECT id FROM public.thing')).toEqual([]);
  expect(await runMigrations({ url: server.url, migrations: [CREATE, FILL] })).toEqual([FILL.name]);
});

test('the status has the migrations that have run, that will run, and that are not known any more', async () => {
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

test('one that has changed since it was run is refused before anything is run, until it is accepted', async () => {
  await runMigrations({ url: server.url, migrations: [CREATE] });
  const laidOut = { ...CREATE, up: ['CREATE TABLE public.thing\n  (id int)'] };
  expect(await runMigrations({ url: server.url, migrations: [laidOut] })).toEqual([]);
  const migrations = [{ ...CREATE, up: ['CREATE TABLE public.thing (id bigint)'] }, FILL];
  await expect(runMigrations({ url: server.url, migrations })).rejects.toThrow(
    `Migration ${CREATE.name} changed after being run on this database`,
  );
  expect((await migrationStatus({ url: server.url, migrations })).slice(-2)).toEqual([
    { name: CREATE.name, state: 'changed' },
    { name: FILL.name, state: 'pending' },
  ]);
  expect(await acceptChangedMigrations({ url: server.url, migrations })).toEqual([CREATE.name]);
  expect(await runMigrations({ url: server.url, migrations })).toEqual([FILL.name]);
});

test('a database that a newer version has been at is left as it is, and said to be newer', async () => {
  await runMigrations({ url: server.url, migrations: [CREATE, FILL] });
  const said: unknown[] = [];
  const onProgress = (progress: unknown) => said.push(progress);
  expect(await runMigrations({ url: server.url, migrations: [CREATE], onProgress })).toEqual([]);
  expect(said).toEqual([{ kind: 'newer', names: [FILL.name] }]);
});

test('what could end as half of a migration is refused before it begins', async () => {
  const withCommit = { name: '1795000000003-commit', up: ['CREATE TABLE public.a (id int)', 'COMMIT'], down: [] };
  await expect(runMigrations({ url: server.url, migrations: [withCommit] })).rejects.toThrow('has "COMMIT"');
  const up = ['CREATE TABLE public.a (id int)', 'CREATE INDEX CONCURRENTLY ix_a ON public.a (id)'];
  const mixed = { name: '1795000000003-mixed', up, down: [] };
  await expect(runMigrations({ url: server.url, migrations: [mixed] })).rejects.toThrow(
    'move "CREATE TABLE public.a (id int)" to a migration of its own',
  );
  expect(await server.query(`SELECT to_regclass('public.a')::text AS name`)).toEqual([{ name: null }]);
});

test('a server that is not there is unavailable', async () => {
  await expect(runMigrations({ url: 'postgres://nobody@127.0.0.1:9/nothing', migrations: [] })).rejects.toMatchObject({
    code: 'DATA_UNAVAILABLE',
  });
});
