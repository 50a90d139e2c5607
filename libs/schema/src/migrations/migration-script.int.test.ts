import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { Client } from 'pg';
import { migrationScript } from './migration-script.ts';
import { migrationStatus } from './migration-status.ts';
import { runMigrations } from './run-migrations.ts';

let server: TestDatabase;

beforeEach(async () => {
  server = await createTestDatabase('script');
});
afterEach(() => server.drop());

const CREATE = {
  name: '1795000000000-create',
  up: ["CREATE TABLE public.thing (name text DEFAULT 'a;b')", 'COMMENT ON TABLE public.thing IS NULL -- none'],
  down: [],
};
const INDEX = {
  name: '1795000000001-index',
  up: ['CREATE INDEX CONCURRENTLY ix_thing ON public.thing (name)'],
  down: [],
};

test('a dry run writes a script that makes all changes when it is run, and changes nothing itself', async () => {
  const options = { url: server.url, migrations: [CREATE, INDEX] };
  const { names, sql } = await migrationScript(options);
  expect(names).toEqual(expect.arrayContaining([CREATE.name, INDEX.name]));
  expect(await server.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'lintel'`)).toEqual([]);
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    // As `psql` does it: what stands outside of a transaction goes to the server line by line.
    for (const part of sql.split(/^(?=-- \d{13}-)/m))
      for (const piece of part.includes(' CONCURRENTLY ') ? part.split(';\n') : [part]) await client.query(piece);
  } finally {
    await client.end();
  }
  expect((await migrationStatus(options)).every(({ state }) => state === 'executed')).toBe(true);
  expect(await runMigrations(options)).toEqual([]);
  expect((await migrationScript(options)).sql).toBe('-- The database is up to date.\n');
});

test('a migration stands in the script as a transaction that notes it', async () => {
  await runMigrations({ url: server.url, migrations: [] });
  const { sql } = await migrationScript({ url: server.url, migrations: [CREATE], lockTimeoutMs: 500 });
  expect(sql).toContain(`-- ${CREATE.name}
BEGIN;
SET LOCAL lock_timeout = 500;
CREATE TABLE public.thing (name text DEFAULT 'a;b');
COMMENT ON TABLE public.thing IS NULL -- none
;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1795000000000, 'create-1795000000000', '`);
});
