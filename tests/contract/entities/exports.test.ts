import { as, query } from '../api.ts';

const lines = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const CSV = { headers: { accept: 'text/csv' } };
const NDJSON = { headers: { accept: 'application/x-ndjson' } };
const PLAN = { entity: 'sales_Order', properties: ['number', 'status', 'customer', 'lines'] };

// Asserts contract/exports.md#exports, contract/exports.md#csv, contract/exports.md#ndjson.
test('lists and searches are exported through the gateway, with the instances of the JSON', async () => {
  const list = `/entities/sales_Order${query({ sort: 'number', limit: 20, fetchPlan: JSON.stringify(PLAN) })}`;
  const [json, csv, ndjson] = [
    await as('admin', 'GET', list),
    await as('admin', 'GET', list, CSV),
    await as('admin', 'GET', list, NDJSON),
  ];
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv;charset=utf-8']);
  expect(lines(csv.text)[0]).toBe('"id","number","status","customer","lines"');
  const orders = json.json() as readonly { readonly id: string; readonly number: string }[];
  expect(lines(csv.text).slice(1)).toEqual(
    orders.map(({ id, number }) => expect.stringMatching(new RegExp(`^${id},"${number}",`))),
  );
  expect(lines(ndjson.text).map((line) => JSON.parse(line))).toEqual(orders);
  const search = { filter: { conditions: [] }, sort: 'number', limit: 20, fetchPlan: PLAN };
  const found = await as('admin', 'POST', '/entities/sales_Order/search', { body: search, ...CSV });
  expect(found.text).toBe(csv.text);
});

// Asserts contract/exports.md#exports, contract/exports.md#limits.
test('queries and aggregates are exported, and a list without a limit has all rows', async () => {
  const groups = { groupBy: ['status'], aggregates: { orders: { count: '*' } }, sort: 'status' };
  const aggregates = await as('admin', 'POST', '/aggregates/sales_Order', { body: groups, ...CSV });
  expect(lines(aggregates.text)[0]).toBe('"status","orders"');
  const all = await as('admin', 'GET', '/queries/sales_Order/all', NDJSON);
  const count = await as('admin', 'GET', '/queries/sales_Order/all/count');
  expect(lines(all.text)).toHaveLength(count.json());
  const refused = await as('admin', 'GET', '/entities/sales_Order', { headers: { accept: 'application/pdf' } });
  expect([refused.status, refused.json().details]).toEqual([406, expect.stringContaining('text/csv')]);
});
