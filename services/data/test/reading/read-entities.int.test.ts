import type { AccessClaims, Session } from '@lintel/contracts';
import { AUDIENCE_REST } from '@lintel/contracts';
import sales from '@lintel/example-sales';
import { addRoutes, authenticate, createRouter, createServiceApp, listen, type RunningServer } from '@lintel/http';
import { createDatabase, type Database } from '@lintel/persistence';
import { createCursorCodec, createReadDependencies, NO_REQUEST_LIMITS, type ReadDependencies } from '@lintel/reading';
import { applicationRoles, createAccessDirectory } from '@lintel/security';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { registerDatasetRoutes } from '../../src/datasets/datasets.routes.ts';
import { readRoutes } from '../../src/entities/read-entities.routes.ts';
import { schemaOf } from '../schema-of.ts';

const roles = applicationRoles(sales);
const MANY = 2_500;
const MAX_FETCH_SIZE = 10_000;

const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };

/** Roles of the callers; the token of a request is the name of a user. */
const USERS: Readonly<Record<string, Pick<Session, 'resourceRoles' | 'rowLevelRoles' | 'attributes'>>> = {
  admin: { resourceRoles: ['system-full-access'], rowLevelRoles: [], attributes: {} },
  clerk: {
    resourceRoles: ['rest-minimal', 'sales-clerk'],
    rowLevelRoles: ['own-region'],
    attributes: { country: 'DE' },
  },
  auditor: {
    resourceRoles: ['rest-minimal', 'sales-manager'],
    rowLevelRoles: ['no-discounted-lines'],
    attributes: {},
  },
  viewer: { resourceRoles: ['rest-minimal'], rowLevelRoles: [], attributes: {} },
};

const sessionOf = (username: string): Session => ({
  id: username,
  username,
  userId: null,
  clientId: 'test',
  kind: 'user',
  locale: null,
  createdAt: '2026-01-01T00:00:00Z',
  resourceRoles: [],
  rowLevelRoles: [],
  attributes: {},
  ...USERS[username],
});

const claimsOf = (token: string): AccessClaims => ({
  iss: 'test',
  sub: token,
  aud: AUDIENCE_REST,
  exp: 0,
  iat: 0,
  jti: token,
  client_id: 'test',
  sid: token,
  scope: 'rest-api',
});

const startServer = (deps: ReadDependencies): Promise<RunningServer> =>
  listen(
    createServiceApp({
      service: 'data',
      internalSecret: undefined,
      logger,
      readiness: {},
      configure: (app) => {
        const router = createRouter();
        router.use(
          authenticate({
            verifier: { verify: async (token) => claimsOf(token) },
            loadSession: async (id) => sessionOf(id),
            audience: AUDIENCE_REST,
          }),
        );
        const versions = new Map();
        addRoutes(
          router,
          readRoutes({
            ...deps,
            accessOf: createAccessDirectory(() => roles),
            versions,
            path: '/entities',
            unknownMembers: 'name',
          }),
        );
        const sql = { reportDatabase: undefined, isDeclaredSql: async () => false, model: deps.currentModel() };
        registerDatasetRoutes(router, { ...deps, ...sql });
        app.use('/rest', router);
      },
    }),
    { host: '127.0.0.1', port: 0 },
  );

const ID = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const ROWS: readonly string[] = [
  `INSERT INTO sales.customer (id, version, name, credit_limit, address_country) VALUES
    ('${ID(1)}', 1, 'Anna', 10.50, 'DE'), ('${ID(2)}', 1, 'Bob', 99.00, 'FR')`,
  `INSERT INTO sales.product (id, version, name, sku, price, internal_note) VALUES ('${ID(3)}', 7, 'Chair', 'C-1', 49.90, 'hush')`,
  `INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount, placed_at) VALUES
    ('${ID(11)}', 1, 'A-1', '2026-01-01', 10, '${ID(1)}', 12345678901234567.89, '2026-01-01T10:00:00+02'),
    ('${ID(12)}', 1, 'A-2', '2026-01-02', 40, '${ID(2)}', NULL, NULL)`,
  `INSERT INTO sales.order_line (id, version, order_id, product_id, quantity) VALUES
    ('${ID(21)}', 1, '${ID(11)}', '${ID(3)}', 1.000), ('${ID(22)}', 1, '${ID(11)}', '${ID(3)}', 2.500)`,
  `INSERT INTO sales.line_discount (id, version, line_id, reason, percent) VALUES ('${ID(31)}', 1, '${ID(22)}', 'sale', 60.00)`,
  `INSERT INTO sales.product_tag (id, version, name) SELECT gen_random_uuid(), 1, 'tag ' || lpad(i::text, 5, '0') FROM generate_series(1, ${MANY}) i`,
];

let server: TestDatabase;
let database: Database;
let deps: ReadDependencies;
let running: RunningServer;

beforeAll(async () => {
  server = await cloneTestDatabase(schemaOf(sales.model), 'read');
  for (const statement of ROWS) await server.query(statement);
  database = createDatabase({
    url: server.url,
    maxConnections: 4,
    statementTimeoutMs: 60_000,
    applicationName: 'read-test',
  });
  deps = createReadDependencies({
    currentRoles: () => roles,
    application: sales,
    accessOf: createAccessDirectory(() => roles),
    database,
    cursors: createCursorCodec({ secret: 'test', ids: { next: () => crypto.randomUUID() } }),
    limitsOf: () => NO_REQUEST_LIMITS,
    limits: {
      maxFetchSize: () => MAX_FETCH_SIZE,
      inlineFetchPlansEnabled: true,
      maxBodyBytes: 1_000_000,
    },
  });
  running = await startServer(deps);
});

afterAll(async () => {
  await running?.close();
  await database?.close();
  await server?.drop();
});

const call = (user: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${running.url}/rest${path}`, { ...init, headers: { authorization: `Bearer ${user}`, ...init.headers } });
const json = async (user: string, path: string, init?: RequestInit): Promise<unknown> =>
  (await call(user, path, init)).json();
const names = async (user: string, path: string): Promise<unknown> =>
  ((await json(user, path)) as { _instanceName: string }[]).map((row) => row._instanceName);
const query = (parameters: Record<string, unknown>): string => {
  const entries = Object.entries(parameters);
  const texts = entries.map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  return new URLSearchParams(Object.fromEntries(texts)).toString();
};
const filter = (property: string, operator: string, value?: unknown): object => ({
  conditions: [{ property, operator, value }],
});

test('one instance has exact numbers, an entity tag and the headers of the contract', async () => {
  const response = await call('admin', `/entities/sales_Order/${ID(11)}?fetchPlan=_local`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  const text = await response.text();
  expect(text).toContain('"amount":12345678901234567.89');
  expect(text).toContain('"placedAt":"2026-01-01T08:00:00.000Z"');
  expect(text).toContain('"status":"NEW"');
  const tag = response.headers.get('etag') ?? '';
  expect(tag).toMatch(/^"1\.[\w-]{22}"$/);
  const again = await call('admin', `/entities/sales_Order/${ID(11)}?fetchPlan=_local`, {
    headers: { 'if-none-match': `W/"x", ${tag}` },
  });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
});

test('a missing instance returns 404 without a body; the 404 of an unknown entity names it', async () => {
  const missing = await call('admin', `/entities/sales_Order/${ID(99)}`);
  expect([missing.status, await missing.text()]).toEqual([404, '']);
  const unknown = await call('admin', '/entities/sales_Nothing/1');
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { error: 'Entity not found', details: 'Entity sales_Nothing not found' },
  ]);
});

test('a caller who may not read the entity gets no other error', async () => {
  const response = await call('viewer', '/entities/sales_Order?limit=abc');
  expect([response.status, await response.json()]).toEqual([
    403,
    { error: 'Reading forbidden', details: 'Reading of the sales_Order is forbidden' },
  ]);
});

// Asserts contract/reading.md#count.
test('a search by URL and by body have the same result, with the count of all on request', async () => {
  const members = {
    filter: filter('customer.name', 'startsWith', 'a'),
    fetchPlan: {
      entity: 'sales_Order',
      properties: ['number', { name: 'lines', fetchPlan: { properties: ['product', 'quantity'] } }],
    },
    sort: '-date',
    limit: 1,
    offset: 0,
    returnCount: true,
  };
  const byUrl = await call('admin', `/entities/sales_Order/search?${query(members)}`);
  const byBody = await call('admin', '/entities/sales_Order/search', { method: 'POST', body: JSON.stringify(members) });
  expect(byUrl.headers.get('x-total-count')).toBe('1');
  expect(byBody.headers.get('x-total-count')).toBe('1');
  const text = await byBody.text();
  expect(text).toBe(await byUrl.text());
  expect(text).toContain('"quantity":2.500');
  const count = await call('admin', '/entities/sales_Order/search/count', {
    method: 'POST',
    body: JSON.stringify({ filter: members.filter, limit: 'ignored' }),
  });
  expect([await count.text(), count.headers.get('content-type')]).toEqual(['1', 'application/json']);
});

// Asserts contract/errors.md#catalogue.
test.each([
  ['/entities/sales_Order/search', 'GET', undefined, 'Entities filter cannot be null'],
  ['/entities/sales_Order/search', 'POST', '{}', 'Entities filter cannot be null'],
  ['/entities/sales_Nothing/search', 'POST', '{"filter":"x"}', 'Entities filter must be a JSON object'],
  ['/entities/sales_Order/search', 'POST', '{filter:{}}', 'The request body is not valid JSON'],
  ['/entities/sales_Order/search', 'POST', '[]', 'The request body must be a JSON object'],
  ['/entities/sales_Order?limit=-1', 'GET', undefined, "Parameter 'limit' must be an integer that is not negative"],
  ['/entities/sales_Order?limit=1&limit=2', 'GET', undefined, "Parameter 'limit' must be given once"],
])('%s (%s %s) is refused with 400', async (path, method, body, details) => {
  const response = await call('admin', path, { method, ...(body === undefined ? {} : { body }) });
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ details })]);
});

test('a list of more than 1,000 roots is streamed completely and in order', async () => {
  const rows = (await json('admin', '/entities/sales_ProductTag?sort=name')) as { name: string }[];
  expect(rows).toHaveLength(MANY);
  expect(rows.map((row) => row.name)).toEqual(rows.map((row) => row.name).toSorted());
  expect(await json('admin', '/entities/sales_ProductTag?sort=name&limit=2000&offset=2499')).toHaveLength(1);
  expect(await json('admin', '/entities/sales_ProductTag?limit=2000&offset=9999')).toEqual([]);
});

// Asserts contract/decisions.md#9, contract/reading.md#paging.
test('a limit of zero returns an empty array with the right count', async () => {
  const response = await call('admin', '/entities/sales_ProductTag?limit=0&returnCount=true');
  expect([await response.json(), response.headers.get('x-total-count')]).toEqual([[], String(MANY)]);
});

// Asserts contract/roles.md#attributes-read.
test('row conditions and hidden attributes apply to lists, plans, filters and sorts', async () => {
  expect(await names('clerk', '/entities/sales_Order?sort=number')).toEqual(['A-1']);
  expect(await json('clerk', '/entities/sales_Customer?fetchPlan=_base')).toEqual([
    expect.not.objectContaining({ creditLimit: expect.anything() }),
  ]);
  const hidden = await call(
    'clerk',
    `/entities/sales_Customer/search?${query({ filter: filter('creditLimit', '>', 1) })}`,
  );
  expect([hidden.status, await hidden.json()]).toEqual([
    403,
    { error: 'Reading forbidden', details: 'Reading of the attribute sales_Customer.creditLimit is forbidden' },
  ]);
  expect((await call('clerk', `/entities/sales_Customer/${ID(2)}`)).status).toBe(404);
  const secret = await call(
    'admin',
    `/entities/sales_Product/search?${query({ filter: filter('internalNote', '=', 'hush') })}`,
  );
  expect(secret.status).toBe(400);
  expect(await (await call('admin', `/entities/sales_Product/${ID(3)}`)).text()).not.toContain('hush');
});

// Asserts contract/decisions.md#13, contract/row-policies.md#policies, contract/row-policies.md#reading.
test('predicate policies hide rows in lists, counts, single reads and collections', async () => {
  const list = await call('auditor', '/entities/sales_OrderLine?returnCount=true&sort=id&limit=5');
  expect([await list.json(), list.headers.get('x-total-count')]).toEqual([
    [expect.objectContaining({ id: ID(21) })],
    '1',
  ]);
  expect((await call('auditor', `/entities/sales_OrderLine/${ID(22)}`)).status).toBe(404);
  const plan = { entity: 'sales_Order', properties: ['lines', 'lineCount'] };
  expect(await json('auditor', `/entities/sales_Order/${ID(11)}?${query({ fetchPlan: plan })}`)).toMatchObject({
    lines: [{ id: ID(21) }],
    lineCount: 1,
  });
  expect(await json('admin', `/entities/sales_Order/${ID(11)}?${query({ fetchPlan: plan })}`)).toMatchObject({
    lineCount: 2,
  });
  const through = await call(
    'auditor',
    `/entities/sales_Order/search?${query({ filter: filter('lines.quantity', '>', 1) })}`,
  );
  expect(through.status).toBe(403);
  const all = query({ filter: filter('quantity', '>', 0) });
  expect(await json('auditor', `/entities/sales_OrderLine/search/count?${all}`)).toBe(1);
});

test('a data set has no limit, is NDJSON and ends with an end record', async () => {
  const response = await call('clerk', '/datasets', {
    method: 'POST',
    body: JSON.stringify({ entity: 'sales_ProductTag', sort: 'name', fetchPlan: '_local' }),
  });
  const lines = (await response.text()).trimEnd().split('\n');
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(lines).toHaveLength(MANY + 1);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ $end: MANY });
  expect((await call('viewer', '/datasets', { method: 'POST', body: '{"entity":"sales_Order"}' })).status).toBe(403);
});

test('an error after the first byte destroys the connection', async () => {
  const failing: Database = {
    ...database,
    query: database.query.bind(database),
    async *stream() {
      yield [{ pieces: [',{}'], lengths: [2] }] as never;
      // Waits until the client has received the head.
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('The database is gone');
    },
  };
  const broken = await startServer({ ...deps, database: failing });
  try {
    const response = await fetch(`${broken.url}/rest/entities/sales_ProductTag`, {
      headers: { authorization: 'Bearer admin' },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  } finally {
    await broken.close();
  }
});
