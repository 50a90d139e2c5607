import sales from '@lintel/example-sales';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_bin',
  );
});
afterAll(() => database.drop());

const ID = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;

async function purge(...parameters: readonly string[]) {
  const terminal = fakeTerminal();
  const named = ['--application', '@lintel/example-sales', '--url', database.url];
  const code = await run(['bin', 'purge', ...parameters, ...named], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}
const names = async (): Promise<readonly string[]> =>
  (await database.query<{ name: string }>('SELECT name FROM sales.customer ORDER BY name')).map(({ name }) => name);

test('instances that were deleted before the time are removed, and those that are referred to stay', async () => {
  await database.query(`INSERT INTO sales.customer (id, version, name, deleted_date) VALUES
    ('${ID(1)}', 1, 'old', '2020-01-01'), ('${ID(2)}', 1, 'used', '2020-01-01'),
    ('${ID(3)}', 1, 'new', now()), ('${ID(4)}', 1, 'there', NULL)`);
  await database.query(`INSERT INTO sales.order (id, version, number, customer_id, status, date) VALUES
    ('${ID(5)}', 1, 'N1', '${ID(2)}', 10, now())`);
  const counted = await purge('--older-than', '30d', '--dry-run', '--json');
  expect(JSON.parse(counted.output)).toEqual([{ entity: 'sales_Customer', removed: 2, kept: 0 }]);
  const purged = await purge('--older-than', '30d', '--json');
  expect([purged.code, JSON.parse(purged.output)]).toEqual([0, [{ entity: 'sales_Customer', removed: 1, kept: 1 }]]);
  expect(await names()).toEqual(['new', 'there', 'used']);
  const [{ events } = { events: 0 }] = await database.query<{ events: number }>(
    `SELECT count(*)::int AS events FROM events.outbox WHERE envelope::text LIKE '%"deleted"%'`,
  );
  expect(events).toBe(1);
});

test('an instance that another one takes along is gone, and no failure', async () => {
  await database.query(`INSERT INTO sales.customer (id, version, name, deleted_date) VALUES
    ('${ID(6)}', 1, 'first', '2019-01-01'), ('${ID(7)}', 1, 'second', '2019-01-02')`);
  await database.query(`CREATE FUNCTION take_along() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM sales.customer WHERE name = 'second' AND OLD.name = 'first'; RETURN NULL; END $$`);
  await database.query(
    'CREATE TRIGGER take_along AFTER DELETE ON sales.customer FOR EACH ROW EXECUTE FUNCTION take_along()',
  );
  const { code, output } = await purge('--older-than', '2019-06-01T00:00:00Z', '--json');
  expect([code, JSON.parse(output)]).toEqual([0, [{ entity: 'sales_Customer', removed: 1, kept: 0 }]]);
});

test.each([
  ['--older-than yesterday', ['--older-than', 'yesterday'], '--older-than yesterday is no time'],
  [
    'an entity without soft deletion',
    ['--older-than', '1d', '--entity', 'sec_User'],
    'sec_User is no entity with soft deletion',
  ],
])('%s is refused', async (_what, parameters, message) => {
  const { code, notes } = await purge(...parameters);
  expect([code, notes]).toEqual([2, expect.stringContaining(message)]);
});
