import { defineApplication } from '@lintel/application';
import {
  arrayOf,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  offsetDateTime,
} from '@lintel/metadata';
import { runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { type DataFixture, startDataOn } from '../data-fixture.ts';

const TABLE = `CREATE TABLE contract (id integer PRIMARY KEY, note integer, day date, local timestamp, moment timestamptz, fine timestamptz(6), days date[]);
  INSERT INTO contract VALUES (1, 1, 'infinity', 'infinity', 'infinity', 'infinity', '{infinity,2026-01-01}'),
    (2, 1, '-infinity', '-infinity', '-infinity', '-infinity', NULL),
    (3, 1, '0044-03-15 BC', '0044-03-15 10:00 BC', '0044-03-15 10:00:00+00 BC', '0044-03-15 10:00:00+00 BC', '{0044-03-15 BC}'),
    (4, 1, '12026-01-01', '12026-01-01 10:00', '12026-01-01 10:00:00+00', '12026-01-01 10:00:00+00', NULL),
    (5, 1, '2026-01-01', '2026-01-01 10:00', '2026-01-01 10:00:00+00', '2026-01-01 10:00:00+00', NULL);
  CREATE TABLE era (id integer PRIMARY KEY, day date, local timestamp, moment timestamptz);
  INSERT INTO era VALUES (1, '4713-01-01 BC', '4713-01-01 00:00 BC', '4713-01-01 00:00:00+00 BC'),
    (2, '294275-12-31', '294275-12-31 23:59:59.999', '294275-12-31 23:59:59.999+00');
  CREATE TABLE price (item integer, until timestamp, amount integer, PRIMARY KEY (item, until));
  INSERT INTO price VALUES (1, 'infinity', 5);
  CREATE TABLE person (id integer PRIMARY KEY, kind varchar(31) NOT NULL, hired timestamp, note integer);
  INSERT INTO person VALUES (1, 'staff', '-infinity', 1)`;

const localTimestamp = () => localDateTime().storedAs('timestamp without time zone');

const application = defineApplication({
  id: 'm',
  name: 'M',
  entities: [
    keyedEntity('m_Contract', {
      key: 'id',
      table: { schema: 'public', name: 'contract' },
      attributes: {
        id: integer(),
        note: integer(),
        day: localDate(),
        local: localTimestamp(),
        moment: offsetDateTime().storedAs('timestamp with time zone'),
        fine: offsetDateTime().microseconds().storedAs('timestamp(6) with time zone'),
        days: arrayOf(localDate()),
      },
      instanceName: ['{day}', ' / ', '{local}', ' / ', '{moment}'],
    }),
    keyedEntity('m_Era', {
      key: 'id',
      table: { schema: 'public', name: 'era' },
      attributes: {
        id: integer(),
        day: localDate(),
        local: localTimestamp(),
        moment: offsetDateTime().storedAs('timestamp with time zone'),
      },
    }),
    embeddable('m_PriceKey', { attributes: { item: integer().mandatory(), until: localTimestamp().mandatory() } }),
    keyedEntity('m_Price', {
      key: 'id',
      table: { schema: 'public', name: 'price' },
      attributes: { id: embedded('m_PriceKey').columnPrefix(''), amount: integer() },
    }),
    keyedEntity('m_Person', {
      key: 'id',
      abstract: true,
      table: { schema: 'public', name: 'person' },
      inheritance: { strategy: 'single-table', discriminator: 'kind', storedAs: 'varchar(31)' },
      attributes: { id: integer(), note: integer() },
    }),
    keyedEntity('m_Employee', {
      key: 'id',
      extends: 'm_Person',
      discriminatorValue: 'staff',
      attributes: { hired: localTimestamp() },
    }),
  ],
});

let database: TestDatabase;
let data: DataFixture;
beforeAll(async () => {
  database = await createTestDatabase('moments');
  await database.query(TABLE);
  await runMigrations({ url: database.url, migrations: [] });
  data = await startDataOn(database, application, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(async () => {
  await data?.close();
  await database.drop();
});

const ROWS = [
  ['infinity', 'infinity', 'infinity', 'infinity'],
  ['-infinity', '-infinity', '-infinity', '-infinity'],
  ['0044-03-15 BC', '0044-03-15T10:00:00.000 BC', '0044-03-15T10:00:00.000Z BC', '0044-03-15T10:00:00.000000Z BC'],
  ['12026-01-01', '12026-01-01T10:00:00.000', '12026-01-01T10:00:00.000Z', '12026-01-01T10:00:00.000000Z'],
  ['2026-01-01', '2026-01-01T10:00:00.000', '2026-01-01T10:00:00.000Z', '2026-01-01T10:00:00.000000Z'],
] as const;
const NAMES = ['day', 'local', 'moment', 'fine'] as const;

const send = (method: string, path: string, body?: unknown) =>
  data.send('admin', method, `/entities/m_Contract${path}`, body);
const stored = () =>
  database.query('SELECT id, day::text, local::text, moment::text, fine::text, days::text FROM contract ORDER BY id');
const search = async (property: string, operator: string, value: string, more = '') => {
  const filter = encodeURIComponent(JSON.stringify({ conditions: [{ property, operator, value }] }));
  const { status, json } = await send('GET', `/search?sort=id&filter=${filter}${more}`);
  return status === 200 ? json().map(({ id }: { id: number }) => id) : [status, json().details];
};

// Asserts contract/instances.md#unbounded.
test('infinite values and other years are read in one form, which writes accept and leave as it is', async () => {
  const before = await stored();
  for (const [at, row] of ROWS.entries()) {
    const path = `/${at + 1}?fetchPlan=${encodeURIComponent(`{"entity":"m_Contract","properties":["note","days",${NAMES.map((name) => `"${name}"`)}]}`)}`;
    const instance = (await send('GET', path)).json();
    expect(NAMES.map((name) => instance[name])).toEqual(row);
    expect((await send('PUT', path, { ...instance, note: 2 })).status).toBe(200);
    expect((await send('PUT', `/${at + 1}`, { note: 3 })).status).toBe(200);
  }
  expect(await stored()).toEqual(before);
});

test('the first and the last years are written as they were read', async () => {
  const text = 'SELECT id, day::text, local::text, moment::text FROM era ORDER BY id';
  const before = await database.query(text);
  for (const row of (await data.send('admin', 'GET', '/entities/m_Era?fetchPlan=_local')).json()) {
    const path = `/entities/m_Era/${row.id}`;
    const cleared = await data.send('admin', 'PUT', path, { day: null, local: null, moment: null });
    expect([row.id, cleared.status, cleared.text]).toEqual([row.id, 200, expect.stringContaining('"id"')]);
    const written = await data.send('admin', 'PUT', path, row);
    expect([written.status, written.text]).toEqual([200, expect.stringContaining('"id"')]);
  }
  expect(await database.query(text)).toEqual(before);
});

test('filters, sorts and pages work with them', async () => {
  for (const [at, name] of NAMES.entries()) {
    for (const [index, row] of ROWS.entries()) expect(await search(name, '=', `${row[at]}`)).toEqual([index + 1]);
    expect(await search(name, '>', `${ROWS[4][at]}`)).toEqual([1, 4]);
    expect(await search(name, '<', `${ROWS[2][at]}`)).toEqual([2]);
    const ids: number[] = [];
    for (let path: string | undefined = `?sort=${name}&limit=2&cursor=`; path !== undefined; ) {
      const page: { json(): { id: number }[]; headers: Headers } = await send('GET', path);
      ids.push(...page.json().map(({ id }) => id));
      path = /\?[^>]*/.exec(/<[^>]*>; rel="next"/.exec(page.headers.get('link') ?? '')?.[0] ?? '')?.[0];
    }
    expect(ids).toEqual([2, 3, 5, 4, 1]);
  }
});

test('rows get such values, and an error about another text names the attribute', async () => {
  const values = {
    day: 'infinity',
    local: '0001-01-01T00:00:00.000 BC',
    moment: '-infinity',
    fine: '99999-12-31T00:00:00.000000Z',
    days: ['-infinity', '0044-03-15 BC'],
  };
  expect((await send('POST', '', { id: 6, ...values })).status).toBe(201);
  expect((await stored()).at(-1)).toMatchObject({
    day: 'infinity',
    local: '0001-01-01 00:00:00 BC',
    days: '{-infinity,"0044-03-15 BC"}',
  });
  for (const [name, text] of [
    ['day', '0044-02-30 BC'],
    ['day', '0044-03-15T10:00:00.000 BC'],
    ['local', '0044-03-15 BC'],
    ['moment', '9999999-01-01T00:00:00.000Z'],
    ['day', 'Infinity'],
  ]) {
    const refused = await send('PUT', '/6', { [name as string]: text });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`${name}`)]);
    expect((await search(name as string, '=', text as string))[0]).toBe(400);
  }
});

test('keys of several columns and descendants in the table of their root have them, too', async () => {
  const get = async (entity: string) =>
    (await data.send('admin', 'GET', `/entities/${entity}?fetchPlan=_local`)).json();
  expect(await get('m_Employee')).toMatchObject([{ id: 1, hired: '-infinity' }]);
  const [price] = await get('m_Price');
  expect(price).toMatchObject({ id: { item: 1, until: 'infinity' }, amount: 5 });
  const path = `/entities/m_Price/${Buffer.from(JSON.stringify(price.id)).toString('base64url')}`;
  expect((await data.send('admin', 'PUT', path, { amount: 6 })).status).toBe(200);
  expect((await data.send('admin', 'PUT', '/entities/m_Employee/1', { note: 2 })).status).toBe(200);
  expect(await database.query('SELECT until::text, amount, hired::text, note FROM price, person')).toEqual([
    { until: 'infinity', amount: 6, hired: '-infinity', note: 2 },
  ]);
});

test('instance names have them in the form of the language, infinite ones as they are', async () => {
  const rows = (await send('GET', '?fetchPlan=_instance_name&sort=id&limit=4')).json();
  expect(rows.map(({ _instanceName }: { _instanceName: string }) => _instanceName)).toEqual([
    'infinity / infinity / infinity',
    '-infinity / -infinity / -infinity',
    '15/03/0044 BC / 15/03/0044 10:00 BC / 15/03/0044 10:00 +0000 BC',
    '01/01/12026 / 01/01/12026 10:00 / 01/01/12026 10:00 +0000',
  ]);
});
