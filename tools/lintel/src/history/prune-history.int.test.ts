import sales from '@lintel/example-sales';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_history',
  );
  for (const month of ['2009-01', '2020-02', '2020-03']) await partition(month, 'change', 'entry');
  for (const [source, time] of [
    ['sales.customer', '2009-01-05'],
    ['sales.customer', '2020-02-05'],
    ['sales.customer', '2020-03-05'],
    ['sales.other', '2020-03-06'],
    ['sales.customer', '2020-04-05'],
    ['sales.customer', '2026-01-05'],
  ])
    await database.query(`WITH c AS (INSERT INTO history.change (id, recorded_at, database_user)
        VALUES (gen_random_uuid(), '${time}Z', 'x') RETURNING *)
      INSERT INTO history.entry (recorded_at, change_id, source, key) SELECT recorded_at, id, '${source}', '[1]' FROM c`);
});
afterAll(() => database.drop());

async function partition(month: string, ...tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await database.query(`CREATE TABLE history.${table}_${month.replace('-', '_')} PARTITION OF history.${table}
      FOR VALUES FROM ('${month}-01Z') TO (timestamptz '${month}-01Z' + interval '1 month')`);
}

async function prune(...parameters: string[]) {
  const terminal = fakeTerminal();
  const named = ['--application', '@lintel/example-sales', '--url', database.url];
  const code = await run(['history', 'prune', ...parameters, ...named], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}

const rowsOf = async (table: 'change' | 'entry' | 'access'): Promise<readonly string[]> => {
  const text = `SELECT tableoid::regclass || to_char(recorded_at AT TIME ZONE 'UTC', ' YYYY-MM-DD') AS row FROM history.${table} ORDER BY recorded_at`;
  return (await database.query(text)).map(({ row }) => String(row));
};

// Asserts contract/history.md#retention.
test('changes are pruned after the retention of their entity, whole months at once, and others stay', async () => {
  expect((await prune()).output).toContain('Deleted 1 entry; dropped as a whole: 2009_01');
  const olderThan = ['--older-than', '2020-05-01T00:00:00Z', '--entity', 'sales_Customer'];
  const before = await rowsOf('entry');
  expect((await prune(...olderThan, '--dry-run')).output).toContain('Would delete 3 entries');
  expect([before.length, await rowsOf('entry')]).toEqual([5, before]);
  const { code, output } = await prune(...olderThan, '--json');
  expect([code, JSON.parse(output)]).toEqual([0, { months: ['2020_02'], entries: 3 }]);
  const kept = ['entry_2020_03 2020-03-06', 'entry_default 2026-01-05'].map((row) => `history.${row}`);
  expect(await rowsOf('entry')).toEqual(kept);
  expect(await rowsOf('change')).toEqual(kept.map((row) => row.replace('entry', 'change')));
  const partitions = await database.query(`SELECT 1 FROM pg_class WHERE relname ~ '_(2009_01|2020_02)'`);
  expect(partitions).toEqual([]);
});

// Asserts contract/access-log.md#access-log-retention.
test('reads are pruned after the retention of their entity, whole months at once, and others stay', async () => {
  for (const month of ['2009-01', '2020-02']) await partition(month, 'access');
  for (const [entity, time] of [
    ['sales_Party', '2009-01-05'],
    ['sales_Party', '2020-02-05'],
    ['sales_Other', '2020-02-06'],
    ['sales_Party', '2100-01-01'],
  ])
    await database.query(`INSERT INTO history.access (id, recorded_at, username, operation, entity, ids, count)
      VALUES (gen_random_uuid(), '${time}Z', 'x', 'list', '${entity}', ARRAY['1'], 1)`);
  expect((await prune('--dry-run', '--entity', 'sales_Party')).output).toContain('Would delete 2 entries');
  expect((await prune('--entity', 'sales_Party')).output).toContain('Deleted 2 entries; dropped as a whole: 2009_01');
  expect(await rowsOf('access')).toEqual(['history.access_2020_02 2020-02-06', 'history.access_default 2100-01-01']);
});

test('an entity without a retention is refused, and so is a text that is not a time', async () => {
  expect((await prune('--entity', 'sales_Order')).notes).toContain('sales_Order has no retention');
  expect((await prune('--older-than', '2 years')).notes).toContain('--older-than 2 years is no time');
});
