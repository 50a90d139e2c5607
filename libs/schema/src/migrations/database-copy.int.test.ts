import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { copyDatabase, restoreDatabase } from './database-copy.ts';
import { revertMigrations } from './revert/revert-migrations.ts';
import { runMigrations } from './run-migrations.ts';

let server: TestDatabase;
beforeEach(async () => {
  server = await createTestDatabase('copied');
  await migrate(1);
});
afterEach(() => server.drop());

/** Steps of which each replaces the value of the one before. */
const MIGRATIONS = [1, 2, 3].map((step) => ({
  name: `${1_795_000_000_000 + step}-step`,
  up: [step === 1 ? 'CREATE TABLE public.kept AS SELECT 1 AS step' : `UPDATE public.kept SET step = ${step}`],
  down: ['SELECT 1'],
}));
const FAILING = { name: '1795000000009-failing', up: ['DELETE FROM public.kept', 'SELECT 1 / 0'], down: [] };

const migrate = (steps: number, ...more: readonly (typeof FAILING)[]) =>
  runMigrations({ url: server.url, migrations: [...MIGRATIONS.slice(0, steps), ...more] });
const step = async () => (await server.query('SELECT step FROM public.kept'))[0]?.['step'];

test('a copy before a migration that fails does not replace the one before the last that ran', async () => {
  expect(await copyDatabase(server.url)).toBe('done');
  await migrate(2);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await copyDatabase(server.url)).toBe('done');
    await expect(migrate(2, FAILING)).rejects.toThrow('1795000000009-failing');
  }
  expect(await restoreDatabase(server.url)).toBe('done');
  expect(await step()).toBe(1);
  expect(await restoreDatabase(server.url)).toBe('no copy');
  expect(await step()).toBe(1);
});

test('a copy replaces the earlier one when a migration has run, also if it was reverted', async () => {
  expect(await copyDatabase(server.url)).toBe('done');
  await migrate(2);
  expect(await copyDatabase(server.url)).toBe('done');
  await migrate(3);
  await revertMigrations({ url: server.url, migrations: MIGRATIONS, steps: 1, allowDataLoss: true });
  expect(await step()).toBe(3);
  expect(await restoreDatabase(server.url)).toBe('done');
  expect(await step()).toBe(2);
});
