import { defineApplication, loadQueries, predefinedQuery } from '@lintel/application';
import {
  buildModel,
  decimal,
  integer,
  json,
  keyedEntity,
  keylessEntity,
  manyToMany,
  standardEntity,
  string,
  textForm,
  toMany,
  toOne,
} from '@lintel/metadata';
import { compareWithModel, detectDrift, runMigrations } from '@lintel/schema';
import {
  entityPolicy,
  modifyAttributes,
  predicatePolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';

const TABLES = `
  CREATE TABLE customer (id integer PRIMARY KEY, name varchar(50) NOT NULL, city varchar(50));
  CREATE VIEW local_customer AS SELECT id, name FROM customer WHERE city = 'Oulu';
  CREATE MATERIALIZED VIEW city_total AS SELECT city, count(*)::integer AS customers FROM customer GROUP BY city;
  CREATE TABLE reading (sensor varchar(20), value numeric(10,2), secret varchar(20), extra jsonb);
  CREATE VIEW new_customer AS SELECT id, name FROM customer;
  CREATE TABLE part (code varchar(9) PRIMARY KEY, label varchar(9) UNIQUE, stock integer CHECK (stock >= 0),
    owner integer REFERENCES customer, span int4range, EXCLUDE USING gist (span WITH &&));
  CREATE VIEW shown_part AS SELECT owner AS holder, span AS period, code AS number, label AS name, stock AS amount FROM part;
  ALTER VIEW shown_part RENAME COLUMN name TO title;
  CREATE VIEW "Old part" AS SELECT number AS "No", amount AS "The {amount}", holder, period AS "{", title FROM shown_part
    WHERE EXISTS (SELECT code AS "No", stock AS "The amount" FROM part);
  ALTER VIEW "Old part" RENAME COLUMN "{" TO period;
  CREATE TABLE visit (id integer PRIMARY KEY, customer_id integer);
  INSERT INTO customer VALUES (1, 'Ada', 'Oulu'), (2, 'Ben', 'Turku'), (3, 'Cid', 'Oulu');
  INSERT INTO visit VALUES (1, 1), (2, 3);
  INSERT INTO reading VALUES ('b', 1.5, 'z', '{"n": 1}'), ('a', 2, 'y', NULL), ('a', 1, 'x', NULL), ('c', NULL, 'w', NULL),
    ('a', 1, 'x', NULL);
  REFRESH MATERIALIZED VIEW city_total`;

const at = (name: string) => ({ schema: 'public', name });

const application = defineApplication({
  id: 'v',
  name: 'Views',
  entities: [
    keyedEntity('v_LocalCustomer', {
      key: 'id',
      view: at('local_customer'),
      attributes: { id: integer(), name: string(50).mandatory(), visits: toMany('v_Visit', 'customer') },
      instanceName: ['name'],
    }),
    keyedEntity('v_CityTotal', {
      key: 'city',
      view: at('city_total'),
      attributes: { city: string(50), customers: integer() },
    }),
    keyedEntity('v_NewCustomer', {
      key: 'id',
      view: { ...at('new_customer'), writable: true },
      attributes: { id: integer(), name: string(50).mandatory() },
    }),
    keyedEntity('v_Part', {
      key: 'code',
      table: at('part'),
      attributes: { code: string(9), label: string(9).unique() },
    }),
    keyedEntity('v_OldPart', {
      key: 'number',
      view: { ...at('Old part'), writable: true },
      attributes: {
        number: string(9).column('No'),
        amount: integer().column('The {amount}'),
        holder: integer(),
        period: textForm('int4range'),
        title: string(9),
      },
    }),
    keyedEntity('v_Visit', {
      key: 'id',
      table: at('visit'),
      attributes: { id: integer(), customer: toOne('v_LocalCustomer') },
    }),
    keylessEntity('v_Reading', {
      table: at('reading'),
      attributes: { sensor: string(20), value: decimal(10, 2), secret: string(20), extra: json() },
    }),
    keylessEntity('v_ReadingName', {
      table: at('reading'),
      attributes: { sensor: string(20), value: decimal(10, 2) },
      instanceName: ['{sensor}', ': ', '{value}'],
    }),
  ],
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      policies: [entityPolicy('v_OldPart', 'create', 'read'), modifyAttributes('v_OldPart', '*')],
    }),
    resourceRole('reader', {
      name: 'Reader',
      policies: [entityPolicy('v_Reading', 'read'), viewAttributes('v_Reading', 'sensor', 'value')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('above-one', {
      name: 'Above one',
      policies: [
        predicatePolicy('v_Reading', {
          actions: ['read'],
          dependsOn: ['value'],
          test: ({ value }) => Number(value) > 1,
        }),
      ],
    }),
    rowLevelRole('only-a', { name: 'Only a', policies: [queryPolicy('v_Reading', `{E}.sensor = 'a'`)] }),
  ],
});

let database: TestDatabase;
let data: Awaited<ReturnType<typeof startDataOn>>;
beforeAll(async () => {
  database = await createTestDatabase('views');
  await database.query(TABLES);
  await runMigrations({ url: database.url, migrations: [] });
  data = await startDataOn(database, application, {
    ada: { resourceRoles: ['system-full-access'] },
    reader: { resourceRoles: ['reader', 'rest-minimal'] },
    clerk: { resourceRoles: ['clerk', 'rest-minimal'] },
    tested: { resourceRoles: ['system-full-access'], rowLevelRoles: ['above-one'] },
    limited: { resourceRoles: ['system-full-access'], rowLevelRoles: ['only-a'] },
  });
});
afterAll(async () => {
  await data.close();
  await database.drop();
});

const send = (method: string, path: string, body?: unknown, user = 'ada') =>
  data.send(user, method, path, body, { 'content-type': 'application/json' });
const list = async (path: string, user = 'ada') => {
  const { status, text, json } = await send('GET', `/entities/${path}`, undefined, user);
  expect([status, text]).toEqual([200, expect.stringMatching(/^\[/)]);
  return json();
};
const where = (property: string, operator: string, value: unknown): string =>
  `filter=${encodeURIComponent(JSON.stringify({ conditions: [{ property, operator, value }] }))}`;

test.each([
  [{ title: 'one' }, 409, 'Entity v_OldPart: another instance has the same title'],
  [{ id: 'p1' }, 409, 'Entity v_OldPart with id p1 already exists'],
  [{ period: '[4,6)' }, 409, 'Entity v_OldPart: the values of period and those of another instance exclude each other'],
  [{ holder: 9 }, 409, 'Entity v_OldPart: holder refers to an instance that does not exist'],
  [{ amount: -1 }, 400, '"path":"amount"'],
])(
  'a constraint of the table below writable views is named by the attribute of the view: %j',
  async (part, status, text) => {
    await database.query(`INSERT INTO part VALUES ('p1', 'one', 1, 1, '[1,5)') ON CONFLICT DO NOTHING`);
    const created = await send('POST', '/entities/v_OldPart', { id: 'p2', title: 'two', amount: 1, ...part }, 'clerk');
    expect([created.status, created.text]).toEqual([status, expect.stringContaining(text)]);
  },
);

describe('a view with a key', () => {
  test('is read as a table, by id, in lists, with filters and references in both directions', async () => {
    expect((await send('GET', '/entities/v_LocalCustomer/3')).json()).toMatchObject({ id: 3, _instanceName: 'Cid' });
    expect((await send('GET', '/entities/v_LocalCustomer/2')).status).toBe(404);
    expect(await list('v_CityTotal?sort=city')).toMatchObject([
      { id: 'Oulu', customers: 2 },
      { id: 'Turku', customers: 1 },
    ]);
    const plan = { properties: ['name', { name: 'visits', fetchPlan: { properties: [] } }] };
    const path = `v_LocalCustomer/search?${where('visits.id', '=', 2)}&fetchPlan=${encodeURIComponent(JSON.stringify({ entity: 'v_LocalCustomer', ...plan }))}`;
    expect(await list(path)).toMatchObject([{ name: 'Cid', visits: [{ id: 2 }] }]);
    expect(await list(`v_Visit/search?${where('customer.name', '=', 'Ada')}`)).toMatchObject([{ id: 1 }]);
  });

  test('is read-only', async () => {
    expect((await send('POST', '/entities/v_LocalCustomer', { id: 9, name: 'x' })).status).toBe(405);
    expect((await send('DELETE', '/entities/v_CityTotal/Oulu')).status).toBe(405);
  });

  test('is written if the model says that PostgreSQL can write it', async () => {
    expect((await send('POST', '/entities/v_NewCustomer', { id: 7, name: 'Dee' })).status).toBe(201);
    expect((await send('PUT', '/entities/v_NewCustomer/7', { name: 'Dea' })).status).toBe(200);
    expect(await database.query('SELECT name FROM customer WHERE id = 7')).toEqual([{ name: 'Dea' }]);
    expect((await send('DELETE', '/entities/v_NewCustomer/7')).status).toBe(204);
    expect(await database.query('SELECT name FROM customer WHERE id = 7')).toEqual([]);
  });
});

describe('a table without a key', () => {
  test('is a list of rows without id, in a stable order of pages', async () => {
    const row = { _entityName: 'v_Reading', _instanceName: 'v_Reading', sensor: 'a', value: 1, secret: 'x' };
    expect(await list('v_Reading?limit=2')).toEqual([row, row]);
    expect((await list('v_Reading?limit=2&offset=2')).map(({ secret }: { secret: string }) => secret)).toEqual([
      'y',
      'z',
    ]);
    expect(await list('v_Reading?sort=-value&limit=2')).toMatchObject([{ sensor: 'c' }, { sensor: 'a', value: 2 }]);
    expect(await list('v_ReadingName?limit=1')).toMatchObject([{ _instanceName: 'a: 1.00' }]);
    expect(await list('v_Reading?fetchPlan=_local')).toHaveLength(5);
  });

  test('is filtered, counted and restricted', async () => {
    expect(await list(`v_Reading/search?${where('value', '>', 1)}`)).toHaveLength(2);
    const count = await send('POST', '/entities/v_Reading/search/count', {
      filter: { conditions: [{ property: 'sensor', operator: '=', value: 'a' }] },
    });
    expect(count.text).toBe('3');
    expect((await send('GET', '/queries/v_Reading/all?limit=2')).json()).toHaveLength(2);
    expect(await list('v_Reading', 'limited')).toHaveLength(3);
    expect(await list('v_Reading?limit=5', 'tested')).toHaveLength(2);
    expect(await list('v_Reading?limit=1', 'reader')).toEqual([
      { _entityName: 'v_Reading', _instanceName: 'v_Reading', sensor: 'a', value: 1 },
    ]);
    expect((await send('GET', '/entities/v_Reading?limit=2&returnCount=true')).headers.get('x-total-count')).toBe('5');
  });

  test('has no instances to find, and is not written', async () => {
    const found = await send('GET', '/entities/v_Reading/1');
    expect([found.status, found.json()]).toEqual([
      404,
      { error: 'Entity not found', details: 'v_Reading has no key: its rows are only in lists' },
    ]);
    for (const [method, path, body] of [
      ['POST', '/entities/v_Reading', { sensor: 'x' }],
      ['PUT', '/entities/v_Reading/1', { sensor: 'x' }],
      ['PUT', '/entities/v_Reading', [{ id: 1 }]],
      ['DELETE', '/entities/v_Reading/1', undefined],
      ['DELETE', '/entities/v_Reading', [1]],
    ] as const) {
      const { status, text } = await send(method, path, body);
      expect([method, status, text]).toEqual([method, 405, expect.stringContaining('v_Reading is read-only')]);
    }
    expect((await send('GET', '/entities/v_Reading?limit=1&cursor=AAAA')).status).toBe(400);
  });
});

test.each([
  ['a filter by id', 'GET', `/entities/v_Reading/search?${where('id', '=', 1)}`, undefined, 400],
  ['a sort by id', 'GET', '/entities/v_Reading?sort=id', undefined, 400],
  [
    'a plan with id',
    'POST',
    '/entities/v_Reading/search',
    { filter: { conditions: [] }, fetchPlan: { entity: 'v_Reading', properties: ['id'] } },
    400,
  ],
  ['dynamic attributes', 'GET', '/entities/v_Reading?dynamicAttributes=true', undefined, 200],
  ['changes', 'GET', '/entities/v_Reading/changes', undefined, 404],
])('%s of an entity without a key is no error of the server', async (_, method, path, body, expected) => {
  expect((await send(method, path, body)).status).toBe(expected);
});

test('the documents have the lists and no operations on single rows', async () => {
  const { paths } = (await send('GET', '/docs/openapiDetailed.json')).json();
  expect(Object.keys(paths['/rest/entities/v_Reading'])).toEqual(['get']);
  expect(paths['/rest/entities/v_Reading/{entityId}']).toBeUndefined();
  expect(Object.keys(paths['/rest/entities/v_LocalCustomer/{entityId}'])).toEqual(['get']);
  expect((await send('GET', '/metadata/entities/v_Reading')).status).toBe(200);
});

test('drift compares the columns of views', async () => {
  const drift = async () =>
    (await detectDrift({ url: database.url, model: application.model, migrations: [] })).findings.filter(
      ({ table, severity }) => table.startsWith('public.') && severity === 'problem',
    );
  expect(await drift()).toEqual([]);
  await database.query('DROP VIEW local_customer');
  await database.query('CREATE VIEW local_customer AS SELECT id::text, name FROM customer');
  expect(await drift()).toMatchObject([
    { kind: 'different', table: 'public.local_customer', name: 'id', expected: 'integer', actual: 'text' },
  ]);
});

test('migrations leave views alone, and create references to them without foreign keys', async () => {
  const own = standardEntity('v_Note', {
    attributes: { customer: toOne('v_LocalCustomer'), others: manyToMany('v_LocalCustomer') },
  });
  const entities = [...application.entities.filter(({ name }) => name.startsWith('v_')), own];
  const { up } = await compareWithModel({ url: database.url, model: buildModel({ entities }), migrations: [] });
  const statements = up.join('\n');
  expect(statements).toMatch(/CREATE TABLE "v"\."note"/);
  expect(statements).not.toMatch(/local_customer"? \(|REFERENCES "public"|city_total|reading/);
});

// Asserts contract/reading.md#without-key.
test('a query cannot select from an entity without a key', async () => {
  const all = predefinedQuery('v_Reading', 'some', { text: 'select e from v_Reading e' });
  await expect(
    loadQueries({ ...application, queries: [all] }, [], () => Promise.reject(new Error('none'))),
  ).rejects.toThrow(/v_Reading has no key: a query cannot select from it/);
});

test('security tokens are made for rows without a key, too', async () => {
  const users = { ada: { resourceRoles: ['system-full-access'] } };
  const tokens = await startDataOn(database, application, users, {
    'svc.core.entity-serialization-token-required': 'true',
    'svc.core.entity-serialization-token-encryption-key': 'k'.repeat(32),
  });
  try {
    const [row] = (await tokens.send('ada', 'GET', '/entities/v_Reading?limit=1')).json();
    expect(row).toMatchObject({ sensor: 'a', value: 1 });
  } finally {
    await tokens.close();
  }
});
