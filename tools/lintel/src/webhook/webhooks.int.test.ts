import sales from '@lintel/example-sales';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

// Needs a database: createTestDatabase.

const SHOP = '01a20000-0000-7000-8000-000000000001';
const STORE = '01a20000-0000-7000-8000-000000000002';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_webhooks',
  );
});
afterAll(() => database.drop());

async function webhook(...parameters: string[]) {
  const terminal = fakeTerminal();
  const named = ['--application', '@lintel/example-sales', '--url', database.url];
  const code = await run(['webhook', ...parameters, ...named], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}

const states = async (): Promise<readonly string[]> =>
  (
    await database.query(
      `SELECT event_id || ' ' || state || ' ' || attempts || ' ' || (next_attempt IS NOT NULL) || ' ' || (finished_at IS NULL) AS row
       FROM sys.webhook_delivery ORDER BY event_id`,
    )
  ).map(({ row }) => String(row));

test('without webhooks', async () => {
  expect(await webhook('list')).toMatchObject({ code: 0, output: expect.stringContaining('There are no webhooks.') });
  expect((await webhook('retry', '--all')).output).toContain('There are no webhooks.');
  expect((await webhook('retry', 'shop')).notes).toContain('There is no webhook shop');
});

describe('with webhooks', () => {
  beforeEach(async () => {
    await database.query('TRUNCATE sys.webhook, sys.webhook_delivery');
    for (const [id, name] of [
      [SHOP, 'shop'],
      [STORE, 'store'],
    ])
      await database.query(
        `INSERT INTO sys.webhook (id, version, name, url, entity_name, changes, active, owner, secret)
         VALUES ('${id}', 1, '${name}', 'https://${name}.example/', 'sales_Order', 'updated', true, 'admin', 'x')`,
      );
    const delivery = (webhookId: string, eventId: string, state: string, day: number): string =>
      `('${webhookId}', 'n', '${eventId}', 'sales_Order', '1', 'updated', '2026-11-${day}', 'l', '${state}', 9,
        '2026-11-20', ${state === 'pending' ? `'2026-11-21', NULL` : `NULL, '2026-11-${day}'`}, 'status 500 of ${eventId}')`;
    await database.query(
      `INSERT INTO sys.webhook_delivery (webhook_id, webhook_name, event_id, entity_name, entity_id, change, changed_at,
         lane, state, attempts, queued_at, next_attempt, finished_at, last_error)
       VALUES ${[
         delivery(SHOP, 'a', 'failed', 10),
         delivery(SHOP, 'b', 'failed', 12),
         delivery(SHOP, 'c', 'delivered', 12),
         delivery(SHOP, 'd', 'pending', 12),
         delivery(STORE, 'e', 'refused', 12),
         delivery(STORE, 'f', 'failed', 12),
       ].join(', ')}`,
    );
  });

  test('they are listed with what was not accepted', async () => {
    expect((await webhook('list')).output.trimEnd().split('\n')).toEqual([
      'Name   Entity       Owner  Active  Pending  Failed  Refused  Last error',
      'shop   sales_Order  admin  yes     1        2       0        status 500 of b',
      'store  sales_Order  admin  yes     0        1       1        status 500 of f',
    ]);
    expect(JSON.parse((await webhook('list', '--json')).output)[0]).toEqual({
      id: SHOP,
      name: 'shop',
      url: 'https://shop.example/',
      entityName: 'sales_Order',
      owner: 'admin',
      active: true,
      pending: 1,
      failed: 2,
      refused: 0,
      lastError: 'status 500 of b',
    });
  });

  test('failed deliveries of a webhook are sent again', async () => {
    expect((await webhook('retry', 'shop', '--dry-run')).output).toContain('shop: 2 deliveries would be sent again');
    expect((await states())[0]).toBe('a failed 9 false false');
    expect((await webhook('retry', 'shop')).output).toContain('shop: 2 deliveries will be sent again');
    expect(await states()).toEqual([
      'a pending 0 true true',
      'b pending 0 true true',
      'c delivered 9 false false',
      'd pending 9 true true',
      'e refused 9 false false',
      'f failed 9 false false',
    ]);
  });

  test('waiting deliveries are due at once, and their attempts go on', async () => {
    const due = () => database.query(`SELECT event_id FROM sys.webhook_delivery WHERE next_attempt > '2026-11-21'`);
    expect(await due()).toEqual([]);
    expect((await webhook('retry', 'shop', '--state', 'pending')).output).toContain(
      'shop: 1 delivery will be sent again',
    );
    expect(await due()).toEqual([{ event_id: 'd' }]);
    expect((await states())[3]).toBe('d pending 9 true true');
  });

  test('states, a time and all webhooks can be chosen', async () => {
    const states = ['--state', 'refused', '--state', 'failed', '--since', '2026-11-11T00:00:00Z'];
    expect(JSON.parse((await webhook('retry', '--all', ...states, '--json')).output)).toEqual([
      { id: SHOP, name: 'shop', deliveries: 1 },
      { id: STORE, name: 'store', deliveries: 2 },
    ]);
    expect(JSON.parse((await webhook('retry', SHOP, '--json')).output)).toEqual([
      { id: SHOP, name: 'shop', deliveries: 1 },
    ]);
  });

  test.each([
    [[], 'No webhook is named'],
    [['shop', '--all'], '--all and names exclude each other'],
    [['shop', '--state', 'lost'], 'There is no state lost'],
    [['shop', '--since', 'yesterday'], '--since yesterday is no time'],
    [['shop', 'shopp'], 'There is no webhook shopp'],
  ])('%j is refused, and nothing changes', async (parameters, reason) => {
    const before = await states();
    const { code, notes } = await webhook('retry', ...parameters);
    expect(code).toBe(2);
    expect(notes).toContain(reason);
    expect(await states()).toEqual(before);
  });
});
