import { type Attack, atOnce } from './attack.ts';
import {
  collectionPath,
  condition,
  customerId,
  filterOf,
  listSearch,
  longPath,
  MEBIBYTE,
  nestedFilter,
  numberList,
  PATHS,
  query,
} from './request-shapes.ts';

const LIST = 'svc.rest.limits.list-values';
const HOPS = 'path-hops';
const STEPS = 'to-many-steps';
const CONDITIONS = 'conditions';
/** A property, or the name of a constant. */
const ANY_LIMIT = /svc\.rest\.|, the limit is \d+ \([a-z-]+\)/;

const search =
  (path: string, body: unknown): Attack['run'] =>
  async ({ send }) => [await send({ method: 'POST', path, body, ...(typeof body === 'string' ? JSON_TYPE : {}) })];
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

const customersBy = (conditions: readonly object[]): object => ({ filter: filterOf(conditions), limit: 1 });
const collections = (count: number): object =>
  customersBy(
    Array.from({ length: count }, (_, at) => condition('orders.lines.product.name', 'contains', `value ${at}`)),
  );
/** Quantifiers over the orders of a customer, each about the orders of the same customer again. */
const nestedMembers = (depth: number): object =>
  Array.from({ length: depth }).reduceRight<object>(
    (inner, _, at) => {
      const path = at === 0 ? 'orders' : 'customer.orders';
      const members = [{ some: path }, { every: path }, { count: path, operator: '>', value: 0 }][at % 3];
      return { ...members, conditions: [inner] };
    },
    condition('number', '=', 'no such number'),
  );
const bodyOfList = (bytes: number): string =>
  `{"filter":{"conditions":[{"property":"stock","operator":"in","value":${numberList(bytes)}}]}}`;

/** Lists of values, in bodies and URLs (H4). */
const LIST_ATTACKS: readonly Attack[] = [
  {
    finding: 'H4',
    title: 'a list of 10,000 values is searched for in time',
    sender: 'anonymous',
    run: search(PATHS.productSearch, listSearch(10_000)),
    statuses: [200],
  },
  {
    finding: 'H4',
    title: 'a list of 10,001 values is refused',
    sender: 'anonymous',
    run: search(PATHS.productSearch, listSearch(10_001)),
    statuses: [400],
    limit: LIST,
  },
  {
    finding: 'H6',
    title: 'a list of 70,000 values, more than PostgreSQL takes as parameters, is refused',
    sender: 'anonymous',
    run: search(PATHS.productSearch, listSearch(70_000)),
    statuses: [400],
    limit: LIST,
  },
  {
    finding: 'H4',
    title: 'a body of nearly 1 MB with a list of numbers is refused',
    sender: 'anonymous',
    run: search(PATHS.productSearch, bodyOfList(MEBIBYTE - 200)),
    statuses: [400],
    limit: LIST,
  },
  {
    finding: 'H4',
    title: 'a body of 2 MB with a list of numbers is refused',
    sender: 'anonymous',
    run: search(PATHS.productSearch, bodyOfList(2 * MEBIBYTE)),
    statuses: [400, 413, 'closed'],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H4',
    title: '6 bodies of 15 MB with lists of numbers at the same time are refused',
    sender: 'anonymous',
    run: ({ send }) => {
      const body = bodyOfList(15 * MEBIBYTE);
      return atOnce(6, 6, () => send({ method: 'POST', path: PATHS.productSearch, body, ...JSON_TYPE }));
    },
    statuses: [400, 413, 429, 503, 'closed'],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H4',
    title: '20 bodies of 1 MB with lists of numbers at the same time are refused',
    sender: 'anonymous',
    run: ({ send }) => {
      const body = bodyOfList(MEBIBYTE - 200);
      return atOnce(40, 20, () => send({ method: 'POST', path: PATHS.productSearch, body, ...JSON_TYPE }));
    },
    statuses: [400, 429, 503],
    limit: ANY_LIMIT,
  },
];

/** Conditions on collections, and long paths (H5, H6). */
const PATH_ATTACKS: readonly Attack[] = [
  {
    finding: 'H5',
    title: '5 conditions on collections are searched for in time',
    sender: 'manager',
    run: search(PATHS.customerSearch, collections(5)),
    statuses: [200],
  },
  {
    finding: 'H5',
    title: '50 conditions on collections are refused, or found in time',
    sender: 'manager',
    run: search(PATHS.customerSearch, collections(50)),
    statuses: [200, 400],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H5',
    title: '12 searches with 50 conditions on collections at the same time leave connections to others',
    sender: 'manager',
    run: ({ send }) =>
      atOnce(12, 12, () => send({ method: 'POST', path: PATHS.customerSearch, body: collections(50) })),
    statuses: [200, 400, 429, 503],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H5',
    title: '50 conditions on dynamic attributes after a collection are refused, or found in time',
    sender: 'manager',
    run: search(PATHS.customerSearch, {
      ...customersBy(
        Array.from({ length: 50 }, (_, at) => condition('orders.customer.+loyaltyNumber', 'contains', `value ${at}`)),
      ),
      dynamicAttributes: true,
    }),
    statuses: [200, 400],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H5',
    title: '50 dynamic attributes in a sort are refused, or sort in time',
    sender: 'manager',
    run: search(PATHS.customerSearch, {
      filter: filterOf([]),
      sort: ['++loyaltyNumber', '-+loyaltyPoints', '++vip', ...Array.from({ length: 47 }, () => '++vip')].join(','),
      dynamicAttributes: true,
    }),
    statuses: [200, 400],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H5',
    title: '50 conditions on collections, each in a group of its own with "or", are refused, or found in time',
    sender: 'manager',
    run: search(PATHS.customerSearch, {
      filter: filterOf(
        Array.from({ length: 50 }, (_, at) => ({
          group: 'OR',
          conditions: [
            condition('orders.lines.product.name', 'contains', `a${at}`),
            condition('orders.lines.product.sku', 'contains', `b${at}`),
          ],
        })),
      ),
      limit: 1,
    }),
    statuses: [200, 400],
    limit: ANY_LIMIT,
  },
  ...[7, 12].map(
    (hops): Attack => ({
      finding: 'H6',
      title: `a path of ${hops} references through collections is found in time`,
      sender: 'manager',
      run: search(PATHS.customerSearch, customersBy([condition(longPath(hops), 'isNull', true)])),
      statuses: [200, 400],
      limit: ANY_LIMIT,
    }),
  ),
  {
    finding: 'H6',
    title: 'a path of 7 collections, with a value that no row has, is found in time',
    sender: 'admin',
    run: search(PATHS.productSearch, {
      filter: filterOf([condition(collectionPath(7), 'contains', 'no such name')]),
      limit: 1,
    }),
    statuses: [200, 400],
    limit: ANY_LIMIT,
  },
  ...[13, 40, 1_000].map(
    (hops): Attack => ({
      finding: 'H6',
      title: `a path of ${hops} references is refused`,
      sender: 'manager',
      run: search(PATHS.customerSearch, customersBy([condition(longPath(hops), '=', customerId(1))])),
      statuses: [400],
      limit: hops === 13 ? HOPS : ANY_LIMIT,
    }),
  ),
  {
    finding: 'H6',
    title: '1,000 conditions with 5 references each are refused',
    sender: 'manager',
    run: search(
      PATHS.orderSearch,
      customersBy(
        Array.from({ length: 1_000 }, (_, at) =>
          condition('customer.orders.customer.orders.customer.name', '=', `n${at}`),
        ),
      ),
    ),
    statuses: [400],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H6',
    title: '1,000 conditions on an attribute are found in time',
    sender: 'manager',
    run: search(
      PATHS.customerSearch,
      customersBy(Array.from({ length: 1_000 }, (_, at) => condition('name', '<>', `n${at}`))),
    ),
    statuses: [200],
  },
  {
    finding: 'H6',
    title: '1,001 conditions are refused',
    sender: 'manager',
    run: search(
      PATHS.customerSearch,
      customersBy(Array.from({ length: 1_001 }, (_, at) => condition('name', '<>', `n${at}`))),
    ),
    statuses: [400],
    limit: CONDITIONS,
  },
  {
    finding: 'H6',
    title: '11 paths through different collections are refused',
    sender: 'admin',
    run: search(
      PATHS.productSearch,
      customersBy(
        Array.from({ length: 11 }, (_, at) => ({
          group: 'OR',
          conditions: [condition('tags.name', '=', `n${at}`), condition('tags.products.name', '=', `n${at}`)],
        })),
      ),
    ),
    statuses: [200, 400],
    limit: STEPS,
  },
  {
    finding: 'H6',
    title: '10 quantifiers over the lines of the orders of a customer, nested up and down, are found in time',
    sender: 'manager',
    run: search(PATHS.customerSearch, customersBy([nestedMembers(10)])),
    statuses: [200],
  },
  {
    finding: 'H6',
    title: '11 nested quantifiers are refused',
    sender: 'manager',
    run: search(PATHS.customerSearch, customersBy([nestedMembers(11)])),
    statuses: [400],
    limit: STEPS,
  },
  {
    finding: 'H6',
    title: '10 quantifiers over one collection are found in time',
    sender: 'manager',
    run: search(
      PATHS.customerSearch,
      customersBy(
        Array.from({ length: 10 }, (_, at) => ({
          ...(at % 2 === 0 ? { every: 'orders' } : { count: 'orders', operator: '>', value: 100 }),
          conditions: [condition('number', 'contains', `value ${at}`), condition('customer.name', '<>', `n${at}`)],
        })),
      ),
    ),
    statuses: [200],
  },
  {
    finding: 'H6',
    title:
      'all orders in groups of one, with percentiles and aggregates of all lines, are computed in time, or refused',
    sender: 'manager',
    run: search('/rest/aggregates/sales_Order', {
      groupBy: ['number', 'customer.name', { attribute: 'date', by: 'week' }],
      aggregates: {
        p10: { percentile: 'amount', at: 0.1 },
        p90: { percentile: 'amount', at: 0.9 },
        customers: { countDistinct: 'customer' },
        ...Object.fromEntries(
          ['quantity', 'price', 'position'].flatMap((name) =>
            ['sum', 'min', 'max'].map((of) => [`${of}_${name}`, { [of]: `lines.${name}` }]),
          ),
        ),
      },
      sort: '-sum_quantity,p90',
      limit: 1_000,
    }),
    statuses: [200, 400],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H6',
    title: 'all days of the orders are filled for each customer, to the last page, in time, or refused',
    sender: 'manager',
    run: search('/rest/aggregates/sales_Order', {
      groupBy: ['customer', { attribute: 'date', by: 'day', as: 'day', fill: true }],
      aggregates: { total: { sum: 'amount' }, quantity: { sum: 'lines.quantity' } },
      sort: '-quantity,day',
      limit: 1_000,
      offset: 1_000_000,
      returnCount: true,
    }),
    statuses: [200, 400],
    limit: ANY_LIMIT,
  },
  {
    finding: 'H6',
    title: '51 aggregates are refused',
    sender: 'manager',
    run: search('/rest/aggregates/sales_Order', {
      aggregates: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`n${at}`, { count: '*' }])),
    }),
    statuses: [400],
  },
  {
    finding: 'H6',
    title: 'a sort by a path of 40 references is refused',
    sender: 'manager',
    run: async ({ send }) => [
      await send({ method: 'GET', path: `${PATHS.orders}${query({ sort: `customer.${longPath(40)}`, limit: '1' })}` }),
    ],
    statuses: [400],
  },
  {
    finding: 'H4',
    title: 'a filter with 25,000 nested groups is refused',
    sender: 'manager',
    run: search(PATHS.customerSearch, `{"filter":${nestedFilter(25_000)}}`),
    statuses: [400],
  },
];

export const FILTER_ATTACKS: readonly Attack[] = [...LIST_ATTACKS, ...PATH_ATTACKS];
