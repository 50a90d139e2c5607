// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of data sets have the form of template literals

import { randomUUID } from 'node:crypto';
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
import { createDatabase, type Database } from '@lintel/persistence';
import { createReadDependencies, NO_REQUEST_LIMITS, type RequestLimits } from '@lintel/reading';
import { createReportLogin, grantReportReader } from '@lintel/schema';
import {
  applicationRoles,
  createAccessDirectory,
  entityPolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { registerDatasetRoutes } from '../src/datasets/datasets.routes.ts';
import { schemaOf } from './schema-of.ts';

const Status = enumeration('d.Status', { OPEN: 10, CLOSED: 20 });
const application = defineApplication({
  id: 'd',
  name: 'Data sets',
  enums: [Status],
  entities: [
    standardEntity('d_Customer', {
      attributes: { name: string(50), country: string(2), note: string(50).secret(), phone: string(20).personal() },
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
    resourceRole('officer', {
      name: 'Officer',
      childRoles: ['all'],
      policies: [specificPolicy('personal.read.d_Customer')],
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

export const ID = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
/** The SQL data sets that the reports declare. */
export const DECLARED = {
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

/** Starts the internal listener with its own database; the token of a request is the name of a user. */
export async function startDatasets() {
  const server: TestDatabase = await cloneTestDatabase(schemaOf(application.model), 'datasets');
  for (const text of [
    `INSERT INTO d.customer (id, version, name, country, note, phone) VALUES
      ('${ID(1)}', 1, 'Anna', 'DE', 'hush', '555'), ('${ID(2)}', 1, 'Bob', 'FR', NULL, NULL)`,
    `INSERT INTO d."order" (id, version, number, day, placed, status, paid, customer_id) VALUES
      ('${ID(11)}', 1, 'A-1', '2026-01-01', '2026-01-01T10:00:00', 10, true, '${ID(1)}'),
      ('${ID(12)}', 1, 'A-2', '2026-01-02', NULL, 20, NULL, '${ID(1)}'),
      ('${ID(13)}', 1, 'B-1', '2026-01-03', NULL, 20, false, '${ID(2)}')`,
    `INSERT INTO d.line (id, version, order_id, product, amount) VALUES
      ('${ID(21)}', 1, '${ID(11)}', 'pen', 1.50), ('${ID(22)}', 1, '${ID(11)}', 'ink', 12345678901234567.89),
      ('${ID(23)}', 1, '${ID(11)}', 'pad', 3.00), ('${ID(24)}', 1, '${ID(13)}', 'pen', 2.00)`,
  ])
    await server.query(text);
  const options = { maxConnections: 2, statementTimeoutMs: 60_000, applicationName: 'datasets-test' };
  const owner = createDatabase({ ...options, url: server.url });
  // Database roles exist once per server, and other tests use the same server.
  const name = `report_${randomUUID().replaceAll('-', '')}`;
  const login = await createReportLogin(owner, server.url, 'report-test', name);
  const reader = createDatabase({ ...options, url: login, readOnly: true });
  await grantReportReader(owner, application.model);
  const statements: string[] = [];
  const http = await listenWith(owner, reader, statements);
  return {
    /** Texts of the statements that read rows, the latest last. */
    statements,
    query: server.query,
    /** The database of the login that runs SQL data sets. */
    login: name,
    async ask(body: object, user = 'boss') {
      const response = await fetch(`${http.url}/internal/datasets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user}` },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, text, lines: text.trimEnd().split('\n') };
    },
    async close() {
      await http.close();
      await reader.close();
      await owner.query({ text: `DROP ROLE ${name}`, values: [] });
      await owner.close();
      await server.drop();
    },
  };
}

/** The limits of every caller. */
export const LIMITS: RequestLimits = { ...NO_REQUEST_LIMITS, listValues: 100, planDepth: 5 };

export type DatasetsFixture = Awaited<ReturnType<typeof startDatasets>>;

async function listenWith(owner: Database, reader: Database, statements: string[]): Promise<RunningServer> {
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
    // Data sets have no pages.
    cursors: undefined as never,
    limitsOf: () => LIMITS,
    limits: {
      maxFetchSize: () => 1,
      inlineFetchPlansEnabled: false,
      maxBodyBytes: 1_000_000,
    },
  });
  return listen(
    createServiceApp({
      service: 'data-internal',
      internalSecret: undefined,
      logger: createLogger({ service: 'data', destination: { write: () => {} } }),
      readiness: {},
      configure: (app) => {
        const router = createRouter();
        router.use(
          authenticate({
            verifier: { verify: async (token) => ({ sub: token, sid: token, scope: 'rest-api' }) as never },
            loadSession: async (id) => sessionOf(id),
            audience: 'internal',
          }),
        );
        registerDatasetRoutes(router, {
          ...read,
          model: application.model,
          reportDatabase: countedReader,
          isDeclaredSql: async (text) => (Object.values(DECLARED) as readonly string[]).includes(text),
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
  resourceRoles: [{ limited: 'orders', officer: 'officer' }[id] ?? 'all'],
  rowLevelRoles: id === 'german' ? ['german'] : [],
  locale: null,
  attributes: {},
  createdAt: '2026-01-01T00:00:00Z',
});
