import { createClient } from '@lintel/client';
import { as, baseUrl, demo, query, tokenOf, unique } from '../api.ts';

const client = createClient({ baseUrl, token: () => tokenOf('admin') });
/** A word that no other test has. */
const word = unique('Zürb').replaceAll(/[^a-zü0-9]/gi, '');
const NAMES = [`${word} Häuser`, `Kraft und ${word}`, `${word}gasse 7`];
const plain = word.replace('ü', 'u').toUpperCase();

const names = (instances: readonly unknown[]): readonly unknown[] =>
  instances.map((instance) => (instance as { readonly name?: unknown }).name).sort();

beforeAll(async () => {
  for (const name of NAMES) {
    const created = await as('admin', 'POST', '/entities/sales_Customer', { body: { name } });
    if (created.status !== 201) throw new Error(created.text);
  }
  const order = { number: unique('SE'), date: '2026-01-01', notes: `The ${word} was delivered late` };
  const created = await as('admin', 'POST', '/entities/sales_Order', {
    body: { ...order, customer: { id: demo.customer(1) } },
  });
  if (created.status !== 201) throw new Error(created.text);
});

// Asserts contract/search.md#q, contract/search.md#words, contract/search.md#searchable.
test('customers are found by words of their names, by a list, a search, a count, groups and the client', async () => {
  const list = await as('admin', 'GET', `/entities/sales_Customer${query({ q: `hauser ${plain}` })}`);
  expect([list.status, names(list.json())]).toEqual([200, [NAMES[0]]]);
  const body = { filter: {}, q: plain };
  expect(names((await as('admin', 'POST', '/entities/sales_Customer/search', { body })).json())).toEqual(
    [...NAMES].sort(),
  );
  expect((await as('admin', 'POST', '/entities/sales_Customer/search/count', { body })).json()).toBe(3);
  expect(names(await client.list('sales_Customer', { q: plain }))).toEqual([...NAMES].sort());
  expect(await client.count('sales_Customer', { q: `${plain} kraft` })).toBe(1);
  expect(await client.aggregate('sales_Customer', { q: plain, aggregates: { n: { count: '*' } } })).toEqual([{ n: 3 }]);
});

// Asserts contract/search.md#words.
test('english notes are found by their stems', async () => {
  const response = await as('admin', 'GET', `/entities/sales_Order${query({ q: `delivering ${word}` })}`);
  expect(response.json()).toHaveLength(1);
});

// Asserts contract/search.md#paths, contract/search.md#q, contract/fetch-plans.md#members.
test('orders are found by their customers and by the products of their lines, in plans, too', async () => {
  const own = unique('Quelle').replaceAll(/[^a-z0-9]/gi, '');
  const name = `${own} Company`;
  const [customer, product] = await Promise.all([
    as('admin', 'POST', '/entities/sales_Customer', { body: { name } }),
    as('admin', 'POST', '/entities/sales_Product', { body: { name: `${own} lamp`, sku: unique('S'), price: 1 } }),
  ]);
  const lines = [{ product: { id: product.json().id }, quantity: 1, price: 1 }];
  const order = { number: unique('SE'), date: '2026-01-01', customer: { id: customer.json().id }, lines };
  const created = await as('admin', 'POST', '/entities/sales_Order', { body: order });
  expect(created.status).toBe(201);
  for (const q of [`${own} company`, `lamp ${own}`])
    expect((await as('admin', 'GET', `/entities/sales_Order${query({ q })}`)).json()).toMatchObject([
      { id: created.json().id },
    ]);
  expect(await client.count('sales_Order', { q: `${own} company lamp` })).toBe(0);
  const ordersOf = async (q: string): Promise<unknown> => {
    const orders = { name: 'orders', fetchPlan: '_instance_name', q, count: true };
    const plan = { entity: 'sales_Customer', properties: ['name', orders] };
    const parameters = query({ fetchPlan: JSON.stringify(plan) });
    const { _counts, ...read } = (
      await as('admin', 'GET', `/entities/sales_Customer/${customer.json().id}${parameters}`)
    ).json();
    return [read.orders.map(({ id }: { readonly id: string }) => id), _counts];
  };
  expect(await ordersOf(`lamp ${own}`)).toEqual([[created.json().id], { orders: 1 }]);
  expect(await ordersOf(`lamp ${own} none`)).toEqual([[], { orders: 0 }]);
});

// Asserts contract/search.md#rank.
test('a whole word ranks before the beginning of one, in pages by cursors', async () => {
  const first = await client.page('sales_Customer', { q: plain, sort: '-_rank,name', limit: 2, count: 'exact' });
  const second = await client.page('sales_Customer', { q: plain, sort: '-_rank,name', limit: 2, cursor: first.cursor });
  expect(first.total).toBe(3);
  expect(names([...first.items, ...second.items])).toEqual([...NAMES].sort());
});

// Asserts contract/search.md#highlights.
test('highlights have the words that are found apart from the text, which may look like markup', async () => {
  const name = `<b>${word}</b> & Söhne`;
  const created = await as('admin', 'POST', '/entities/sales_Customer', { body: { name } });
  expect(created.status).toBe(201);
  const expected = [{ attribute: 'name', fragments: [['b>', word, '</b> & ', 'Söhne', '']] }];
  const options = { q: `${plain} sohne`, highlights: true, limit: 5, fetchPlan: '_instance_name' } as const;
  const listed = await as('admin', 'GET', `/entities/sales_Customer${query(options)}`);
  expect(listed.json()[0]._highlights).toEqual(expected);
  expect(listed.headers.get('x-candidates')).toBe('1000');
  expect(await client.list('sales_Customer', options)).toMatchObject([{ _highlights: expected }]);
  const [found] = await client.search(`${plain} sohne`, { highlights: true });
  expect(found?.instances[0]?._highlights).toEqual(expected);
  const refused = await as('admin', 'GET', `/entities/sales_Customer${query({ ...options, limit: 101 })}`);
  expect([refused.status, refused.json().details]).toEqual([
    400,
    "Parameter 'highlights' needs 'q' and a 'limit' of at most 100",
  ]);
});

// Asserts contract/search.md#rights.
test('a search needs the right to read, as every list does', async () => {
  const refused = await as('viewer', 'GET', `/entities/sales_Order${query({ q: word })}`);
  expect([refused.status, refused.json().details]).toEqual([403, 'Reading of the sales_Order is forbidden']);
});

// Asserts contract/search.md#q, contract/search.md#rank.
test.each([
  ['sales_Customer', { q: 'x'.repeat(201) }, "Parameter 'q' must be a text of at most 200 characters"],
  ['sales_Customer', { q: '& | !' }, "Parameter 'q' must be a text with a letter or a digit"],
  ['sales_Warehouse', { q: 'x' }, "Parameter 'q': sales_Warehouse has no searchable attributes"],
  ['sales_Customer', { sort: '-_rank' }, "Cannot sort by _rank without 'q'"],
])('%s refuses %j', async (entity, parameters, details) => {
  const response = await as('admin', 'GET', `/entities/${entity}${query(parameters)}`);
  expect([response.status, response.json().details]).toEqual([400, details]);
});

// Asserts contract/search.md#all.
test('a search in all entities finds customers and orders by their names', async () => {
  const response = await as('admin', 'GET', `/search${query({ q: plain, limit: 2 })}`);
  const { candidates, entities } = response.json();
  expect([response.status, candidates]).toEqual([200, 1_000]);
  const found = Object.fromEntries(
    entities.map(({ entityName, instances }: { entityName: string; instances: readonly object[] }) => [
      entityName,
      instances.length,
    ]),
  );
  expect(found).toEqual({ sales_Customer: 2, sales_Order: 1 });
  const [customers] = await client.search(plain, { entities: ['sales_Customer'], limit: 1 });
  expect([customers?.entityName, customers?.instances.length]).toEqual(['sales_Customer', 1]);
  const narrow = await as('viewer', 'GET', `/search${query({ q: plain })}`);
  expect([narrow.status, narrow.json()]).toEqual([200, { candidates: 1_000, entities: [] }]);
  const named = await as('viewer', 'GET', `/search${query({ q: plain, entities: 'sales_Order' })}`);
  expect(named.status).toBe(403);
});
