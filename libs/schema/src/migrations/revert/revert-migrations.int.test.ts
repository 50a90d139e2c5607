import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { Client } from 'pg';
import { migrationStatus } from '../migration-status.ts';
import { runMigrations } from '../run-migrations.ts';
import type { SchemaMigration } from '../schema-migration.ts';
import { type RevertOptions, revertMigrations } from './revert-migrations.ts';
import { revertScript } from './revert-script.ts';

let server: TestDatabase;

beforeEach(async () => {
  server = await createTestDatabase('revert');
});
afterEach(() => server.drop());

const CREATE = {
  name: '1795000000000-create',
  up: ['CREATE TABLE public.thing (id int)', 'INSERT INTO public.thing VALUES (1)'],
  down: ['DROP TABLE public.thing'],
};
const INDEX = {
  name: '1795000000001-index',
  up: ['CREATE INDEX CONCURRENTLY ix_thing ON public.thing (id)'],
  down: ['DROP INDEX CONCURRENTLY public.ix_thing'],
};
const NULLABLE = {
  name: '1795000000002-mandatory',
  up: ['ALTER TABLE public.thing ALTER COLUMN id SET NOT NULL'],
  down: ['ALTER TABLE public.thing ALTER COLUMN id DROP NOT NULL'],
};
const ALL = [CREATE, INDEX, NULLABLE];

const revert = (options: Partial<RevertOptions> = {}) =>
  revertMigrations({ url: server.url, migrations: ALL, ...options });
const executed = async (migrations: readonly SchemaMigration[] = ALL): Promise<readonly string[]> =>
  (await migrationStatus({ url: server.url, migrations }))
    .filter(({ name, state }) => state !== 'pending' && migrations.some((each) => each.name === name))
    .map(({ name }) => name);
const ran = (migrations: readonly SchemaMigration[]) => runMigrations({ url: server.url, migrations });

test('the latest one is undone, then several, and what is left is run forward again', async () => {
  await ran(ALL);
  const said: unknown[] = [];
  expect(await revert({ onProgress: (progress) => said.push(progress) })).toEqual([NULLABLE.name]);
  expect(said).toEqual([{ kind: 'reverted', name: NULLABLE.name }]);
  expect(await executed()).toEqual([CREATE.name, INDEX.name]);
  await ran(ALL);
  expect(await revert({ to: CREATE.name })).toEqual([NULLABLE.name, INDEX.name]);
  expect(await server.query(`SELECT to_regclass('public.ix_thing')::text AS name`)).toEqual([{ name: null }]);
  expect(await revert({ to: CREATE.name })).toEqual([]);
  expect(await ran(ALL)).toEqual([INDEX.name, NULLABLE.name]);
  expect(await server.query('SELECT id FROM public.thing')).toEqual([{ id: 1 }]);
  expect(await revert({ steps: 3, allowDataLoss: true })).toEqual([NULLABLE.name, INDEX.name, CREATE.name]);
  expect(await revert()).toEqual([]);
});

test('what would lose data is refused with its name and a sentence, and nothing is undone', async () => {
  await ran(ALL);
  await expect(revert({ steps: 3 })).rejects.toThrow(`Nothing was reverted; data would be lost:
  ${CREATE.name}: public.thing is dropped with its rows
Add --allow-data-loss where it is no longer needed.`);
  expect(await executed()).toEqual(ALL.map(({ name }) => name));
});

test('where one of the range cannot be undone nothing is: no way back, not known, or another text', async () => {
  const fill = { name: '1795000000003-fill', up: ['INSERT INTO public.thing VALUES (2)'], down: [] };
  const more = { name: '1795000000004-more', up: ['ALTER TABLE public.thing ADD c int'], down: ['SELECT 1'] };
  const migrations = [...ALL, fill, more];
  await ran(migrations);
  await expect(revert({ migrations, steps: 3 })).rejects.toThrow(
    `Nothing was reverted; cannot be undone: no down statements for ${fill.name}. Write a migration`,
  );
  await expect(revert({ migrations: [...ALL, more], steps: 2 })).rejects.toThrow(
    `this version of the application does not have ${fill.name}`,
  );
  const changed = { ...more, up: ['ALTER TABLE public.thing ADD c bigint'] };
  await expect(revert({ migrations: [...ALL, fill, changed] })).rejects.toThrow(`${more.name} changed after`);
  await expect(revert({ migrations, to: '1795000000009-never' })).rejects.toThrow('has not run on this database');
  await expect(revert({ migrations, steps: 9 })).rejects.toThrow('5 have run on this database');
  expect(await executed(migrations)).toEqual(migrations.map(({ name }) => name));
  // A way back that needs nothing is a comment.
  const commented = { ...fill, down: ['-- the row may stay'] };
  expect(await revert({ migrations: [...ALL, commented, more], steps: 2 })).toEqual([more.name, fill.name]);
});

test('a failure takes back its own migration only, and names the statement', async () => {
  const broken = { ...NULLABLE, down: ['ALTER TABLE public.thing DROP CONSTRAINT nothing'] };
  const later = { name: '1795000000003-later', up: ['SELECT 1'], down: ['SELECT 1'] };
  const migrations = [CREATE, INDEX, broken, later];
  await ran(migrations);
  await expect(revert({ migrations, steps: 2 })).rejects.toThrow(
    `Migration ${broken.name} failed at statement 1 of 1: constraint "nothing"`,
  );
  expect(await executed(migrations)).toEqual([CREATE.name, INDEX.name, broken.name]);
});

test('of processes that revert together one does, and the others find less to do', async () => {
  await ran(ALL);
  const runs = await Promise.all([1, 2, 3].map(() => revert({ to: CREATE.name })));
  expect(runs.filter((names) => names.length > 0)).toEqual([[NULLABLE.name, INDEX.name]]);
});

test('a dry run writes a script, whose comments name losses, and changes nothing itself', async () => {
  await ran(ALL);
  const { names, sql } = await revertScript({ url: server.url, migrations: ALL, steps: 3 });
  expect(names).toEqual([NULLABLE.name, INDEX.name, CREATE.name]);
  expect(sql).toContain(`-- loses data: public.thing is dropped with its rows
-- revert ${CREATE.name}
BEGIN;
SET LOCAL lock_timeout = 2000;
DROP TABLE public.thing;
DELETE FROM lintel.migration WHERE name = 'create-1795000000000';
COMMIT;
`);
  expect(await executed()).toHaveLength(3);
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    for (const statement of sql.split(';\n')) await client.query(statement);
  } finally {
    await client.end();
  }
  expect(await executed()).toEqual([]);
  expect((await revertScript({ url: server.url, migrations: ALL })).sql).toBe('-- Nothing to revert.\n');
});

test('migrations of the platform are never reverted, also where one ran last', async () => {
  await ran([CREATE]);
  await server.query(`UPDATE lintel.migration SET id = id + 1000 WHERE name = 'platform-1763683200100'`);
  expect(await revert({ migrations: [CREATE], allowDataLoss: true })).toEqual([CREATE.name]);
  expect(await revert({ migrations: [CREATE], allowDataLoss: true })).toEqual([]);
});
