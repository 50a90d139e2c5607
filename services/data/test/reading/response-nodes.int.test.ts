import sales from '@lintel/example-sales';
import { type DataFixture, startData, startDataOn, type TestResponse, type TestUser } from '../data-fixture.ts';

const USERS: Readonly<Record<string, TestUser>> = {
  admin: { resourceRoles: ['system-full-access'] },
  /** A caller who sees the orders of customers in the country. */
  manager: {
    resourceRoles: ['rest-minimal', 'sales-manager'],
    rowLevelRoles: ['own-region'],
    attributes: { country: 'DE' },
  },
};
/** Adds an order and its customer. */
const OBJECTS = 2;
const PLAN = encodeURIComponent(
  JSON.stringify({
    entity: 'sales_Order',
    properties: ['number', { name: 'customer', fetchPlan: { properties: ['name'] } }],
  }),
);
const ORDERS = 20;
const LIMITS = { 'limits.responseNodes': OBJECTS * ORDERS };

let data: DataFixture;
/** Lists without a limit have at most 30 rows, so that they are not streamed. */
let short: Awaited<ReturnType<typeof startDataOn>>;

beforeAll(async () => {
  data = await startData(sales, USERS, LIMITS);
  short = await startDataOn({ url: data.databaseUrl, query: data.query }, sales, USERS, {
    ...LIMITS,
    'svc.rest.default-max-fetch-size': '30',
  });
  await data.query(`INSERT INTO sales.customer (id, version, name, active)
    VALUES (lpad('1', 32, '0')::uuid, 1, 'c', true)`);
  await addOrders(1, ORDERS);
});
afterAll(async () => {
  await short?.close();
  await data?.close();
});

const addOrders = (from: number, to: number) =>
  data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'o' || n, '2026-01-01', 10, lpad('1', 32, '0')::uuid
    FROM generate_series(${from}, ${to}) n`);

const get = (end: string, user = 'admin', from: Pick<DataFixture, 'send'> = data): Promise<TestResponse> =>
  from.send(user, 'GET', `/entities/sales_Order${end}fetchPlan=${PLAN}`);
const rowsOf = async (response: Promise<TestResponse>) => {
  const { status, text, json } = await response;
  return status === 200 ? json().length : [status, text];
};
const refused = (objects: number, detail: string) => [
  400,
  JSON.stringify({
    error: 'Request limit exceeded',
    details:
      `Rows of the page times objects of the fetch plan (${detail}; a 'limit' of ${ORDERS} or less is accepted): ` +
      `${objects}, the limit is ${OBJECTS * ORDERS} (response-nodes)`,
  }),
];

test('a list without a limit is read if its rows are within the limit', async () => {
  for (const from of [data, short]) {
    expect(await rowsOf(get('?', 'admin', from))).toBe(ORDERS);
    expect(await rowsOf(get('?sort=-number&returnCount=true&', 'admin', from))).toBe(ORDERS);
    expect(await rowsOf(get('/search?filter={}&', 'admin', from))).toBe(ORDERS);
    expect(await rowsOf(get('?offset=5&', 'admin', from))).toBe(ORDERS - 5);
  }
});

test('a limit above it is refused with the name of the property, independent of the rows', async () => {
  expect(await rowsOf(get(`?limit=${ORDERS}&`))).toBe(ORDERS);
  expect(await rowsOf(get(`?limit=${ORDERS + 1}&`))).toEqual(refused(42, '21 rows of 2 objects'));
});

describe('one row more', () => {
  beforeAll(() => addOrders(ORDERS + 1, ORDERS + 1));

  test('is refused with the name of the property before the first row is sent', async () => {
    const expected = refused(42, 'more than 20 rows of 2 objects');
    for (const from of [data, short]) {
      expect(await rowsOf(get('?', 'admin', from))).toEqual(expected);
      expect(await rowsOf(get('?sort=-number&', 'admin', from))).toEqual(expected);
      expect(await rowsOf(get('/search?filter={}&', 'admin', from))).toEqual(expected);
      expect(await rowsOf(get('?offset=1&', 'admin', from))).toBe(ORDERS);
    }
  });

  test('is not counted if the caller does not see it', async () => {
    expect(await rowsOf(get('?', 'manager'))).toBe(0);
  });

  test('is on the next page of a cursor', async () => {
    const first = await get(`?limit=1&sort=number&`);
    const cursor = /cursor=([\w-]+)/.exec(first.headers.get('link') ?? '')?.[1];
    expect(await rowsOf(get(`?sort=number&cursor=${cursor}&`))).toBe(ORDERS);
  });
});
