import type { Principal } from '@lintel/contracts';
import sales from '@lintel/example-sales';
import { createDatabase, createSchemaFromModel, type Database, type Statement } from '@lintel/persistence';
import { type ExactObject, readExactJson } from '@lintel/query';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createAccessDirectory } from '../access/access-directory.ts';
import { createCursorSeal } from './paging/create-cursor-seal.ts';
import { NO_PREFERENCES } from './preferences.ts';
import { createReadDependencies, type ReadDependencies } from './read-dependencies.ts';
import { readEntities } from './read-entities.ts';

/** Tables that no request may read from one end to the other. */
const LARGE = new Set(['order', 'order_line', 'customer']);

let server: TestDatabase;
let database: Database;
let deps: ReadDependencies;
let statements: Statement[] = [];

const id = (kind: number, number: string): string =>
  `('0000000${kind}-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

beforeAll(async () => {
  server = await createTestDatabase('plans');
  await createSchemaFromModel(server.url, sales.model);
  await server.query(`INSERT INTO sales.customer (id, version, name, address_country)
    SELECT ${id(1, 'i')}, 1, chr(65 + i % 26) || 'ustomer ' || i, CASE WHEN i % 9 = 0 THEN 'DE' ELSE 'FR' END
    FROM generate_series(1, 8000) i`);
  await server.query(`INSERT INTO sales.product (id, version, name, sku, price)
    SELECT ${id(2, 'i')}, 1, 'product ' || i, 's' || i, i FROM generate_series(1, 500) i`);
  await server.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount)
    SELECT ${id(3, 'i')}, 1, 'n' || i, DATE '2020-01-01' + (i * 7919 % 2000), 10 * (1 + i % 4), ${id(1, '1 + i % 8000')}, i % 20000
    FROM generate_series(1, 60000) i`);
  await server.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity)
    SELECT ${id(4, 'i')}, 1, ${id(3, '1 + i % 60000')}, ${id(2, '1 + i % 500')}, 1 FROM generate_series(1, 120000) i`);
  await server.query('VACUUM ANALYZE');
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 20_000,
    applicationName: 'test',
  });
  deps = createReadDependencies({
    application: sales,
    accessOf: createAccessDirectory(sales),
    database: {
      query(statement, signal) {
        statements.push(statement);
        return database.query(statement, signal);
      },
      stream(statement, options) {
        statements.push(statement, ...(options.first === undefined ? [] : [options.first]));
        return database.stream(statement, options);
      },
    },
    cursors: createCursorSeal({ secret: 'test', ids: { next: () => crypto.randomUUID() } }),
    limits: { maxFetchSize: () => 10_000, inlineFetchPlansEnabled: true, serverTimingEnabled: true, maxBodyBytes: 1 },
  });
}, 120_000);
afterAll(async () => {
  await database?.close();
  await server?.drop();
});

const caller = (roles: Partial<Principal>): Principal => ({
  username: 'anna',
  kind: 'user',
  userId: null,
  clientId: 'c',
  sessionId: 's',
  resourceRoles: ['system-full-access'],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  actingService: undefined,
  ...roles,
});
const ADMIN = caller({});
const CLERK = caller({
  resourceRoles: ['rest-minimal', 'sales-clerk'],
  rowLevelRoles: ['own-region'],
  attributes: { country: 'DE' },
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Every node of the plans of the statements that the request runs. */
async function plansOf(entityName: string, members: object, principal: Principal, generic = false) {
  statements = [];
  const answer = await readEntities(
    {
      operation: 'id' in members ? 'instance' : 'list',
      entityName,
      ...('id' in members ? { id: String(members.id) } : {}),
      isFromBody: false,
      members: readExactJson(JSON.stringify(members)) as ExactObject,
      preferences: NO_PREFERENCES,
    },
    principal,
    deps,
    new AbortController().signal,
  );
  // A streamed list is not read: its transaction ends here.
  if (answer.kind === 'stream') await answer.batches[Symbol.asyncIterator]().return?.();
  const nodes: PlanNode[] = [];
  for (const { text, values } of statements) {
    const explained = generic
      ? await explainGeneric(text)
      : await explain({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
    nodes.push(...nodesOf(explained));
  }
  return { nodes, answer, count: statements.length };
}

async function explain(statement: Statement): Promise<PlanNode> {
  const [row] = await database.query<{ 'QUERY PLAN': string }>(statement);
  const [{ Plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }];
  return Plan;
}

/** The simple protocol alone leaves the parameters open. */
async function explainGeneric(text: string): Promise<PlanNode> {
  const [row] = await server.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${text}`,
  );
  if (row === undefined) throw new Error('Nothing was explained');
  return row['QUERY PLAN'][0].Plan;
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
  ])('reads no large table whole for a caller who sees %s, and is one statement', async (_who, principal) => {
    // The clerk's orders are few: there the planner may read all customers of the region.
    const { nodes, count } = await plansOf(entity, members, principal);
    expect(count).toBe(1);
    expect(fullScans(nodes).filter((table) => principal === ADMIN || table !== 'customer')).toEqual([]);
  });

  test('reads no large table whole when the database plans it once for all values', async () => {
    const { nodes } = await plansOf(entity, members, ADMIN, true);
    expect(fullScans(nodes)).toEqual([]);
  });
});

describe('a search by the beginning of a text', () => {
  const byName = { filter: { conditions: [{ property: 'name', operator: 'startsWith', value: 'qUSTOMER 77' }] } };

  test.each([false, true])('is served by the search index (one plan for all values: %s)', async (generic) => {
    const { nodes } = await plansOf('sales_Customer', { ...byName, limit: 20 }, ADMIN, generic);
    expect(nodes.map((node) => node['Index Name'])).toContain('ix_customer__name__search');
    expect(fullScans(nodes)).toEqual([]);
  });

  test('finds what it should', async () => {
    const { answer } = await plansOf('sales_Customer', { ...byName, limit: 20, sort: 'name' }, ADMIN);
    const rows = answer.kind === 'list' ? answer.rows.map((row) => JSON.parse(row).name) : [];
    expect(rows).toEqual(['Qustomer 770', 'Qustomer 7712', 'Qustomer 7738', 'Qustomer 7764', 'Qustomer 7790']);
  });
});

test('a page behind a cursor is answered from the index of its order', async () => {
  const first = await plansOf('sales_Order', { sort: '-date', limit: 50, fetchPlan: '_local' }, ADMIN);
  const cursor = first.answer.kind === 'list' ? first.answer.next : undefined;
  const { nodes } = await plansOf('sales_Order', { sort: '-date', limit: 50, fetchPlan: '_local', cursor }, ADMIN);
  expect(fullScans(nodes)).toEqual([]);
  expect(nodes.map((node) => node['Index Name'])).toContain('ix_order__date');
  const generic = await plansOf('sales_Order', { sort: '-date', limit: 50, fetchPlan: '_local', cursor }, ADMIN, true);
  expect(fullScans(generic.nodes)).toEqual([]);
});
