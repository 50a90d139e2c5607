import sales from '@lintel/example-sales';
import { callerWith, type ExplainedReads, startExplainedReads, type Work, workOf } from '../explained-reads.ts';

/** Number of orders at first, and the factor of growth; customers and lines grow with them. */
const ORDERS = 10_000;
const TIMES = 4;
/** Tolerance, since indexes get deeper and neighbouring rows move to other blocks. */
const MAX_GROWTH = 1.3;

const ADMIN = callerWith();

let reads: ExplainedReads;

const id = (kind: number, number: string): string =>
  `('0000000${kind}-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/** Adds rows with the numbers above `from` up to `to`, with the same share of each customer, day, state and amount. */
async function fill(from: number, to: number): Promise<void> {
  await reads.query(`INSERT INTO sales.customer (id, version, name)
    SELECT ${id(1, 'i')}, 1, chr(65 + i % 26) || 'ustomer ' || i FROM generate_series(${from / 10 + 1}, ${to / 10}) i`);
  await reads.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount)
    SELECT ${id(3, 'i')}, 1, 'n' || i, DATE '1990-01-01' + i / 10, 10 * (1 + i % 4), ${id(1, '1 + i / 10 % (SELECT count(*) FROM sales.customer)')}, i * 7919 % 20000
    FROM generate_series(${from + 1}, ${to}) i`);
  await reads.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity)
    SELECT ${id(4, 'i')}, 1, ${id(3, '1 + (i - 1) / 3')}, ${id(2, '1 + i % 2000')}, 1
    FROM generate_series(${from * 3 + 1}, ${to * 3}) i`);
  await reads.query('VACUUM ANALYZE');
}

const WITH_LINES = {
  entity: 'sales_Order',
  properties: [
    ...['number', 'date', 'status', 'amount'],
    { name: 'customer', fetchPlan: { properties: ['name', 'email'] } },
    {
      name: 'lines',
      fetchPlan: { properties: ['quantity', { name: 'product', fetchPlan: { properties: ['name'] } }] },
    },
  ],
};
const MATCHING = {
  conditions: [
    { property: 'status', operator: '=', value: 'SHIPPED' },
    { property: 'amount', operator: '>', value: 15_000 },
    { property: 'customer.name', operator: 'startsWith', value: 'Q' },
  ],
};
const ONE = `00000003-0000-4000-8000-${String(5_000).padStart(12, '0')}`;
const IN_CUSTOMER = {
  conditions: [{ property: 'customer', operator: '=', value: `00000001-0000-4000-8000-${'77'.padStart(12, '0')}` }],
};
const OF_NAME = { conditions: [{ property: 'customer.name', operator: '=', value: 'Qustomer 68' }] };

const READS: readonly (readonly [string, object])[] = [
  ['one order by id', { id: ONE }],
  ['50 orders by date', { sort: '-date', limit: 50, offset: 700, fetchPlan: '_local' }],
  ['20 orders with customer and lines', { sort: '-date', limit: 20, offset: 700, fetchPlan: WITH_LINES }],
  ['the orders of a customer', { filter: IN_CUSTOMER, limit: 50, fetchPlan: WITH_LINES }],
  ['the orders of a customer by name', { filter: OF_NAME, limit: 50, fetchPlan: '_local' }],
];

const SEARCH = [
  '20 orders by state, amount and beginning of the customer’s name',
  { filter: MATCHING, limit: 20, fetchPlan: '_local' },
] as const;
/** The filter matches one order of so many: it selects one of 4 states, a quarter of the amounts, one of 26 letters. */
const MATCHES_ONE_OF = 4 * 4 * 26;

const before = new Map<string, Work>();
const after = new Map<string, Work>();

async function measure(into: Map<string, Work>): Promise<void> {
  for (const [what, members] of [...READS, SEARCH]) {
    const { plans } = await reads.read('sales_Order', members, ADMIN, 'run');
    into.set(what, workOf(plans));
  }
}

beforeAll(async () => {
  reads = await startExplainedReads(sales);
  await reads.query(`INSERT INTO sales.product (id, version, name, sku, price)
    SELECT ${id(2, 'i')}, 1, 'product ' || i, 's' || i, i FROM generate_series(1, 2000) i`);
  await fill(0, ORDERS);
  await measure(before);
  await fill(ORDERS, TIMES * ORDERS);
  await measure(after);
});
afterAll(() => reads?.close());

/** The measured work; a read without any work would prove nothing. */
function measured(works: ReadonlyMap<string, Work>, what: string): Work {
  const work = works.get(what);
  if (work === undefined || work.rows === 0) throw new Error(`${what} read nothing`);
  return work;
}

test.each(READS)('%s: has the same cost with four times the rows', (what) => {
  const [small, large] = [measured(before, what), measured(after, what)];
  expect(large.rows).toBeLessThanOrEqual(small.rows * MAX_GROWTH);
  expect(large.blocks).toBeLessThanOrEqual(small.blocks * MAX_GROWTH + 10);
});

test('a search without a sort order stops when its page is full, independent of the number of rows', () => {
  const [what, { limit }] = SEARCH;
  expect(measured(after, what).rows).toBeLessThan(limit * MATCHES_ONE_OF * MAX_GROWTH);
});
