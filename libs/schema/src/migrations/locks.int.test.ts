import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { Client } from 'pg';
import { runMigrations } from './run-migrations.ts';

let server: TestDatabase;
let other: Client;

beforeEach(async () => {
  server = await createTestDatabase('locks');
  await server.query('CREATE TABLE public.thing (id int)');
  await server.query('INSERT INTO public.thing SELECT generate_series(1, 100)');
  other = new Client({ connectionString: server.url });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await server.drop();
});

const ADD = {
  name: '1795000000000-add',
  up: ['CREATE TABLE public.first (id int)', 'ALTER TABLE public.thing ADD COLUMN name text'],
  down: [],
};

test('a migration that waits for a lock lets the others pass, and is tried again until it gets it', async () => {
  await other.query('BEGIN; SELECT * FROM public.thing');
  const retries: number[] = [];
  const running = runMigrations({
    url: server.url,
    migrations: [ADD],
    lockTimeoutMs: 100,
    onProgress: (progress) => {
      if (progress.kind !== 'retry') return;
      retries.push(progress.attempt);
      if (progress.attempt === 2) void other.query('COMMIT');
    },
  });
  // Without a limit the reader below would wait for the migration until the other transaction has ended.
  expect(await server.query('SELECT count(*)::int FROM public.thing')).toEqual([{ count: 100 }]);
  expect(await running).toContain(ADD.name);
  expect(retries).toEqual([1, 2]);
});

test('a migration that never gets its lock is given up as a whole, naming the statement and why', async () => {
  await other.query('BEGIN; SELECT * FROM public.thing');
  await expect(
    runMigrations({ url: server.url, migrations: [ADD], lockTimeoutMs: 50, lockAttempts: 2 }),
  ).rejects.toThrow(
    `Migration ${ADD.name} failed at statement 2 of 2: canceling statement due to lock timeout
  in: ALTER TABLE public.thing ADD COLUMN name text
  2 attempts: other transactions hold locks on what it changes, for too long
  Nothing of this migration was kept.`,
  );
  expect(await server.query(`SELECT to_regclass('public.first')::text AS name`)).toEqual([{ name: null }]);
});

const INDEX = {
  name: '1795000000001-index',
  up: ['CREATE UNIQUE INDEX CONCURRENTLY "ix_thing" ON public.thing (id)'],
  down: ['DROP INDEX CONCURRENTLY public.ix_thing'],
};
const indexes = () =>
  server.query(`SELECT indisvalid AS valid FROM pg_index WHERE indrelid = 'public.thing'::regclass`);

test('a table is written to while its index is built, and others that wait to migrate do not stop that', async () => {
  await other.query('BEGIN; INSERT INTO public.thing VALUES (101)');
  const running = Promise.all([1, 2].map(() => runMigrations({ url: server.url, migrations: [INDEX] })));
  await server.query('INSERT INTO public.thing VALUES (102)');
  await other.query('COMMIT');
  const ran = await running;
  expect(ran.flat().filter((name) => name === INDEX.name)).toHaveLength(1);
  expect(await indexes()).toEqual([{ valid: true }]);
});

test('an index that cannot be built leaves none behind, and is built when what was in its way is gone', async () => {
  await server.query('INSERT INTO public.thing VALUES (1)');
  await expect(runMigrations({ url: server.url, migrations: [INDEX] })).rejects.toThrow(
    /failed at statement 1 of 1: could not create unique index "ix_thing"\n {2}detail: Key \(id\)=\(1\) is duplicated.*\n {2}in: .*\n {2}What was done before it stays/,
  );
  expect(await indexes()).toEqual([]);
  await server.query('DELETE FROM public.thing WHERE id = 1');
  expect(await runMigrations({ url: server.url, migrations: [INDEX] })).toEqual([INDEX.name]);
});

test('what a killed build has left is replaced, and what was built but not noted is kept', async () => {
  await server.query('CREATE UNIQUE INDEX ix_thing ON public.thing (id)');
  await server.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'public.ix_thing'::regclass`);
  await runMigrations({ url: server.url, migrations: [INDEX] });
  expect(await indexes()).toEqual([{ valid: true }]);
  await server.query(`DELETE FROM lintel.migration WHERE name = 'index-1795000000001'`);
  expect(await runMigrations({ url: server.url, migrations: [INDEX] })).toEqual([INDEX.name]);
  expect(await indexes()).toEqual([{ valid: true }]);
});
