import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase } from '@lintel/persistence';
import { createReportLogin } from '@lintel/schema';
import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { POSTGRES_VERSIONS, startPostgresOf, type VersionedPostgres } from '@lintel/testkit/backends';
import { createGatewayCaller } from './gateway-caller.ts';
import { type ServiceProcesses, startServiceProcesses } from './service-processes.ts';

// Needs LINTEL_TEST_POSTGRES_URL, LINTEL_TEST_REDIS_URL, LINTEL_TEST_AMQP_URL and startServiceProcesses.
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'];
const ENTITIES = '/rest/entities';
const NAMES = ['auth', 'data', 'files', 'gateway', 'reports'] as const;
/** More than one batch of a cursor. */
const TAG_COUNT = 1_500;

interface Instance {
  readonly id: string;
  readonly version: number;
}

describe.each(POSTGRES_VERSIONS)('PostgreSQL %i', (version) => {
  let server: VersionedPostgres;
  let database: TestDatabase;
  let processes: ServiceProcesses<(typeof NAMES)[number]>;
  let token = '';

  beforeAll(async () => {
    server = await startPostgresOf(version);
    database = await createTestDatabase('versions', server.url);
    const owner = createDatabase({
      url: database.url,
      maxConnections: 1,
      statementTimeoutMs: 10_000,
      applicationName: 'versions',
    });
    const reportUrl = await createReportLogin(owner, database.url, 'secret', `report_${version}`);
    await owner.close();
    processes = await startServiceProcesses(NAMES, {
      SVC_DATASOURCE_URL: database.url,
      SVC_DATA_REPORT_DATASOURCE_URL: reportUrl,
    });
    token = await createGatewayCaller(processes.services.gateway.url).tokenOf('client', 'admin');
  });
  afterAll(async () => {
    await processes?.dispose();
    await database?.drop();
    await server?.dispose();
  });

  async function send(status: number, method: string, path: string, body?: unknown): Promise<string> {
    const response = await fetch(`${processes.services.gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expect([path, response.status, response.status === status ? '' : text]).toEqual([path, status, '']);
    return text;
  }
  const receive = async <T>(status: number, method: string, path: string, body?: unknown): Promise<T> =>
    JSON.parse(await send(status, method, path, body)) as T;
  const filterOf = (property: string, operator: string, value: unknown): string =>
    encodeURIComponent(JSON.stringify({ conditions: [{ property, operator, value }] }));

  test('is the version of the server', async () => {
    const [row] = await database.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
    expect(row?.version).toMatch(new RegExp(`^${version}\\.`));
  });

  test('has the schema of the model after the migrations', async () => {
    const run = promisify(execFile)(
      process.execPath,
      [...SOURCES, join(ROOT, 'tools/migrate/src/main.ts'), 'drift', '--json'],
      { cwd: ROOT, env: { PATH: process.env['PATH'], SVC_DATASOURCE_URL: database.url } },
    );
    expect(JSON.parse((await run).stdout)).toMatchObject({ fits: true });
  });

  test('lists with filter, sort, pages and references', async () => {
    const filter = filterOf('customer.address.city', '=', 'Berlin');
    const path = `${ENTITIES}/sales_Order/search?filter=${filter}&sort=-date&fetchPlan=order-list`;
    const all = await receive<readonly { customer: object; date: string }[]>(200, 'GET', `${path}&limit=100`);
    const page = await receive<readonly object[]>(200, 'GET', `${path}&limit=2&offset=1`);
    expect(page).toEqual(all.slice(1, 3));
    expect(all.map(({ date }) => date)).toEqual(
      all
        .map(({ date }) => date)
        .sort()
        .reverse(),
    );
    expect(await receive(200, 'GET', `${ENTITIES}/sales_Order/search/count?filter=${filter}`)).toBe(all.length);
    const found = await receive<readonly object[]>(
      200,
      'GET',
      `${ENTITIES}/sales_Customer/search?filter=${filterOf('name', 'startsWith', 'a')}`,
    );
    expect(found.length).toBeGreaterThan(0);
  });

  test('creates a graph, updates it with its version, and deletes it softly', async () => {
    const [customer] = await receive<readonly Instance[]>(200, 'GET', `${ENTITIES}/sales_Customer?limit=1`);
    const [product] = await receive<readonly Instance[]>(200, 'GET', `${ENTITIES}/sales_Product?limit=1`);
    const lines = [
      { product: { id: product?.id }, quantity: 2, price: '10.50', discounts: [{ reason: 'new', percent: 10 }] },
      { product: { id: product?.id }, quantity: 1, price: '1.25' },
    ];
    const number = randomUUID().slice(0, 12);
    const body = { number, date: '2026-11-21', customer: { id: customer?.id }, lines };
    const { id } = await receive<Instance>(201, 'POST', `${ENTITIES}/sales_Order`, body);
    const path = `${ENTITIES}/sales_Order/${id}`;
    const stored = await receive<Instance & { lines: readonly Instance[] }>(200, 'GET', `${path}?fetchPlan=order-edit`);
    expect(stored.lines).toHaveLength(2);
    expect(await send(200, 'GET', `/rest/services/sales_OrderService/calculateTotal?orderId=${id}`)).toBe('20.15');
    await send(200, 'PUT', path, { status: 'CONFIRMED', lines: [{ id: stored.lines[0]?.id }] });
    await send(409, 'POST', `${ENTITIES}/sales_Order`, body);
    await send(204, 'DELETE', path);
    await send(404, 'GET', path);
    const [row] = await database.query('SELECT deleted_by FROM sales.order WHERE id = $1', [id]);
    expect(row).toEqual({ deleted_by: 'admin' });
  });

  test('stores many-to-many references, element collections and batches, which are streamed', async () => {
    const tags = await receive<readonly Instance[]>(
      201,
      'POST',
      `${ENTITIES}/sales_ProductTag`,
      Array.from({ length: 500 }, () => ({ name: randomUUID() })),
    );
    for (let count = tags.length; count < TAG_COUNT; count += 500)
      await receive(
        201,
        'POST',
        `${ENTITIES}/sales_ProductTag`,
        Array.from({ length: 500 }, () => ({ name: randomUUID() })),
      );
    const streamed = await receive<readonly object[]>(200, 'GET', `${ENTITIES}/sales_ProductTag?limit=5000`);
    expect(streamed.length).toBeGreaterThanOrEqual(TAG_COUNT);
    const [product] = await receive<readonly Instance[]>(200, 'GET', `${ENTITIES}/sales_Product?limit=1`);
    const chosen = tags.slice(0, 3).map(({ id }) => ({ id }));
    await send(200, 'PUT', `${ENTITIES}/sales_Product/${product?.id}`, { tags: chosen });
    const tagsPlan = { name: 'tags', fetchPlan: { entity: 'sales_ProductTag', properties: ['name'] } };
    const fetchPlan = encodeURIComponent(JSON.stringify({ entity: 'sales_Product', properties: [tagsPlan] }));
    const read = await receive<{ tags: readonly Instance[] }>(
      200,
      'GET',
      `${ENTITIES}/sales_Product/${product?.id}?fetchPlan=${fetchPlan}`,
    );
    expect(new Set(read.tags.map(({ id }) => id))).toEqual(new Set(chosen.map(({ id }) => id)));
    const name = randomUUID();
    await send(201, 'POST', `${ENTITIES}/sales_Customer`, { name, tags: ['a', 'b'] });
    const tagged = encodeURIComponent(JSON.stringify({ entity: 'sales_Customer', properties: ['tags'] }));
    const search = `${ENTITIES}/sales_Customer/search?filter=${filterOf('name', '=', name)}&fetchPlan=${tagged}`;
    const customers = await receive<readonly object[]>(200, 'GET', search);
    expect(customers).toEqual([expect.objectContaining({ tags: ['a', 'b'] })]);
  });

  test('runs queries, and reports over a query with aggregates and over SQL', async () => {
    const query = '/rest/queries/sales_Order/ordersByStatus?status=NEW&limit=1&fetchPlan=order-list';
    expect(await receive(200, 'GET', query)).toHaveLength(1);
    const parameters = [
      { name: 'from', value: '2026-01-01' },
      { name: 'to', value: '2026-12-31' },
    ];
    const sums = await send(200, 'POST', '/rest/reports/run/code/sales-by-customer', { template: 'csv', parameters });
    expect(sums.split('\n').length).toBeGreaterThan(2);
    const definition = {
      parameters: [{ alias: 'status', name: 'Status', type: 'ENUMERATION', enumeration: 'sales.OrderStatus' }],
      bands: [{ name: 'Orders', dataSets: [{ kind: 'sql', name: 'orders', sql: SQL }] }],
    };
    const file = await receive<{ fileRef: string }>(201, 'POST', '/rest/files?name=orders.csv', TEMPLATE);
    const group = await receive<Instance>(201, 'POST', `${ENTITIES}/report_ReportGroup`, { title: 'Versions' });
    const code = randomUUID();
    await send(201, 'POST', `${ENTITIES}/report_Report`, {
      name: code,
      code,
      restAccess: true,
      group: { id: group.id },
      definition: JSON.stringify(definition),
      templates: [
        { code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'orders.csv', content: file.fileRef },
      ],
    });
    const body = { parameters: [{ name: 'status', value: 'NEW' }] };
    const [row] = await database.query<{ number: string }>(
      `SELECT count(*)::text AS number FROM sales.order WHERE status = 10 AND deleted_date IS NULL`,
    );
    // The reports service receives the event of the new report.
    await eventually(async () =>
      expect(await send(200, 'POST', `/rest/reports/run/code/${code}`, body)).toContain(row?.number ?? 'a number'),
    );
  });

  test('sends every event', async () => {
    await eventually(async () =>
      expect(await database.query('SELECT FROM events.outbox WHERE published_at IS NULL')).toEqual([]),
    );
    const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM events.outbox');
    expect(row?.count).toBeGreaterThan(TAG_COUNT);
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the template
const TEMPLATE = 'Count\n${number}\n';
// biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the data set
const SQL = 'SELECT count(*) AS number FROM sales.order WHERE status = ${status} AND deleted_date IS NULL';
