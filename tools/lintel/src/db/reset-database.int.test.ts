import sales from '@lintel/example-sales';
import { createDatabase, type Database } from '@lintel/persistence';
import { migrationStatus, runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

// Needs a database: createTestDatabase.

const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
const migrations = sales.migrations ?? [];

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations }) },
    'cli_reset',
  );
  await within((database) => database.query({ text: 'CREATE TABLE public.extra (id int)', values: [] }));
});
afterEach(() => testDatabase.drop());

async function within<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({
    url: testDatabase.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'another program',
    logger,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
const hasExtra = () =>
  within(async (database) => {
    const text = `SELECT to_regclass('public.extra') IS NOT NULL AS found`;
    return (await database.query<{ found: boolean }>({ text, values: [] }))[0]?.found;
  });

async function reset(parameters: readonly string[], options: Parameters<typeof fakeTerminal>[0] = {}) {
  const terminal = fakeTerminal(options);
  const named = ['--application', '@lintel/example-sales', '--url', testDatabase.url];
  const code = await run(['db', 'reset', ...parameters, ...named], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}

test('everything is removed, and the migrations run again', async () => {
  const { code, output, notes } = await reset(['--force', '--yes', '--json']);
  expect({ code, notes }).toEqual({ code: 0, notes: '' });
  expect(JSON.parse(output).removedSchemas).toEqual(expect.arrayContaining(['public', 'sales', 'sec']));
  expect(await hasExtra()).toBe(false);
  const states = (await migrationStatus({ url: testDatabase.url, migrations })).map(({ state }) => state);
  expect(new Set(states).has('pending')).toBe(false);
});

test('a configured database is refused, and so is a reset that is not confirmed', async () => {
  const foreign = await reset(['--yes']);
  expect(foreign.code).toBe(2);
  expect(foreign.notes).toContain('is configured (svc.datasource.url) and not that of this folder');
  const silent = await reset(['--force']);
  expect(silent.code).toBe(2);
  expect(silent.notes).toContain('Add --yes to confirm.');
  const declined = await reset(['--force'], { inputs: ['no'] });
  expect(declined.code).toBe(2);
  expect(declined.notes).toContain('Nothing was removed.');
  expect(await hasExtra()).toBe(true);
});

test('the name of the database confirms it', async () => {
  const name = new URL(testDatabase.url).pathname.slice(1);
  expect((await reset(['--force'], { inputs: [name] })).code).toBe(0);
  expect(await hasExtra()).toBe(false);
});
