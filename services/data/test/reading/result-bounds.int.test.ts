import sales from '@lintel/example-sales';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../data-fixture.ts';

const USERS = { admin: { resourceRoles: ['system-full-access'] } };
const LINES = encodeURIComponent(
  JSON.stringify({
    entity: 'sales_Order',
    properties: ['number', { name: 'lines', fetchPlan: { properties: ['quantity'] } }],
  }),
);
const CUSTOMERS = encodeURIComponent(
  JSON.stringify({
    entity: 'sales_Customer',
    properties: ['name', { name: 'orders', fetchPlan: { properties: ['notes'] } }],
  }),
);
const TAGS = encodeURIComponent(JSON.stringify({ entity: 'sales_Customer', properties: ['name', 'tags'] }));
const MEBIBYTE = 1024 * 1024;

let data: DataFixture;

beforeAll(async () => {
  data = await startData(sales, USERS, {
    'svc.rest.limits.collection-size': '20',
    'resultBounds.collectionBytes': 1_048_576,
    'svc.datasource.max-result-memory': '8MB',
    'svc.rest.max-body-size': '16MB',
  });
  await data.query(`INSERT INTO sales.customer (id, version, name, active)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'c' || n, true FROM generate_series(1, 3) n`);
  await data.query(`INSERT INTO sales.product (id, version, name, sku, price)
    VALUES (lpad('1', 32, '0')::uuid, 1, 'p', 'p', 1)`);
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, notes)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'o' || n, '2026-01-01', 10, lpad((n % 2 + 1)::text, 32, '0')::uuid,
      repeat('x', CASE WHEN n % 2 = 0 THEN 10 ELSE 200000 END) FROM generate_series(1, 20) n`);
  await data.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity)
    SELECT gen_random_uuid(), 1, lpad(o::text, 32, '0')::uuid, lpad('1', 32, '0')::uuid, 1
    FROM generate_series(1, 2) o, generate_series(1, 19 + o) n`);
});
afterAll(() => data?.close());

const id = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
const get = (path: string) => data.send('admin', 'GET', `/entities/${path}`);
const REFUSED = (...parts: string[]) => ({
  error: 'The result is too large',
  details: expect.stringMatching(new RegExp(parts.map((part) => part.replaceAll('.', '\\.')).join('.*'))),
});

test('a collection with the maximum of members is read; one member more is refused with the name of the collection', async () => {
  expect((await get(`sales_Order/${id(1)}?fetchPlan=${LINES}`)).json().lines).toHaveLength(20);
  const refused = await get(`sales_Order/${id(2)}?fetchPlan=${LINES}`);
  expect([refused.status, refused.json()]).toEqual([
    400,
    REFUSED('sales_Order.lines', 'svc.rest.limits.collection-size'),
  ]);
});

test.each(['?limit=10&', '?limit=5000&', '?', '/search?filter={}&limit=10&'])(
  'the maximum applies to lists, buffered and streamed: %s',
  async (query) => {
    const refused = await get(`sales_Order${query}fetchPlan=${LINES}`);
    expect([refused.status, refused.json()]).toEqual([400, REFUSED('sales_Order.lines', 'collection-size')]);
  },
);

test('a collection with large members is refused because of its size', async () => {
  expect((await get(`sales_Customer/${id(1)}?fetchPlan=${CUSTOMERS}`)).json().orders).toHaveLength(10);
  const refused = await get(`sales_Customer/${id(2)}?fetchPlan=${CUSTOMERS}`);
  expect([refused.status, refused.json()]).toEqual([400, REFUSED('sales_Customer.orders', 'collection-bytes')]);
});

test('an element collection is refused with its name', async () => {
  await data.query(`INSERT INTO sales.customer_tags (customer_id, position, value)
    SELECT lpad('3', 32, '0')::uuid, n, 't' || n FROM generate_series(0, 20) n`);
  const refused = await get(`sales_Customer/${id(3)}?fetchPlan=${TAGS}`);
  expect([refused.status, refused.json()]).toEqual([400, REFUSED('sales_Customer.tags', 'collection-size')]);
});

describe('a row over the limit of the connection', () => {
  const large = id(99);
  beforeAll(async () => {
    await data.query(
      `INSERT INTO sales."order" (id, version, number, date, status, customer_id, notes)
       VALUES ($1, 1, 'large', '2026-01-01', 10, $2, repeat('x', ${5 * MEBIBYTE}))`,
      [large, id(3)],
    );
  });

  test.each([
    ['GET', `/entities/sales_Order/${large}`, undefined],
    ['GET', '/entities/sales_Order?sort=-number', undefined],
    ['GET', '/entities/sales_Order?sort=-number&limit=3000', undefined],
    ['PUT', `/entities/sales_Order/${large}`, { notes: 'short' }],
  ])('is refused with the name of the property, and the service continues: %s %s', async (method, path, body) => {
    const refused = await data.send('admin', method, path, body);
    expect([refused.status, refused.json()]).toEqual([400, REFUSED('svc.datasource.max-result-memory')]);
    expect((await get(`sales_Order/${id(3)}`)).status).toBe(200);
    await eventually(() => expect(data.database.metrics().total).toBe(data.database.metrics().idle));
  });
});
