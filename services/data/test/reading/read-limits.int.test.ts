import { loadQueries, predefinedQuery } from '@lintel/application';
import sales from '@lintel/example-sales';
import { type DataFixture, startData, type TestResponse } from '../data-fixture.ts';

const USERS = {
  reader: { resourceRoles: ['rest-minimal', 'sales-manager'] },
  raised: { resourceRoles: ['rest-minimal', 'sales-manager', 'exporter'] },
  stranger: { resourceRoles: ['rest-minimal'] },
  anonymous: { kind: 'anonymous', resourceRoles: ['catalog-reader'] },
} as const;
type User = keyof typeof USERS;

const QUERIES = [
  predefinedQuery('sales_Product', 'bySkus', {
    text: 'select p from sales_Product p where p.sku in :skus',
    parameters: { skus: 'string[]' },
    fetchPlan: '_instance_name',
  }),
];

let data: DataFixture;
/** Statements that were sent to the database. */
let statements: string[];

beforeAll(async () => {
  const application = await loadQueries({ ...sales, queries: QUERIES }, [], () => Promise.reject(new Error('none')));
  data = await startData(application, USERS, {
    'svc.rest.anonymous-url-patterns': '/rest/entities/sales_Product/*,/rest/queries/sales_Product/*',
    'svc.rest.limits.role.exporter.list-values': '20000',
  });
  const { database } = data;
  const query = database.query.bind(database);
  database.query = (statement, signal) => {
    statements.push(statement.text);
    return query(statement, signal);
  };
});
afterAll(() => data?.close());
beforeEach(() => {
  statements = [];
});

const times = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item);
const search = (user: User, entity: string, body: object, end = 'search'): Promise<TestResponse> =>
  data.send(user, 'POST', `/entities/${entity}/${end}`, { filter: { conditions: [] }, ...body });
const filter = (...conditions: readonly object[]) => ({ filter: { conditions } });

/** Asserts that the request was refused with the text, and that no statement was sent. */
function expectRefused(response: TestResponse, details: string): void {
  expect([response.status, response.json()]).toEqual([
    400,
    { error: 'Request limit exceeded', details: expect.stringContaining(details) },
  ]);
  expect(statements).toEqual([]);
}

/** Orders of customers of orders: each level refers to the next one twice. */
function orders(levels: number): object {
  let below: { name: string; properties: unknown[] } = { name: 'p0', properties: ['number'] };
  for (let level = 1; level <= levels; level += 1)
    below = {
      name: `p${level}`,
      properties: [
        { name: 'customer', fetchPlan: { properties: [{ name: 'orders', fetchPlan: below }] } },
        { name: 'lines', fetchPlan: { properties: [{ name: 'order', fetchPlan: below.name }] } },
      ],
    };
  return { ...below, entity: 'sales_Order' };
}

describe('a fetch plan that expands to more than a limit', () => {
  test.each([7, 16, 19])('is refused with any number of levels (%i)', async (levels) => {
    const fetchPlan = orders(levels);
    expect(JSON.stringify(fetchPlan).length).toBeLessThan(4_700);
    expectRefused(await search('reader', 'sales_Order', { fetchPlan }), 'plan-nodes');
    const url = `/entities/sales_Order?fetchPlan=${encodeURIComponent(JSON.stringify(fetchPlan))}`;
    expectRefused(await data.send('reader', 'GET', url), 'plan-nodes');
    expectRefused(await data.send('reader', 'GET', url.replace('?', `/${crypto.randomUUID()}?`)), 'plan-nodes');
  });

  test.each([242, 2_002])('is refused if its %i levels are in named plans', async (levels) => {
    const first = { name: 'q0', properties: ['number'] };
    const plans = Array.from({ length: levels / 2 - 1 }, (_, at) => ({
      name: `q${at + 1}`,
      properties: [{ name: 'customer', fetchPlan: { properties: [{ name: 'orders', fetchPlan: `q${at}` }] } }],
    }));
    const properties = [first, ...plans].map((fetchPlan) => ({
      name: 'customer',
      fetchPlan: { properties: [{ name: 'orders', fetchPlan }] },
    }));
    const response = await search('reader', 'sales_Order', { fetchPlan: { entity: 'sales_Order', properties } });
    expectRefused(response, 'plan-depth');
  });

  test('is refused for anonymous callers, too', async () => {
    const plan = (levels: number): string =>
      `{"properties":[${'{"name":"tags","fetchPlan":{"properties":[{"name":"products","fetchPlan":{"properties":['.repeat(levels)}"name"${']}}]}}'.repeat(levels)}]}`;
    const fetchPlan = { entity: 'sales_Product', ...JSON.parse(plan(21)) };
    expectRefused(await search('anonymous', 'sales_Product', { fetchPlan }), 'plan-depth');
  });

  test('is refused as the plan of a response before anything is written', async () => {
    const plan = encodeURIComponent(JSON.stringify({ ...orders(12), entity: 'sales_Order' }));
    const response = await data.send('reader', 'POST', `/entities/sales_Order?responseFetchPlan=${plan}`, {
      number: 'never',
      date: '2026-01-01',
    });
    // The definitions of dynamic attributes are loaded once.
    statements = statements.filter((text) => !text.includes('dynat'));
    expectRefused(response, 'plan-nodes');
  });

  test('is refused if a page with it has too many objects', async () => {
    const fetchPlan = orders(6);
    expect((await search('reader', 'sales_Order', { fetchPlan, limit: 100 })).status).toBe(200);
    statements = [];
    expectRefused(await search('reader', 'sales_Order', { fetchPlan, limit: 10_000 }), 'response-nodes');
    // Without a limit the number of existing rows is used.
    expect((await search('reader', 'sales_Order', { fetchPlan })).json()).toEqual([]);
  });
});

describe('a filter above a limit', () => {
  const path = (hops: number): string => `${'customer.orders.'.repeat(hops / 2)}number`;

  test.each([14, 40, 1_000])('is refused with a path of %i hops', async (hops) => {
    const condition = { property: path(hops), operator: '=', value: 'x' };
    expectRefused(await search('reader', 'sales_Order', filter(condition)), 'path-hops');
    expectRefused(await search('reader', 'sales_Order', filter(condition), 'search/count'), 'path-hops');
  });

  test('is refused with a sort of so many references', async () => {
    const sort = `${'customer.orders.'.repeat(20)}number`;
    // A sort through collections is refused as well, but the limit is checked first.
    expectRefused(await search('reader', 'sales_Order', { sort }), 'path-hops');
  });

  test('is refused with 5,000 conditions of 5 hops, and with 1,001 without hops', async () => {
    const deep = { property: 'order.customer.category.name', operator: 'isNull' };
    expectRefused(await search('reader', 'sales_OrderLine', filter(...times(5_000, deep))), 'conditions');
    const response = await search('reader', 'sales_OrderLine', filter(...times(400, deep)));
    expectRefused(response, 'References in all paths: 1200, the limit is 1000 (condition-hops)');
    const flat = { property: 'position', operator: 'isNull' };
    expect((await search('reader', 'sales_OrderLine', filter(...times(1_000, flat)))).status).toBe(200);
    statements = [];
    expectRefused(await search('reader', 'sales_OrderLine', filter(...times(1_001, flat))), 'conditions');
  });

  test('is refused with 50 conditions on collections, and accepted with 10', async () => {
    const tagged = { property: 'tags.name', operator: '=', value: 'x' };
    expectRefused(
      await search('anonymous', 'sales_Product', filter(...times(50, tagged))),
      'Steps through collections: 50, the limit is 10 (to-many-steps)',
    );
    const { status } = await search(
      'anonymous',
      'sales_Product',
      filter(...times(10, { ...tagged, property: 'tags' })),
    );
    expect([200, 400, 403]).toContain(status);
  });

  test('is refused with 10,001 values, for anonymous callers, too, unless a role of the caller raises the limit', async () => {
    const condition = (count: number) => ({ property: 'stock', operator: 'in', value: times(count, 1) });
    const refused = 'Values of all lists: 10001, the limit is 10000 (svc.rest.limits.list-values)';
    expectRefused(await search('anonymous', 'sales_Product', filter(condition(10_001))), refused);
    expectRefused(await search('reader', 'sales_Product', filter(condition(10_001))), refused);
    for (const user of ['reader', 'anonymous'] as const)
      expect((await search(user, 'sales_Product', filter(condition(10_000)))).status).toBe(200);
    expect((await search('raised', 'sales_Product', filter(condition(10_001)))).status).toBe(200);
    statements = [];
    // A limit that a role raised for one caller does not apply to another.
    expectRefused(await search('reader', 'sales_Product', filter(condition(10_001))), refused);
  });

  test('sends a list as one value', async () => {
    const condition = { property: 'stock', operator: 'in', value: times(5_000, 1) };
    await search('reader', 'sales_Product', { ...filter(condition), limit: 10 });
    expect(statements).toEqual([expect.stringMatching(/\$1::integer\[\]/)]);
    expect(statements[0]?.length).toBeLessThan(5_000);
  });

  test('is refused if its statement would have more parameters than the database accepts', async () => {
    const condition = { property: 'number', operator: 'startsWith', value: 'x' };
    for (const count of [1_001, 17_000])
      expectRefused(await search('reader', 'sales_Order', filter(...times(count, condition))), 'conditions');
  });
});

describe('a predefined query above a limit', () => {
  const skus = (count: number) => ({ skus: times(count, 'a') });

  test('is refused with too many values, in the URL and in the body', async () => {
    const path = '/queries/sales_Product/bySkus';
    expect((await data.send('reader', 'POST', path, skus(10_000))).status).toBe(200);
    statements = [];
    for (const end of ['', '/count'])
      expectRefused(await data.send('reader', 'POST', `${path}${end}`, skus(10_001)), 'svc.rest.limits.list-values');
  });

  test('is refused with too large a plan', async () => {
    const plan = { entity: 'sales_Product', properties: [`${'tags.products.'.repeat(20)}name`] };
    const path = `/queries/sales_Product/bySkus?fetchPlan=${encodeURIComponent(JSON.stringify(plan))}`;
    expectRefused(await data.send('reader', 'POST', path, skus(1)), 'plan-depth');
  });
});

describe('the right to read', () => {
  test('is checked before a plan or filter is parsed', async () => {
    const url = `/entities/sales_Order?fetchPlan=${encodeURIComponent(JSON.stringify(orders(19)))}`;
    const response = await data.send('stranger', 'GET', url);
    expect([response.status, statements]).toEqual([403, []]);
  });

  test('is checked before a large body is read, with any content', async () => {
    const response = await data.send(
      'stranger',
      'POST',
      '/entities/sales_Order/search',
      `{"filter":${' '.repeat(20_000)}`,
    );
    expect(response.status).toBe(403);
    expect((await data.send('stranger', 'POST', '/entities/sales_Order/search', '{"filter":')).status).toBe(400);
  });
});

test('a deeply nested filter or plan is refused', async () => {
  for (const levels of [250, 20_000]) {
    const conditions = `${'{"group":"OR","conditions":['.repeat(levels)}${']}'.repeat(levels)}`;
    const body = `{"filter":{"conditions":[${conditions}]}}`;
    const response = await data.send('reader', 'POST', '/entities/sales_Order/search', body);
    expect([response.status, statements]).toEqual([400, []]);
  }
});
