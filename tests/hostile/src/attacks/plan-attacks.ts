import { EXPORT_TYPES } from '@lintel/contracts';
import { type Attack, atOnce } from './attack.ts';
import { chainedPlan, condition, doublingPlan, nestedPlan, PATHS, query } from './request-shapes.ts';

const DEPTH = 'plan-depth';
/** Whichever of the two is found first. */
const SIZE = /\(plan-(nodes|depth)\)/;

const bySearch =
  (path: string, fetchPlan: object): Attack['run'] =>
  async ({ send }) => [await send({ method: 'POST', path, body: { filter: {}, fetchPlan, limit: 1 } })];
const byUrl =
  (path: string, fetchPlan: object): Attack['run'] =>
  async ({ send }) => [await send({ method: 'GET', path: `${path}${query({ fetchPlan, limit: '1' })}` })];

/** The lines of the orders of a customer, so many of each. */
const limitedPlan = (limit: number): object => {
  const lines = { name: 'lines', sort: '-product.name', limit };
  return { entity: 'sales_Customer', properties: [{ name: 'orders', fetchPlan: { properties: [lines] }, limit }] };
};

/** Orders whose customer has other orders with lines of a product. */
const testingPlan = (): object => {
  const conditions = [condition('customer.orders.lines.product.name', 'contains', 'no such product')];
  return { entity: 'sales_Customer', properties: [{ name: 'orders', filter: { conditions }, count: true }] };
};

/** Orders with a row for each line, and the product of each. */
const LINES = {
  entity: 'sales_Order',
  properties: [
    'number',
    'date',
    'customer',
    { name: 'lines', fetchPlan: { properties: ['quantity', { name: 'product', fetchPlan: '_instance_name' }] } },
  ],
};

/** Fetch plans of the request (H2). */
export const PLAN_ATTACKS: readonly Attack[] = [
  {
    finding: 'H2',
    title: 'a plan of 3 levels, each referred to twice, is within the limit and read in time',
    sender: 'manager',
    run: bySearch(PATHS.orderSearch, doublingPlan(3)),
    statuses: [200],
  },
  {
    finding: 'H2',
    title: 'a plan of 6 levels, within the limit of objects, is refused for the size of its rows or read in time',
    sender: 'manager',
    run: bySearch(PATHS.orderSearch, doublingPlan(6)),
    statuses: [200, 400],
    limit: /svc\.rest\./,
  },
  {
    finding: 'H2',
    title: '12 exports at the same time of all orders, with a plan of 3 levels, leave room for others',
    sender: 'manager',
    run: ({ send }) =>
      atOnce(12, 12, (index) =>
        send({
          method: 'GET',
          path: `${PATHS.orders}${query({ fetchPlan: doublingPlan(3) })}`,
          headers: { accept: index % 2 === 0 ? 'text/csv' : 'application/x-ndjson' },
        }),
      ),
    statuses: [200, 400, 429],
    limit: /svc\.rest\./,
  },
  {
    finding: 'H2',
    title: '6 workbooks at the same time of all orders, with a row for each line, leave room for others',
    sender: 'manager',
    run: ({ send }) =>
      atOnce(6, 6, () =>
        send({
          method: 'GET',
          path: `${PATHS.orders}${query({ fetchPlan: LINES })}`,
          headers: { accept: `${EXPORT_TYPES.xlsx};headers=captions;references=names;children=rows;values=locale` },
        }),
      ),
    statuses: [200, 429],
  },
  {
    finding: 'H2',
    title: 'an export whose Accept has 500 media types with parameters is refused, or is sent',
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'GET',
        path: `${PATHS.products}?limit=1`,
        headers: { accept: `${'text/csv;headers=x;a="b,c",'.repeat(500)}text/csv;headers=captions` },
      }),
    ],
    statuses: [200, 406, 431],
  },
  ...[8, 12, 14].map(
    (levels): Attack => ({
      finding: 'H2',
      title: `a plan of ${levels} levels, each referred to twice, is refused`,
      sender: 'manager',
      run: bySearch(PATHS.orderSearch, doublingPlan(levels)),
      statuses: [400],
      limit: SIZE,
    }),
  ),
  {
    finding: 'H2',
    title: 'a plan of 19 levels, each referred to twice, is refused',
    sender: 'manager',
    run: bySearch(PATHS.orderSearch, doublingPlan(19)),
    statuses: [400],
    limit: SIZE,
    isLong: true,
  },
  {
    finding: 'H2',
    title: '8 such plans at the same time, in the URL, are refused',
    sender: 'manager',
    run: ({ send }) =>
      atOnce(8, 8, () =>
        send({ method: 'GET', path: `${PATHS.orders}${query({ fetchPlan: doublingPlan(12), limit: '1' })}` }),
      ),
    statuses: [400],
    limit: SIZE,
  },
  {
    finding: 'H2',
    title: 'a user who may read nothing is refused before the plan is resolved',
    sender: 'viewer',
    run: bySearch(PATHS.orderSearch, doublingPlan(15)),
    statuses: [400, 403],
  },
  {
    finding: 'H2',
    title: 'a plan with 40 levels, of which 20 are collections, is refused or read in time',
    sender: 'admin',
    run: bySearch(PATHS.customerSearch, nestedPlan(40)),
    statuses: [200, 400],
    limit: /svc\.rest\./,
  },
  {
    finding: 'H2',
    title: 'a plan that gets 40 levels by names is read in time by strangers',
    sender: 'anonymous',
    run: bySearch(PATHS.productSearch, chainedPlan(19)),
    statuses: [200],
  },
  ...[121, 1_001].map(
    (links): Attack => ({
      finding: 'H2',
      title: `a plan that gets ${2 * links} levels by names is refused to strangers`,
      sender: 'anonymous',
      run: bySearch(PATHS.productSearch, chainedPlan(links)),
      statuses: [400, 403],
    }),
  ),
  {
    finding: 'H2',
    title: 'a plan that gets 242 levels by names is refused to the administrator',
    sender: 'admin',
    run: bySearch(PATHS.productSearch, chainedPlan(121)),
    statuses: [400],
    limit: SIZE,
  },
  {
    finding: 'H2',
    title: 'a plan of 41 levels is refused',
    sender: 'admin',
    run: byUrl(PATHS.customers, nestedPlan(41)),
    statuses: [400],
    limit: DEPTH,
  },
  {
    finding: 'H2',
    title: 'a plan with 100,000 names of attributes is refused, or read in time',
    sender: 'manager',
    run: bySearch(PATHS.customerSearch, {
      entity: 'sales_Customer',
      properties: Array.from({ length: 100_000 }, () => 'name'),
    }),
    statuses: [200, 400, 413],
  },
  {
    finding: 'H2',
    title: 'rows times objects of the plan above the limit are refused',
    sender: 'admin',
    run: async ({ send }) => [
      await send({
        method: 'POST',
        path: PATHS.orderSearch,
        body: { filter: {}, fetchPlan: doublingPlan(6), limit: 10_000 },
      }),
    ],
    statuses: [400],
    limit: 'response-nodes',
  },
  {
    finding: 'H2',
    title: 'limits of collections inside of each other, within the limit of objects, are read in time',
    sender: 'manager',
    run: bySearch(PATHS.customerSearch, limitedPlan(900)),
    statuses: [200],
  },
  {
    finding: 'H2',
    title: 'limits of collections whose product is above the limit of objects are refused',
    sender: 'manager',
    run: bySearch(PATHS.customerSearch, limitedPlan(2_000)),
    statuses: [400],
    limit: 'response-nodes',
  },
  {
    finding: 'H2',
    title: 'a filter of collections that leads through collections, for all customers, is refused or read in time',
    sender: 'admin',
    run: async ({ send }) => [
      await send({
        method: 'POST',
        path: PATHS.customerSearch,
        body: { filter: {}, fetchPlan: testingPlan(), limit: 10_000 },
      }),
    ],
    statuses: [200, 400],
    limit: /svc\.rest\.|response-nodes/,
  },
];
