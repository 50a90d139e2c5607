import { type DataFixture, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

const LINES = 1_000;
/** Enough for every kind of statement of such a save, and far below one per line. */
const MAX_STATEMENTS = 20;

let data: DataFixture;
let customer = '';
beforeAll(async () => {
  data = await startData(shop, {
    admin: { resourceRoles: ['system-full-access'] },
    local: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
  });
  customer = (await send('POST', 't_Customer', { name: 'x', address: { country: 'DE' } })).json().id;
});
afterAll(() => data?.close());

let user = 'admin';
const send = (method: string, path: string, body?: unknown) => data.send(user, method, `/entities/${path}`, body);
/** Sends a request; returns the number of statements of its transaction. */
async function statementsOf(method: string, path: string, body?: unknown, status = 200): Promise<number> {
  data.statements.length = 0;
  const response = await send(method, path, body);
  expect([response.status, response.text]).toEqual([status, expect.any(String)]);
  return data.statements.length;
}
const linesOf = (order: string) =>
  data.query<{ id: string; version: number; quantity: string }>(
    'SELECT id, version, quantity FROM t.line WHERE order_id = $1 ORDER BY position',
    [order],
  );

describe.each(['admin', 'local'])('an order with a thousand lines, saved by %s', (who) => {
  let order = '';
  beforeAll(() => {
    user = who;
  });

  test('is created with a bounded number of statements', async () => {
    order = crypto.randomUUID();
    const lines = Array.from({ length: LINES }, (_, position) => ({
      quantity: position + 1,
      position,
      discounts: [{ percent: 1 }],
    }));
    const body = { id: order, number: `B-${who}`, customer: { id: customer }, lines };
    expect(await statementsOf('POST', 't_Order', body, 201)).toBeLessThan(MAX_STATEMENTS);
    expect(await linesOf(order)).toHaveLength(LINES);
  });

  test('is changed in every line with a bounded number of statements', async () => {
    const lines = (await linesOf(order)).map(({ id }, position) => ({ id, quantity: 2_000 - position, position }));
    expect(await statementsOf('PUT', `t_Order/${order}`, { notes: 'all', lines })).toBeLessThan(MAX_STATEMENTS);
    const stored = await linesOf(order);
    expect(stored.map(({ quantity }) => Number(quantity))).toEqual(lines.map(({ quantity }) => quantity));
    expect(new Set(stored.map(({ version }) => version))).toEqual(new Set([2]));
  });

  test('is changed in different attributes of its lines with a bounded number of statements', async () => {
    const stored = await linesOf(order);
    const lines = stored.map(({ id, quantity }, at) => ({
      id,
      quantity: at % 2 === 0 ? Number(quantity) : 1,
      position: at % 3 === 0 ? 5_000 + at : at,
    }));
    expect(await statementsOf('PUT', `t_Order/${order}`, { lines })).toBeLessThan(MAX_STATEMENTS);
    const changed = await data.query<{ id: string; quantity: string; position: number; version: number }>(
      'SELECT id, quantity, position, version FROM t.line WHERE order_id = $1',
      [order],
    );
    const byId = new Map(changed.map((row) => [row.id, row]));
    for (const [at, { id, quantity, position }] of lines.entries()) {
      const isChanged = at % 2 !== 0 || at % 3 === 0;
      expect(byId.get(id)).toMatchObject({ quantity: quantity.toFixed(2), position, version: isChanged ? 3 : 2 });
    }
  });

  test('loses all its lines with a bounded number of statements', async () => {
    expect(await statementsOf('PUT', `t_Order/${order}`, { lines: [] })).toBeLessThan(MAX_STATEMENTS);
    expect(await linesOf(order)).toEqual([]);
    expect(await data.query('SELECT 1 FROM t.discount')).toEqual([]);
  });

  test('is deleted with its descendants with a bounded number of statements', async () => {
    await send('PUT', `t_Order/${order}`, { lines: Array.from({ length: LINES }, () => ({ quantity: 1 })) });
    expect(await statementsOf('DELETE', `t_Order/${order}`, undefined, 204)).toBeLessThan(MAX_STATEMENTS);
  });
});

test('a batch of two hundred instances is created, changed and deleted with a bounded number of statements', async () => {
  user = 'admin';
  const bodies = Array.from({ length: 200 }, (_, at) => ({
    id: crypto.randomUUID(),
    name: `batch ${at}`,
    tags: ['a'],
  }));
  expect(await statementsOf('POST', 't_Customer', bodies, 201)).toBeLessThan(MAX_STATEMENTS);
  const changes = bodies.map(({ id }, at) => ({ id, name: `changed ${at}`, tags: ['b', 'c'] }));
  expect(await statementsOf('PUT', 't_Customer', changes)).toBeLessThan(MAX_STATEMENTS);
  const [row] = await data.query<{ count: number }>(
    `SELECT count(*)::int FROM t.customer WHERE name LIKE 'changed %' AND version = 2`,
  );
  expect(row?.count).toBe(200);
  const ids = bodies.map(({ id }) => id);
  expect(await statementsOf('DELETE', 't_Customer', ids, 204)).toBeLessThan(MAX_STATEMENTS);
});

// Asserts contract/writing.md#update.
test('a replaced association needs one statement more than its members', async () => {
  user = 'admin';
  const products = Array.from({ length: 50 }, (_, at) => ({ id: crypto.randomUUID(), name: `p${at}` }));
  await send('POST', 't_Product', products);
  const { id } = (await send('POST', 't_Customer', { name: 'fan' })).json();
  const named = products.map((product) => ({ id: product.id }));
  const updates = () =>
    data.statements.flatMap((text) => (text.startsWith('UPDATE') ? /customer|product/.exec(text) : [])).sort();
  const changed = await statementsOf('PUT', `t_Customer/${id}`, { favourites: named });
  expect(updates()).toEqual(['customer', 'product']);
  // If the members do not change, nothing is written; without the attribute, they are not read either.
  const unchanged = await statementsOf('PUT', `t_Customer/${id}`, { favourites: named });
  expect(updates()).toEqual([]);
  expect(changed).toBeGreaterThan(unchanged);
  expect(await statementsOf('PUT', `t_Customer/${id}`, {})).toBeLessThan(unchanged);
});
