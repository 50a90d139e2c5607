import { idOf, SIZES } from '../database/data-set.ts';
import { type Operation, randomWhole } from './operation.ts';

const ORDERS = '/rest/entities/sales_Order';
const CONNECTIONS = 16;
/** Offsets of the pages that are read. */
const MAX_OFFSET = 1_000;

/** Parameters of the reads as the platform's API has them; the yardsticks run the statements of these. */
export const READ_MEMBERS = {
  R1: {},
  R2: { sort: '-date', limit: '50', fetchPlan: '_local' },
  R3: {
    sort: '-date',
    limit: '20',
    fetchPlan: JSON.stringify({
      entity: 'sales_Order',
      properties: [
        'number',
        'date',
        'status',
        'amount',
        { name: 'customer', fetchPlan: { properties: ['name', 'email'] } },
        {
          name: 'lines',
          fetchPlan: {
            properties: [
              'quantity',
              'price',
              'position',
              { name: 'product', fetchPlan: { properties: ['name', 'sku', 'price'] } },
            ],
          },
        },
      ],
    }),
  },
  R4: { limit: '20', fetchPlan: '_local' },
  R5: { limit: '10000', fetchPlan: '_local' },
} as const;

/** Groups of A1; the yardsticks have a statement that is written by hand. */
const MONTHS = {
  groupBy: JSON.stringify([{ attribute: 'date', by: 'month', as: 'month' }, 'status']),
  aggregates: JSON.stringify({ n: { count: '*' }, total: { sum: 'amount' } }),
  sort: 'month,status',
};

/** Customers of A2, each with the latest of its orders; the yardsticks have a statement that is written by hand. */
const LATEST = {
  sort: 'id',
  limit: '50',
  fetchPlan: JSON.stringify({
    entity: 'sales_Customer',
    properties: [
      'name',
      { name: 'orders', sort: '-date', limit: 3, fetchPlan: { properties: ['number', 'date', 'amount'] } },
    ],
  }),
};

/** The filter of R4 in the client form. */
export const filterOf = (status: string, amount: number, prefix: string) => ({
  conditions: [
    { property: 'status', operator: '=', value: status },
    { property: 'amount', operator: '>', value: amount },
    { property: 'customer.name', operator: 'startsWith', value: prefix },
  ],
});

/** Names of the states in the order of their ids, which are 10, 20, 30, 40. */
export const STATUSES: readonly string[] = ['NEW', 'CONFIRMED', 'SHIPPED', 'CLOSED'];

const query = (parameters: Readonly<Record<string, string>>): string => `?${new URLSearchParams(parameters)}`;

const page = (path: string, members: Readonly<Record<string, string>>, list = ORDERS): Operation['draw'] => {
  // Encoded once: what changes from request to request is the offset alone.
  const start = `${list}${query(members)}&offset=`;
  return () => {
    const offset = randomWhole(0, MAX_OFFSET);
    return {
      lintel: { method: 'GET', path: `${start}${offset}` },
      yardstick: { method: 'GET', path: `${path}?offset=${offset}` },
    };
  };
};

/** A read of the word or node with a random number, of those that rare words and inner nodes have. */
function ofNumber(path: string, list: (number: number) => string): ReturnType<Operation['draw']> {
  const number = randomWhole(100, 1_000);
  return {
    lintel: { method: 'GET', path: `/rest/entities/${list(number)}` },
    yardstick: { method: 'GET', path: `${path}?offset=${number}` },
  };
}

export const READS: readonly Operation[] = [
  {
    name: 'R1',
    about: 'one order by id',
    isWrite: false,
    connections: CONNECTIONS,
    draw() {
      const id = idOf('order', randomWhole(1, SIZES.orders + 1));
      return {
        lintel: { method: 'GET', path: `${ORDERS}/${id}` },
        yardstick: { method: 'GET', path: `/rest/orders/${id}` },
      };
    },
  },
  {
    name: 'R2',
    about: '50 orders by date descending, random offset',
    isWrite: false,
    connections: CONNECTIONS,
    draw: page('/rest/latest-orders', READ_MEMBERS.R2),
  },
  {
    name: 'R3',
    about: '20 orders, each with customer and lines with product',
    isWrite: false,
    connections: CONNECTIONS,
    draw: page('/rest/orders-with-lines', READ_MEMBERS.R3),
  },
  {
    name: 'R4',
    about: 'status = X, amount > Y, customer.name starts with Z; 20 rows',
    isWrite: false,
    connections: CONNECTIONS,
    draw() {
      const status = STATUSES[randomWhole(0, STATUSES.length)] ?? 'NEW';
      const amount = randomWhole(1, 20_000);
      const prefix = String.fromCharCode(65 + randomWhole(0, 26));
      const body = JSON.stringify({ filter: filterOf(status, amount, prefix), ...READ_MEMBERS.R4, limit: 20 });
      return {
        lintel: { method: 'POST', path: `${ORDERS}/search`, body },
        yardstick: {
          method: 'GET',
          path: `/rest/matching-orders?status=${status}&amount=${amount}&prefix=${prefix}`,
        },
      };
    },
  },
  {
    name: 'R5',
    about: '10,000 flat orders in one response, one client',
    isWrite: false,
    connections: 1,
    draw: () => ({
      lintel: { method: 'GET', path: `${ORDERS}${query(READ_MEMBERS.R5)}` },
      yardstick: { method: 'GET', path: '/rest/all-orders' },
    }),
  },
  {
    name: 'A1',
    about: 'all orders by month and status, with number and sum',
    isWrite: false,
    connections: 4,
    draw: () => ({
      lintel: { method: 'GET', path: `/rest/aggregates/sales_Order${query(MONTHS)}` },
      yardstick: { method: 'GET', path: '/rest/orders-by-month' },
    }),
  },
  {
    name: 'A2',
    about: '50 customers, each with the three latest of its orders',
    isWrite: false,
    connections: 4,
    draw: page('/rest/latest-of-customers', LATEST, '/rest/entities/sales_Customer'),
  },
  {
    name: 'A3',
    about: 'the 20 best matches of a word among a million texts',
    isWrite: false,
    isOfBench: true,
    connections: 4,
    draw: () => ofNumber('/rest/best-notes', (word) => `bench_Note${query({ q: `w${word}`, limit: '20' })}`),
  },
  {
    name: 'A4',
    about: 'the first 50 nodes below one of the fifth to seventh level of a tree of 100,000',
    isWrite: false,
    isOfBench: true,
    connections: 4,
    draw: () =>
      ofNumber('/rest/nodes-below', (node) => {
        const below = { conditions: [{ property: 'id', operator: 'under', value: node }] };
        return `bench_Node/search${query({ filter: JSON.stringify(below), fetchPlan: '_local', sort: 'id', limit: '50' })}`;
      }),
  },
];
