import type { Principal } from '@lintel/contracts';
import sales from '@lintel/example-sales';
import {
  callerWith,
  type ExplainedReads,
  type Explaining,
  nodesOf,
  type PlanNode,
  startExplainedReads,
} from '../explained-reads.ts';

/** Tables that no request may scan completely. */
const LARGE = new Set(['order', 'order_line', 'customer']);

let reads: ExplainedReads;

const id = (kind: number, number: string): string =>
  `('0000000${kind}-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

beforeAll(async () => {
  reads = await startExplainedReads(sales);
  await reads.query(`INSERT INTO sales.customer (id, version, name, address_country)
    SELECT ${id(1, 'i')}, 1, chr(65 + i % 26) || 'ustomer ' || i, CASE WHEN i % 9 = 0 THEN 'DE' ELSE 'FR' END
    FROM generate_series(1, 8000) i`);
  await reads.query(`INSERT INTO sales.product (id, version, name, sku, price)
    SELECT ${id(2, 'i')}, 1, 'product ' || i, 's' || i, i FROM generate_series(1, 500) i`);
  await reads.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount)
    SELECT ${id(3, 'i')}, 1, 'n' || i, DATE '2020-01-01' + (i * 7919 % 2000), 10 * (1 + i % 4), ${id(1, '1 + i % 8000')}, i % 20000
    FROM generate_series(1, 60000) i`);
  await reads.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity)
    SELECT ${id(4, 'i')}, 1, ${id(3, '1 + i % 60000')}, ${id(2, '1 + i % 500')}, 1 FROM generate_series(1, 120000) i`);
  await reads.query('VACUUM ANALYZE');
});
afterAll(() => reads?.close());

const ADMIN = callerWith();
const CLERK = callerWith({
  resourceRoles: ['rest-minimal', 'sales-clerk'],
  rowLevelRoles: ['own-region'],
  attributes: { country: 'DE' },
});

/** All nodes of the plans of the statements of the request. */
async function plansOf(entityName: string, members: object, principal: Principal, how: Explaining = 'plan') {
  const { result, plans } = await reads.read(entityName, members, principal, how);
  return { nodes: plans.flatMap(nodesOf), result: result, count: plans.length };
}

const fullScans = (nodes: readonly PlanNode[]): readonly string[] =>
  nodes.flatMap((node) =>
    node['Node Type'].includes('Seq Scan') && LARGE.has(node['Relation Name'] ?? '')
      ? (node['Relation Name'] ?? '')
      : [],
  );

const WITH_LINES = {
  entity: 'sales_Order',
  properties: [
    ...['number', 'date', 'status', 'amount'],
    { name: 'customer', fetchPlan: { properties: ['name', 'email'] } },
    {
      name: 'lines',
      fetchPlan: { properties: ['quantity', 'price', { name: 'product', fetchPlan: { properties: ['name', 'sku'] } }] },
    },
  ],
};
const matching = (prefix: string) => ({
  conditions: [
    { property: 'status', operator: '=', value: 'SHIPPED' },
    { property: 'amount', operator: '>', value: 15_000 },
    { property: 'customer.name', operator: 'startsWith', value: prefix },
  ],
});

/** The reads of the benchmarks. */
const READS: readonly (readonly [string, string, object])[] = [
  ['R1', 'sales_Order', { id: '00000003-0000-4000-8000-000000000008' }],
  ['R2', 'sales_Order', { sort: '-date', limit: 50, offset: 700, fetchPlan: '_local' }],
  ['R3', 'sales_Order', { sort: '-date', limit: 20, offset: 700, fetchPlan: WITH_LINES }],
  ['R4', 'sales_Order', { filter: matching('Q'), limit: 20, fetchPlan: '_local' }],
];

describe.each(READS)('%s', (_name, entity, members) => {
  test.each([
    ['every row', ADMIN],
    ['the rows of a region', CLERK],
  ])('scans no large table for a caller who sees %s, and is one statement', async (_who, principal) => {
    // The clerk sees few orders: the planner may read all customers of the region.
    const { nodes, count } = await plansOf(entity, members, principal);
    expect(count).toBe(1);
    expect(fullScans(nodes).filter((table) => principal === ADMIN || table !== 'customer')).toEqual([]);
  });

  test('scans no large table with a generic plan', async () => {
    const { nodes } = await plansOf(entity, members, ADMIN, 'generic');
    expect(fullScans(nodes)).toEqual([]);
  });
});

describe('a search by the beginning of a text', () => {
  const byName = { filter: { conditions: [{ property: 'name', operator: 'startsWith', value: 'qUSTOMER 77' }] } };

  test.each(['plan', 'generic'] as const)('uses the search index (%s)', async (how) => {
    const { nodes } = await plansOf('sales_Customer', { ...byName, limit: 20 }, ADMIN, how);
    expect(nodes.map((node) => node['Index Name'])).toContain('ix_customer__name__search');
    expect(fullScans(nodes)).toEqual([]);
  });

  test('finds the right rows', async () => {
    const { result } = await plansOf('sales_Customer', { ...byName, limit: 20, sort: 'name' }, ADMIN);
    const rows = result.kind === 'list' ? result.rows.map((row) => JSON.parse(row).name) : [];
    expect(rows).toEqual(['Qustomer 770', 'Qustomer 7712', 'Qustomer 7738', 'Qustomer 7764', 'Qustomer 7790']);
  });
});

test.each(['date', '-date'])(
  'a page sorted by %s is read from the index in its order, without sorting rows',
  async (sort) => {
    const { nodes } = await plansOf('sales_Order', { sort, limit: 50, offset: 700, fetchPlan: '_local' }, ADMIN);
    expect(nodes.map((node) => node['Index Name'])).toContain('ix_order__date__id');
    expect(nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
  },
);

test('a page after a cursor is read from the index of its order', async () => {
  const first = await plansOf('sales_Order', { sort: '-date', limit: 50, fetchPlan: '_local' }, ADMIN);
  const cursor = first.result.kind === 'list' ? first.result.next : undefined;
  const { nodes } = await plansOf('sales_Order', { sort: '-date', limit: 50, fetchPlan: '_local', cursor }, ADMIN);
  expect(fullScans(nodes)).toEqual([]);
  expect(nodes.map((node) => node['Index Name'])).toContain('ix_order__date__id');
  const generic = await plansOf(
    'sales_Order',
    { sort: '-date', limit: 50, fetchPlan: '_local', cursor },
    ADMIN,
    'generic',
  );
  expect(fullScans(generic.nodes)).toEqual([]);
});
