import { createClient } from '@lintel/client';
import { as, baseUrl, demo, query, tokenOf, unique } from '../api.ts';

const client = createClient({ baseUrl, token: () => tokenOf('admin') });
const notes = unique('aggregates');
const filter = { conditions: [{ property: 'notes', operator: '=', value: notes }] };

beforeAll(async () => {
  for (const [date, quantities] of [
    ['2026-01-31', [1, 2]],
    ['2026-01-01', [3]],
    ['2026-02-01', []],
  ] as const) {
    const lines = quantities.map((quantity) => ({ quantity, price: '10.10', product: { id: demo.product(1) } }));
    const body = { number: unique('AG'), date, notes, customer: { id: demo.customer(1) }, lines };
    const created = await as('admin', 'POST', '/entities/sales_Order', { body });
    if (created.status !== 201) throw new Error(created.text);
  }
});

const ROWS = [
  { month: '2026-01-01', n: 2, lines: 3, quantity: 6 },
  { month: '2026-02-01', n: 1, lines: 0, quantity: null },
];
const members = {
  groupBy: [{ attribute: 'date', by: 'month', as: 'month' }],
  aggregates: { n: { count: '*' }, lines: { count: 'lines' }, quantity: { sum: 'lines.quantity' } },
  filter,
  sort: 'month',
} as const;
type Value = string | number | boolean | null;

// Asserts contract/aggregates.md#request, contract/aggregates.md#groups, contract/aggregates.md#collections.
test('instances are grouped and aggregated, by a body, by a URL and by the client', async () => {
  const post = await as('admin', 'POST', '/aggregates/sales_Order', { body: { ...members, returnCount: true } });
  expect([post.status, post.headers.get('x-total-count'), post.json()]).toEqual([200, '2', ROWS]);
  const get = await as('admin', 'GET', `/aggregates/sales_Order${query(members)}`);
  expect([get.status, get.json()]).toEqual([200, ROWS]);
  const rows = await client.aggregate('sales_Order', members);
  expect(rows).toEqual(ROWS);
  expect(rows.map(({ month, n, quantity }) => [month satisfies Value, n + 1, (quantity ?? 0) + 1])).toEqual([
    ['2026-01-01', 3, 7],
    ['2026-02-01', 2, 1],
  ]);
});

// Asserts contract/aggregates.md#groups.
test('groups have the names of references and the captions of enums beside them', async () => {
  const groupBy = [
    { attribute: 'status', captionAs: 'caption' },
    { attribute: 'customer', as: 'id', captionAs: 'name' },
  ] as const;
  const [row] = await client.aggregate('sales_Order', { ...members, groupBy, sort: '-n' });
  const customer = await as('admin', 'GET', `/entities/sales_Customer/${demo.customer(1)}?fetchPlan=_instance_name`);
  expect(row).toMatchObject({ status: 'NEW', id: demo.customer(1), name: customer.json()._instanceName, n: 3 });
  expect([row?.caption satisfies string | null | undefined, typeof row?.caption]).toEqual([row?.caption, 'string']);
});

// Asserts contract/aggregates.md#paging, contract/reading.md#cursors.
test('pages of groups follow each other by their links, and by the cursors of the client', async () => {
  const first = await as('admin', 'GET', `/aggregates/sales_Order${query({ ...members, limit: 1 })}`);
  expect(first.json()).toEqual(ROWS.slice(0, 1));
  const next = /<.*\?(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await as('admin', 'GET', `/aggregates/sales_Order?${next}`);
  expect(second.json()).toEqual(ROWS.slice(1));
  const cursor = new URLSearchParams(next).get('cursor');
  const posted = await as('admin', 'POST', `/aggregates/sales_Order?cursor=${cursor}`, {
    body: { ...members, limit: 1 },
  });
  expect(posted.json()).toEqual(ROWS.slice(1));
  const page = await client.aggregatePage('sales_Order', { ...members, limit: 1 });
  expect(page.items).toEqual(ROWS.slice(0, 1));
  const rest = await client.aggregatePage('sales_Order', { ...members, limit: 2, cursor: page.cursor });
  expect(rest).toEqual({ items: ROWS.slice(1), cursor: undefined, total: undefined });
  const other = await as('admin', 'POST', '/aggregates/sales_Order', { body: { ...members, sort: '-month', cursor } });
  expect([other.status, other.json().error]).toEqual([400, 'Invalid cursor']);
});

// Asserts contract/aggregates.md#groups.
test('units of time without instances are there on request', async () => {
  const groupBy = [{ attribute: 'date', by: 'day', as: 'day', fill: true }] as const;
  const rows = await client.aggregate('sales_Order', { ...members, groupBy, sort: 'day' });
  expect(rows).toHaveLength(32);
  expect(rows.slice(0, 2)).toEqual([
    { day: '2026-01-01', n: 1, lines: 1, quantity: 3 },
    { day: '2026-01-02', n: 0, lines: 0, quantity: null },
  ]);
});

// Asserts contract/aggregates.md#functions, contract/aggregates.md#request.
test('every function has its value, and conditions choose among the groups', async () => {
  const body = {
    groupBy: ['customer', 'status'],
    aggregates: {
      n: { count: 'amount' },
      customers: { countDistinct: 'customer' },
      first: { min: 'date' },
      last: { max: 'date' },
      middle: { percentile: 'date', at: 0.5 },
      mean: { avg: 'lines.quantity' },
    },
    filter,
    having: { conditions: [{ property: 'last', operator: '>', value: '2026-01-31' }] },
  };
  const response = await as('admin', 'POST', '/aggregates/sales_Order', { body });
  expect(response.json()).toEqual([
    {
      ...{ customer: demo.customer(1), status: 'NEW', n: expect.any(Number), customers: 1 },
      ...{ first: '2026-01-01', last: '2026-02-01', middle: '2026-01-31', mean: 2 },
    },
  ]);
});

// Asserts contract/aggregates.md#rights, contract/aggregates.md#checks, contract/conventions.md#unknown.
test('hidden attributes return 403, wrong and unknown members 400', async () => {
  const details = async (caller: 'admin' | 'clerk', entity: string, body: object, prefer = '') => {
    const response = await as(caller, 'POST', `/aggregates/${entity}`, { body, headers: { prefer } });
    return [response.status, response.json().details];
  };
  const hidden = { aggregates: { greatest: { max: 'creditLimit' } } };
  expect(await details('clerk', 'sales_Customer', hidden)).toEqual([
    403,
    'Reading of the attribute sales_Customer.creditLimit is forbidden',
  ]);
  expect(await details('admin', 'sales_Product', { groupBy: ['internalNote'] })).toEqual([
    400,
    'Property for sales_Product not found: internalNote',
  ]);
  expect(await details('admin', 'sales_Order', { groupBy: 'status' })).toEqual([
    400,
    "'groupBy' of a body must not be a text",
  ]);
  const unknown = { aggregates: { n: { count: '*' } }, group: [] };
  expect(await details('admin', 'sales_Order', unknown, 'handling=strict')).toEqual([
    400,
    expect.stringContaining('group'),
  ]);
});
