import sales from '@lintel/example-sales';
import { type DataFixture, startData, startDataOn, type TestResponse } from '../data-fixture.ts';

const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  /** A caller who sees the orders of customers in the country. */
  manager: {
    resourceRoles: ['rest-minimal', 'sales-manager'],
    rowLevelRoles: ['own-region'],
    attributes: { country: 'DE' },
  },
};
/** Requests above the default limits of filters, which a role or property can raise. */
const RAISED = {
  'limits.toManySteps': 2_000,
  'limits.conditions': 2_000,
  'limits.conditionHops': 10_000,
  'limits.statementBytes': 1_048_576,
};
const CUSTOMERS = 100;
const ORDERS = 6_000;

let data: DataFixture;
let capped: DataFixture;

beforeAll(async () => {
  data = await startData(sales, USERS, { ...RAISED, 'svc.datasource.statement-timeout': '20s' });
  await data.query(`INSERT INTO sales.customer (id, version, name, active)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'c' || n, true FROM generate_series(1, ${CUSTOMERS}) n`);
  await data.query(`INSERT INTO sales.product (id, version, name, sku, price)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'p' || n, 'p' || n, 1 FROM generate_series(1, 50) n`);
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'o' || n, '2026-01-01', 10,
      lpad((n % ${CUSTOMERS} + 1)::text, 32, '0')::uuid FROM generate_series(1, ${ORDERS}) n`);
  await data.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity, position)
    SELECT gen_random_uuid(), 1, lpad(o::text, 32, '0')::uuid, lpad((o % 50 + 1)::text, 32, '0')::uuid, n, n
    FROM generate_series(1, ${ORDERS}) o, generate_series(1, 3) n`);
  await data.query('ANALYZE');
  capped = await startData(sales, USERS, { ...RAISED, 'svc.rest.max-query-cost': '1' });
});
afterAll(async () => {
  await data?.close();
  await capped?.close();
});

interface Condition {
  readonly property: string;
  readonly operator: string;
  readonly value: unknown;
}

const search = (conditions: readonly unknown[], from = data, user: keyof typeof USERS = 'admin') =>
  from.send(user, 'POST', '/entities/sales_Order/search', {
    filter: { conditions },
    fetchPlan: '_instance_name',
    limit: 5,
    sort: 'id',
  });
const numbersOf = async (conditions: readonly unknown[]): Promise<readonly string[]> => {
  const found = await search(conditions);
  expect([found.status, found.status === 200 ? '' : found.text]).toEqual([200, '']);
  return found.json().map(({ number }: { readonly number: string }) => number);
};

const path = (hops: number, first: string, second: string): string =>
  Array.from({ length: hops }, (_, at) => (at % 2 === 0 ? first : second)).join('.');
const none = (property: string): Condition => ({ property, operator: 'contains', value: 'nothing' });

test.each([
  ['7 hops through lines', `${path(7, 'lines', 'order')}.product.name`],
  ['8 hops through orders of a customer', `${path(8, 'customer', 'orders')}.number`],
  ['12 hops', `${path(12, 'customer', 'orders')}.number`],
])('the cost of a path of %s grows with the tables, not with the hops', async (_, property) => {
  expect(await numbersOf([none(property)])).toEqual([]);
});

test('such a path finds the right rows', async () => {
  const property = `${path(6, 'customer', 'orders')}.number`;
  // The orders of the customer of o7: every hundredth order.
  expect(await numbersOf([{ property, operator: '=', value: 'o7' }])).toEqual(['o7', 'o107', 'o207', 'o307', 'o407']);
});

const fifty = (last: number): readonly Condition[] => [
  ...Array.from(
    { length: 49 },
    (_, at): Condition => ({
      property: 'lines.product.name',
      operator: 'contains',
      value: at % 2 === 0 ? 'p' : '',
    }),
  ),
  { property: 'lines.quantity', operator: '=', value: last },
];

test('50 conditions on collections need only one pass over their members', async () => {
  expect(await numbersOf(fifty(3))).toEqual(['o1', 'o2', 'o3', 'o4', 'o5']);
  expect(await numbersOf(fifty(4))).toEqual([]);
});

test('twelve such requests at the same time all succeed', async () => {
  const responses = await Promise.all(Array.from({ length: 12 }, () => search(fifty(4))));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
});

test('a thousand conditions, joined by AND and by OR', async () => {
  const many = (operator: string) =>
    Array.from({ length: 1_000 }, (_, at): Condition => ({ property: 'lines.quantity', operator, value: at + 10 }));
  expect(await numbersOf(many('<>'))).toEqual(['o1', 'o2', 'o3', 'o4', 'o5']);
  expect(await numbersOf([{ group: 'OR', conditions: many('=') }])).toEqual([]);
});

test('a large request whose expected cost is above the maximum is refused before it is executed', async () => {
  const refused = await search(fifty(3), capped);
  expect([refused.status, refused.json()]).toEqual([
    400,
    { error: expect.any(String), details: expect.stringContaining('svc.rest.max-query-cost') },
  ]);
  const count = await capped.send('admin', 'POST', '/entities/sales_Order/search/count', {
    filter: { conditions: fifty(3) },
  });
  expect([count.status, count.json().details]).toEqual([400, expect.stringContaining('svc.rest.max-query-cost')]);
});

test('the cost of an ordinary request is not estimated', async () => {
  const response = await search([{ property: 'lines.quantity', operator: '=', value: 1 }], capped);
  expect(response.status).toBe(200);
});

test('a large request of a caller with row-level policies is executed or refused like that of others', async () => {
  const response = await search(fifty(3), data, 'manager');
  expect([response.status, response.json()]).toEqual([200, []]);
  const refused = await search(fifty(3), capped, 'manager');
  expect([refused.status, refused.json().details]).toEqual([400, expect.stringContaining('svc.rest.max-query-cost')]);
});

describe('a maximum between the costs of a short page and of all rows', () => {
  /** Large enough for an estimate, and the planner expects some hundred rows. */
  const conditions = Array.from(
    { length: 5 },
    (_, at): Condition => ({
      property: 'lines.quantity',
      operator: '>=',
      value: at - 4,
    }),
  );
  const list = (from: Pick<DataFixture, 'send'>, more: object): Promise<TestResponse> =>
    from.send('admin', 'POST', '/entities/sales_Order/search', {
      filter: { conditions },
      fetchPlan: '_instance_name',
      sort: 'id',
      ...more,
    });
  const count = (from: Pick<DataFixture, 'send'>) =>
    from.send('admin', 'POST', '/entities/sales_Order/search/count', { filter: { conditions } });
  let between: Awaited<ReturnType<typeof startDataOn>>;

  beforeAll(async () => {
    const costs: number[] = [];
    const { database } = data;
    const { query } = database;
    // Only the estimate was executed, not the request.
    database.query = async (statement, signal) => {
      const rows = await query(statement, signal);
      if (!statement.text.startsWith('EXPLAIN')) return rows as never;
      costs.push(JSON.parse(String(rows[0]?.['QUERY PLAN']))[0].Plan['Total Cost']);
      return [{ 'QUERY PLAN': '[{"Plan":{"Total Cost":1e12}}]' }] as never;
    };
    await list(data, { limit: 1 });
    await list(data, { limit: 5_000 });
    await count(data);
    database.query = query;
    const [short = 0, long = 0, all = 0] = costs;
    expect([costs.length, short < long / 5, short < all / 5]).toEqual([3, true, true]);
    const maximum = Math.ceil(Math.sqrt(short * Math.min(long, all)));
    between = await startDataOn({ url: data.databaseUrl, query: data.query }, sales, USERS, {
      ...RAISED,
      'svc.rest.max-query-cost': String(maximum),
    });
  });
  afterAll(() => between?.close());

  const refused = [400, expect.stringContaining('svc.rest.max-query-cost')];
  const outcomeOf = ({ status, text }: TestResponse) => [status, text.slice(0, 200)];

  test('refuses the count of a list with a short page', async () => {
    expect((await list(between, { limit: 1 })).status).toBe(200);
    expect(outcomeOf(await list(between, { limit: 1, returnCount: true }))).toEqual(refused);
    expect(outcomeOf(await count(between))).toEqual(refused);
    expect((await list(between, { limit: 1 })).status).toBe(200);
  });

  test.each([
    ['a long page', { limit: 5_000 }],
    ['a page with a large offset', { limit: 1, offset: 5_000 }],
    ['a page without a limit', {}],
  ])('refuses %s of the same shape as a short page that was read before', async (_, page) => {
    expect((await list(between, { limit: 2 })).status).toBe(200);
    expect(outcomeOf(await list(between, page))).toEqual(refused);
    expect((await list(between, { limit: 1 })).status).toBe(200);
  });
});
