// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of data sets look like placeholders
import { defineApplication } from '@lintel/application';
import type { Session } from '@lintel/contracts';
import { authenticate, createRouter, createServiceApp, listen, type RunningServer } from '@lintel/http';
import {
  boolean,
  compositionOfMany,
  decimal,
  enumeration,
  enumOf,
  localDate,
  localDateTime,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import {
  createDatabase,
  createReportLogin,
  createSchemaFromModel,
  type Database,
  grantReportReader,
} from '@lintel/persistence';
import {
  applicationRoles,
  createAccessDirectory,
  entityPolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';
import { createLogger } from '@lintel/telemetry';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createReadDependencies } from '../entities/read-dependencies.ts';
import { registerDatasetRoutes } from './datasets.routes.ts';

const Status = enumeration('d.Status', { OPEN: 10, CLOSED: 20 });
const application = defineApplication({
  id: 'd',
  name: 'Data sets',
  enums: [Status],
  entities: [
    standardEntity('d_Customer', {
      attributes: { name: string(50), country: string(2), note: string(50).secret() },
      instanceName: ['name'],
    }),
    standardEntity('d_Order', {
      attributes: {
        number: string(10),
        day: localDate(),
        placed: localDateTime(),
        status: enumOf(Status),
        paid: boolean(),
        customer: toOne('d_Customer'),
        lines: compositionOfMany('d_Line', 'order'),
      },
      instanceName: ['number'],
    }),
    standardEntity('d_Line', { attributes: { order: toOne('d_Order'), product: string(20), amount: decimal(19, 2) } }),
  ],
  roles: [
    resourceRole('all', {
      name: 'All',
      policies: ['d_Customer', 'd_Order', 'd_Line'].flatMap((entity) => [
        entityPolicy(entity, 'read'),
        viewAttributes(entity, '*'),
      ]),
    }),
    resourceRole('orders', {
      name: 'Orders',
      policies: [entityPolicy('d_Order', 'read'), viewAttributes('d_Order', 'number')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('german', {
      name: 'German',
      policies: [
        queryPolicy('d_Customer', "{E}.country = 'DE'"),
        queryPolicy('d_Order', "{E}.customer.country = 'DE'"),
      ],
    }),
  ],
});

const ID = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const DECLARED = {
  orders: `select o.id, o.number as orderNumber, o.day, o.placed, o.status, o.paid, o.version
    from d."order" o where o.day >= \${from} and o.status = \${status} and o.id in (\${ids})
    [[and o.number like \${mask}]] order by o.number;`,
  lines: `select l.product, l.amount, \${Root.name} as x from d.line l
    where l.order_id = \${Orders.id} and l.amount >= \${least} order by l.amount desc limit 2`,
  secret: 'select note from d.customer',
  users: 'select * from pg_authid',
  writes: "delete from d.customer where name = 'Anna' returning id",
  several: 'select 1 as one; drop table d.line',
  broken: 'selec',
  twice: 'select 1 as a, 2 as a',
  comment: 'select 1 as one -- the end',
  escapes: "select set_config('role', 'none', false) as role, current_user::text as who",
} as const;

let server: TestDatabase;
let owner: Database;
let reader: Database;
let http: RunningServer;
const statements: string[] = [];

beforeAll(async () => {
  server = await createTestDatabase('datasets');
  await createSchemaFromModel(server.url, application.model);
  for (const text of [
    `INSERT INTO d.customer (id, version, name, country, note) VALUES
      ('${ID(1)}', 1, 'Anna', 'DE', 'hush'), ('${ID(2)}', 1, 'Bob', 'FR', NULL)`,
    `INSERT INTO d."order" (id, version, number, day, placed, status, paid, customer_id) VALUES
      ('${ID(11)}', 1, 'A-1', '2026-01-01', '2026-01-01T10:00:00', 10, true, '${ID(1)}'),
      ('${ID(12)}', 1, 'A-2', '2026-01-02', NULL, 20, NULL, '${ID(1)}'),
      ('${ID(13)}', 1, 'B-1', '2026-01-03', NULL, 20, false, '${ID(2)}')`,
    `INSERT INTO d.line (id, version, order_id, product, amount) VALUES
      ('${ID(21)}', 1, '${ID(11)}', 'pen', 1.50), ('${ID(22)}', 1, '${ID(11)}', 'ink', 12345678901234567.89),
      ('${ID(23)}', 1, '${ID(11)}', 'pad', 3.00), ('${ID(24)}', 1, '${ID(13)}', 'pen', 2.00)`,
  ])
    await server.query(text);
  const options = { maxConnections: 2, statementTimeoutMs: 5_000, applicationName: 'datasets-test' };
  owner = createDatabase({ ...options, url: server.url });
  reader = createDatabase({
    ...options,
    url: await createReportLogin(owner, server.url, 'report-test'),
    readOnly: true,
  });
  await grantReportReader(owner, application.model);
  http = await startServer();
}, 60_000);

afterAll(async () => {
  await http?.close();
  await reader?.close();
  await owner?.close();
  await server?.drop();
});
beforeEach(() => {
  statements.length = 0;
});

async function startServer(): Promise<RunningServer> {
  const roles = applicationRoles(application);
  const counted: Pick<Database, 'query' | 'stream'> = {
    query: (statement, signal) => {
      statements.push(statement.text);
      return owner.query(statement, signal);
    },
    stream: (statement, options) => {
      statements.push(statement.text);
      return owner.stream(statement, options);
    },
  };
  const countedReader: Database = {
    ...owner,
    describe: (statement, signal) => reader.describe(statement, signal),
    stream: (statement, options) => {
      statements.push(statement.text);
      return reader.stream(statement, options);
    },
  };
  const read = createReadDependencies({
    application,
    currentRoles: () => roles,
    accessOf: createAccessDirectory(() => roles),
    database: counted,
    cursors: { seal: () => '', open: () => undefined } as never,
    limits: {
      maxFetchSize: () => 1,
      inlineFetchPlansEnabled: false,
      serverTimingEnabled: false,
      maxBodyBytes: 1_000_000,
    },
  });
  return listen(
    createServiceApp({
      service: 'data-internal',
      logger: createLogger({ service: 'data', destination: { write: () => {} } }),
      readiness: {},
      configure: (app) => {
        const router = createRouter();
        router.use(
          authenticate({
            verifier: { verify: async (token) => ({ sub: token, sid: token }) as never },
            loadSession: async (id) => sessionOf(id),
            audience: 'internal',
          }),
        );
        registerDatasetRoutes(router, {
          ...read,
          model: application.model,
          reportDatabase: countedReader,
          isDeclaredSql: (text) => (Object.values(DECLARED) as readonly string[]).includes(text),
        });
        app.use('/internal', router);
      },
    }),
    { host: '127.0.0.1', port: 0 },
  );
}

const sessionOf = (id: string): Session => ({
  id,
  username: id,
  userId: null,
  clientId: 'c',
  kind: 'user',
  resourceRoles: id === 'limited' ? ['orders'] : ['all'],
  rowLevelRoles: id === 'german' ? ['german'] : [],
  locale: null,
  attributes: {},
  createdAt: '2026-01-01T00:00:00Z',
});

async function ask(body: object, user = 'boss') {
  const response = await fetch(`${http.url}/internal/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, lines: text.trimEnd().split('\n') };
}

describe('a query as a data set', () => {
  const TOTALS = `select o.number as number, sum(l.amount) as total, o.status as status, o.day as day
    from d_Line l join l.order o where o.day >= \${from} and o.customer.country = \${country}
    [[and o.status in \${statuses}]] group by o.number, o.status, o.day order by o.number`;
  const values = {
    from: { type: 'localDate', value: '2026-01-01' },
    country: { value: 'DE' },
    statuses: { type: 'd.Status', value: [] },
  };

  test('answers values with their types, exactly', async () => {
    const { status, lines } = await ask({ query: TOTALS, values });
    expect([status, lines]).toEqual([
      200,
      [
        '{"$columns":[{"name":"number","type":"string"},{"name":"total","type":"decimal"},' +
          '{"name":"status","type":"string","enumName":"d.Status"},{"name":"day","type":"localDate"}]}',
        '{"number":"A-1","total":12345678901234572.39,"status":"OPEN","day":"2026-01-01"}',
        '{"$end":1}',
      ],
    ]);
  });

  test('binds constants of enums, and texts as what they are compared with', async () => {
    const closed = { ...values, country: { value: 'FR' }, statuses: { type: 'd.Status', value: ['CLOSED'] } };
    expect((await ask({ query: TOTALS, values: closed })).text).toContain('"number":"B-1"');
    const byId = 'select o.number as number from d_Order o where o.id = ${id} and o.id in ${ids}';
    const ids = { id: { value: ID(12) }, ids: { value: [ID(12), ID(13)] } };
    expect((await ask({ query: byId, values: ids })).lines[1]).toBe('{"number":"A-2"}');
  });

  test('leaves out conditions about missing values', async () => {
    const { lines } = await ask({ query: TOTALS, values: { ...values, country: { value: null } } });
    expect(lines.slice(1).map((line) => JSON.parse(line).number)).toEqual(['A-1', 'B-1', undefined]);
  });

  test('answers instances by their fetch plan, with empty attributes', async () => {
    const query = 'select o from d_Order o where o.number = ${number}';
    const fetchPlan = { properties: ['number', 'placed', 'paid', 'customer.name'] };
    const { lines } = await ask({ query, values: { number: { value: 'A-2' } }, fetchPlan });
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      _entityName: 'd_Order',
      _instanceName: 'A-2',
      id: ID(12),
      number: 'A-2',
      placed: null,
      paid: null,
      customer: { _entityName: 'd_Customer', _instanceName: 'Anna', id: ID(1), name: 'Anna' },
    });
  });

  test('answers the rows for all parents in one statement, each parent in the order of the query', async () => {
    const query = `select l.product as product from d_Line l
      where l.order.id = \${Orders.id} and l.amount >= \${least} order by l.product desc`;
    const parents = { fields: [{ name: 'Orders.id' }], rows: [[ID(13)], [ID(12)], [null], [ID(11)], [ID(13)]] };
    const { lines } = await ask({ query, values: { least: { type: 'decimal', value: '1.6' } }, parents });
    expect(lines.slice(1)).toEqual([
      '{"$at":0}',
      '{"product":"pen"}',
      '{"$at":3}',
      '{"product":"pad"}',
      '{"product":"ink"}',
      '{"$at":4}',
      '{"product":"pen"}',
      '{"$end":4}',
    ]);
    expect(statements).toHaveLength(1);
  });

  test('answers instances for all parents, whose fields may be enums', async () => {
    const query = 'select o from d_Order o where o.status = ${A.status} order by o.number';
    const parents = { fields: [{ name: 'A.status', type: 'd.Status' }], rows: [['CLOSED'], ['OPEN']] };
    const { lines } = await ask({ query, values: {}, parents, fetchPlan: { properties: ['number'] } });
    expect(lines.map((line) => JSON.parse(line)).map((row) => row.number ?? row.$at ?? 'end')).toEqual([
      0,
      'A-2',
      'B-1',
      1,
      'A-1',
      'end',
    ]);
  });

  test('patterns that know no case find any', async () => {
    const query = 'select c.name as name from d_Customer c where c.name like ${mask}';
    expect((await ask({ query, values: { mask: { value: '(?i)A%' } } })).lines[1]).toBe('{"name":"Anna"}');
    expect((await ask({ query, values: { mask: { value: 'a%' } } })).lines[1]).toBe('{"$end":0}');
  });

  test('obeys row-level policies and attribute rights of the caller', async () => {
    const query = 'select o.number as number from d_Order o order by o.number';
    expect((await ask({ query, values: {} }, 'german')).lines.slice(1)).toEqual([
      '{"number":"A-1"}',
      '{"number":"A-2"}',
      '{"$end":2}',
    ]);
    const hidden = 'select o.number as number from d_Order o where o.day = ${day}';
    expect((await ask({ query: hidden, values: { day: { value: '2026-01-01' } } }, 'limited')).status).toBe(403);
    expect((await ask({ query: 'select l.product as p from d_Line l', values: {} }, 'limited')).status).toBe(403);
  });

  test.each([
    ['secret attributes', 'select c.note as note from d_Customer c', 'note'],
    ['an unknown attribute', 'select c.none as note from d_Customer c', 'none'],
    ['bad syntax', 'select from', 'line 1'],
    ['a placeholder without a value', 'select c.name as n from d_Customer c where c.name = ${who}', 'who'],
    ['a value of another type', 'select c.name as n from d_Customer c where c.id = ${bad}', "'x' is no"],
  ])('refuses %s', async (_, query, details) => {
    const { status, text } = await ask({ query, values: { bad: { value: 'x' } } });
    expect([status, text]).toEqual([400, expect.stringContaining(details)]);
  });
});

describe('SQL as a data set', () => {
  const values = {
    from: { type: 'localDate', value: '2026-01-01' },
    status: { type: 'd.Status', value: null },
    ids: { value: [ID(11), ID(12)] },
    mask: { value: null },
  };

  test('answers rows with the types of the database, and labels as the text spells them', async () => {
    const { lines } = await ask({ sql: DECLARED.orders, values });
    expect(lines).toEqual([
      '{"$columns":[{"name":"id","type":"uuid"},{"name":"ordernumber","type":"string","label":"orderNumber"},' +
        '{"name":"day","type":"localDate"},{"name":"placed","type":"localDateTime"},{"name":"status","type":"int"},' +
        '{"name":"paid","type":"boolean"},{"name":"version","type":"int"}]}',
      `{"id":"${ID(11)}","ordernumber":"A-1","day":"2026-01-01","placed":"2026-01-01T10:00:00","status":10,"paid":true,"version":1}`,
      `{"id":"${ID(12)}","ordernumber":"A-2","day":"2026-01-02","placed":null,"status":20,"paid":null,"version":1}`,
      '{"$end":2}',
    ]);
  });

  test('binds ids of enum constants, and never puts a value into the text', async () => {
    const closed = { ...values, status: { type: 'd.Status', value: 'CLOSED' }, mask: { value: "A'; drop table x --" } };
    expect((await ask({ sql: DECLARED.orders, values: closed })).lines[1]).toBe('{"$end":0}');
    expect(statements.join()).not.toContain('drop table');
    const found = { ...closed, mask: { value: '(?i)a-_' } };
    expect((await ask({ sql: DECLARED.orders, values: found })).lines[1]).toContain('A-2');
  });

  test('answers the rows for all parents in one statement', async () => {
    const parents = {
      fields: [{ name: 'Orders.id' }, { name: 'Root.name' }],
      rows: [
        [ID(11), 'first'],
        [ID(12), null],
        [ID(13), 'last'],
      ],
    };
    const { lines } = await ask({ sql: DECLARED.lines, values: { least: { type: 'decimal', value: '1' } }, parents });
    expect(lines.slice(1)).toEqual([
      '{"$at":0}',
      '{"product":"ink","amount":12345678901234567.89,"x":"first"}',
      '{"product":"pad","amount":3.00,"x":"first"}',
      '{"$at":2}',
      '{"product":"pen","amount":2.00,"x":"last"}',
      '{"$end":3}',
    ]);
    expect(statements).toHaveLength(1);
  });

  test('ends at a comment', async () => {
    expect((await ask({ sql: DECLARED.comment, values: {} })).lines[1]).toBe('{"one":1}');
  });

  test.each([
    ['a text that nobody declared', 'select 1', 'belongs to no report'],
    ['secret attributes', DECLARED.secret, '42501'],
    ['tables that are not of the application', DECLARED.users, '42501'],
    ['statements that write', DECLARED.writes, '42'],
    ['several statements', DECLARED.several, '42601'],
    ['bad syntax', DECLARED.broken, '42601'],
    ['two columns of one name', DECLARED.twice, 'Two columns have the name a'],
  ])('refuses %s', async (_, sql, details) => {
    const { status, text } = await ask({ sql, values: {} });
    expect([status, text]).toEqual([400, expect.stringContaining(details)]);
    expect(await server.query('select count(*)::int as n from d.line')).toEqual([{ n: 4 }]);
  });

  test('stays the login that may only read, whatever the text does', async () => {
    const { lines } = await ask({ sql: DECLARED.escapes, values: {} });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ who: 'lintel_report' });
    expect((await ask({ sql: DECLARED.secret, values: {} })).status).toBe(400);
  });
});
