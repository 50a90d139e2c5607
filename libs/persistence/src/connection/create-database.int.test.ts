import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import type { Database } from '../database.ts';
import { createDatabase } from './create-database.ts';
import type { DatabaseOptions } from './database-options.ts';

let server: TestDatabase;
const open: Database[] = [];

const connect = (options: Partial<DatabaseOptions> = {}): Database => {
  const database = createDatabase({
    url: server.url,
    maxConnections: 4,
    statementTimeoutMs: 60_000,
    applicationName: 'test',
    ...options,
  });
  open.push(database);
  return database;
};

const backendsRunning = async (text: string): Promise<number> => {
  const [row] = await server.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query = $1`,
    [text],
  );
  return Number(row?.count);
};

beforeAll(async () => {
  server = await createTestDatabase('persistence');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()));
});
afterAll(() => server.drop());

test('numbers and times that JavaScript cannot hold stay the text of the database', async () => {
  const [row] = await connect().query({
    name: 'exact',
    text: `SELECT 9007199254740993::bigint AS long, 12345678901234567890.10::numeric AS decimal, 10.50::numeric(19,2) AS price,
      DATE '2026-02-28' AS day, TIMESTAMP(3) '2026-02-28 10:00:00.120' AS moment,
      TIMESTAMPTZ '2026-02-28 10:00:00+02' AS instant, TIME(0) '10:00' AS time,
      '{"b": 1.10, "a": 9007199254740993}'::json AS json, $1::uuid AS id`,
    values: ['6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11'],
  });
  expect(row).toEqual({
    long: '9007199254740993',
    decimal: '12345678901234567890.10',
    price: '10.50',
    day: '2026-02-28',
    moment: '2026-02-28 10:00:00.12',
    instant: '2026-02-28 08:00:00+00',
    time: '10:00:00',
    json: '{"b": 1.10, "a": 9007199254740993}',
    id: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11',
  });
});

test('values that JavaScript holds exactly are converted', async () => {
  const [row] = await connect().query({
    text: `SELECT true AS yes, 7::smallint AS short, -2147483648 AS int, 1.5::double precision AS double, NULL::int AS nothing,
      ARRAY['a', NULL, 'b,c']::text[] AS texts, '\\x00ff'::bytea AS bytes`,
    values: [],
  });
  expect(row).toEqual({
    yes: true,
    short: 7,
    int: -2147483648,
    double: 1.5,
    nothing: null,
    texts: ['a', null, 'b,c'],
    bytes: Buffer.from([0, 255]),
  });
});

test('results do not depend on the settings of the server', async () => {
  await server.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET TimeZone = ''Asia/Tokyo''', current_database()); END $$`,
  );
  const [row] = await connect().query({ text: `SELECT TIMESTAMPTZ '2026-01-01 00:00Z' AS at`, values: [] });
  expect(row).toEqual({ at: '2026-01-01 00:00:00+00' });
});

test('options in the URL are kept, after those of the platform', async () => {
  const url = new URL(server.url);
  url.searchParams.set('options', '-c work_mem=7MB');
  const [row] = await connect({ url: url.href }).query({
    text: `SELECT current_setting('work_mem') AS memory, current_setting('TimeZone') AS zone,
      current_setting('statement_timeout') AS timeout, current_setting('application_name') AS name`,
    values: [],
  });
  expect(row).toEqual({ memory: '7MB', zone: 'UTC', timeout: '1min', name: 'test' });
});

test('a named statement is prepared once per connection and survives an error', async () => {
  const database = connect({ maxConnections: 1 });
  const half = (value: number) => ({ name: 'half', text: 'SELECT 10 / $1::int AS half', values: [value] });
  await expect(database.query(half(2))).resolves.toEqual([{ half: 5 }]);
  await expect(database.query(half(0))).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
    database: { sqlState: '22012' },
  });
  await expect(database.query(half(5))).resolves.toEqual([{ half: 2 }]);
  const prepared = await database.query({ text: 'SELECT name FROM pg_prepared_statements', values: [] });
  expect(prepared).toEqual([{ name: 'half' }]);
});

test('after a change of the schema a prepared statement works again on a new connection', async () => {
  const database = connect({ maxConnections: 1 });
  await server.query('CREATE TABLE retyped (value int)');
  const read = { name: 'read-retyped', text: 'SELECT value FROM retyped', values: [] };
  await expect(database.query(read)).resolves.toEqual([]);
  await server.query('ALTER TABLE retyped ALTER COLUMN value TYPE text');
  await expect(database.query(read)).rejects.toMatchObject({ database: { sqlState: '0A000' } });
  await expect(database.query(read)).resolves.toEqual([]);
});

test('a statement that runs too long is ended by the database', async () => {
  const database = connect({ statementTimeoutMs: 100 });
  await expect(database.query({ text: 'SELECT pg_sleep(5)', values: [] })).rejects.toMatchObject({
    code: 'DATA_TIMEOUT',
    status: 503,
  });
});

test('an aborted statement rejects at once, is cancelled in the database, and its connection is used again', async () => {
  const database = connect({ maxConnections: 1, statementTimeoutMs: 120_000 });
  const text = 'SELECT pg_sleep(110)';
  const abort = new AbortController();
  const running = database.query({ text, values: [] }, abort.signal);
  await eventually(async () => expect(await backendsRunning(text)).toBe(1));
  const reason = new Error('the client left');
  abort.abort(reason);
  await expect(running).rejects.toBe(reason);
  await eventually(async () => expect(await backendsRunning(text)).toBe(0));
  await expect(database.query({ text: 'SELECT 1 AS one', values: [] })).resolves.toEqual([{ one: 1 }]);
  expect(database.metrics()).toEqual({ total: 1, idle: 1, waiting: 0 });
});

test('an abort that arrives before the server runs the statement cancels it too', async () => {
  const database = connect({ maxConnections: 1, statementTimeoutMs: 120_000 });
  await database.query({ text: 'SELECT 1', values: [] });
  for (let steps = 0; steps < 60; steps += 1) {
    const abort = new AbortController();
    const running = database.query({ text: 'SELECT pg_sleep(100)', values: [] }, abort.signal);
    const aborted = expect(running).rejects.toMatchObject({ name: 'AbortError' });
    for (let step = 0; step < steps % 20; step += 1) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await aborted;
    await eventually(() => expect(database.metrics()).toMatchObject({ idle: database.metrics().total }));
  }
});

test('cancelling one statement never hits the next one on its connection', async () => {
  const database = connect({ maxConnections: 1 });
  for (let round = 0; round < 40; round += 1) {
    const abort = new AbortController();
    const cancelled = database
      .query({ text: 'SELECT pg_sleep(0.004)', values: [] }, abort.signal)
      .catch(() => 'aborted');
    setTimeout(() => abort.abort(), round % 8);
    await cancelled;
    await expect(database.query({ text: 'SELECT pg_sleep(0.002)', values: [] })).resolves.toHaveLength(1);
  }
});

test('a statement that is aborted while it waits for a connection is never sent', async () => {
  const database = connect({ maxConnections: 1 });
  await server.query('CREATE TABLE waited (id int)');
  const busy = database.query({ text: 'SELECT pg_sleep(0.3)', values: [] });
  const abort = new AbortController();
  const waiting = database.query({ text: 'INSERT INTO waited VALUES (1)', values: [] }, abort.signal);
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await busy;
  await expect(database.query({ text: 'SELECT * FROM waited', values: [] })).resolves.toEqual([]);
});

test('a signal that was aborted before is refused without a connection', async () => {
  const database = connect();
  await expect(database.query({ text: 'SELECT 1', values: [] }, AbortSignal.abort())).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(database.metrics().total).toBe(0);
});

test('a read-only database refuses to write', async () => {
  const database = connect({ readOnly: true });
  await expect(database.query({ text: 'CREATE TABLE refused (id int)', values: [] })).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
    database: { sqlState: '25006' },
  });
});

test('statements wait where all connections are in use', async () => {
  const database = connect({ maxConnections: 2 });
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, number) => database.query({ text: 'SELECT $1::int AS number', values: [number] })),
  );
  expect(results.map(([row]) => row?.['number'])).toEqual(Array.from({ length: 50 }, (_, number) => number));
  expect(database.metrics().total).toBe(2);
});

test('a database that is not there is unavailable, and not ready', async () => {
  const database = connect({ url: 'postgres://nobody@127.0.0.1:9/nothing' });
  await expect(database.query({ text: 'SELECT 1', values: [] })).rejects.toMatchObject({
    code: 'DATA_UNAVAILABLE',
    status: 503,
    retryable: true,
  });
  await expect(database.isReady()).resolves.toBe(false);
});

test('it is ready while every connection is busy', async () => {
  const database = connect({ maxConnections: 1 });
  const abort = new AbortController();
  const text = 'SELECT pg_sleep(50) /* busy */';
  const busy = expect(database.query({ text, values: [] }, abort.signal)).rejects.toThrow();
  await eventually(async () => expect(await backendsRunning(text)).toBe(1));
  await eventually(async () => expect(await database.isReady()).toBe(true));
  expect(await backendsRunning(text)).toBe(1);
  abort.abort();
  await busy;
});

test('violations name the constraint and the table', async () => {
  const database = connect();
  await server.query('CREATE TABLE parent (id int CONSTRAINT pk_parent PRIMARY KEY)');
  await server.query(
    'CREATE TABLE child (id int NOT NULL, parent int CONSTRAINT fk_child REFERENCES parent, name varchar(3))',
  );
  await server.query('INSERT INTO parent VALUES (1)');
  const run = (text: string) => database.query({ text, values: [] });
  await expect(run('INSERT INTO parent VALUES (1)')).rejects.toMatchObject({
    code: 'DATA_UNIQUE_VIOLATION',
    status: 409,
    database: { sqlState: '23505', schema: 'public', table: 'parent', constraint: 'pk_parent' },
  });
  await expect(run('INSERT INTO child VALUES (1, 2)')).rejects.toMatchObject({
    code: 'DATA_REFERENCE_VIOLATION',
    status: 409,
    database: { table: 'child', constraint: 'fk_child' },
  });
  await expect(run('INSERT INTO child (parent) VALUES (1)')).rejects.toMatchObject({
    code: 'DATA_VALIDATION_FAILED',
    status: 400,
    database: { table: 'child', column: 'id' },
  });
  await expect(run(`INSERT INTO child VALUES (1, 1, 'long')`)).rejects.toMatchObject({
    code: 'DATA_VALIDATION_FAILED',
  });
  await expect(run('INSERT INTO child VALUES (99999999999)')).rejects.toMatchObject({ code: 'DATA_VALIDATION_FAILED' });
  await expect(
    database.query({ text: 'INSERT INTO child (id, name) VALUES (1, $1)', values: ['a\u0000b'] }),
  ).rejects.toMatchObject({ code: 'DATA_VALIDATION_FAILED', database: { sqlState: '22021' } });
});
