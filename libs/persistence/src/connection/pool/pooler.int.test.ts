import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { type PgBouncer, startPgBouncer } from '@lintel/testkit/backends';
import type { Database } from '../../database.ts';
import { assertDatabase } from '../assert-database.ts';
import { createDatabase } from '../create-database.ts';
import type { DatabaseOptions } from '../database-options.ts';

let server: TestDatabase;
let pooler: PgBouncer;
const open: Database[] = [];

beforeAll(async () => {
  server = await createTestDatabase('pooler');
  pooler = await startPgBouncer({ serverUrl: server.url });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()));
});
afterAll(async () => {
  await pooler.dispose();
  await server.drop();
});

function connect(options: Partial<DatabaseOptions> = {}): Database {
  const database = createDatabase({
    url: pooler.through(server.url),
    pooler: 'transaction',
    maxConnections: 10,
    statementTimeoutMs: 10_000,
    applicationName: 'pooled',
    ...options,
  });
  open.push(database);
  return database;
}

const SETTINGS = `SELECT current_setting('TimeZone') AS zone, current_setting('IntervalStyle') AS interval,
  current_setting('jit') AS jit, current_setting('statement_timeout') AS timeout, current_setting('work_mem') AS memory`;
const EXPECTED = { zone: 'UTC', interval: 'iso_8601', jit: 'off', timeout: '10s', memory: '5MB' };
const memory = { workBytes: 5 * 1024 * 1024, temporaryFileBytes: 0 };

test('every statement has the settings of the service, and no other client gets them', async () => {
  const database = connect({ memory });
  const name = 'settings';
  const found = await Promise.all(
    Array.from({ length: 30 }, () => database.query({ name, text: SETTINGS, values: [] })),
  );
  expect(found).toEqual(Array.from({ length: 30 }, () => [EXPECTED]));
  const inside = await database.transaction(async (transaction) => {
    transaction.send({ text: 'CREATE TABLE IF NOT EXISTS written (id int)', values: [] });
    return transaction.query({ name, text: SETTINGS, values: [] });
  });
  expect(inside).toEqual([EXPECTED]);
  const streamed: unknown[] = [];
  const first = { name, text: SETTINGS, values: [] };
  const second = { name: 'settings2', text: `${SETTINGS}, 1 AS one`, values: [] };
  for await (const rows of database.stream(second, { batchSize: 1, first })) streamed.push(...rows);
  expect(streamed).toEqual([
    { ...EXPECTED, timeout: '0' },
    { ...EXPECTED, timeout: '0', one: 1 },
  ]);
  const others = connect({ statementTimeoutMs: 7_000 });
  const [other] = await others.query<{ timeout: string }>({ text: SETTINGS, values: [] });
  expect(other).toMatchObject({ timeout: '7s', memory: '4MB' });
});

test('settings of the URL are those of each transaction', async () => {
  const url = `${pooler.through(server.url)}?options=${encodeURIComponent('-c application_name=my\\ name --search-path=a,b')}`;
  const text = `SELECT current_setting('application_name') AS name, current_setting('search_path') AS path`;
  await expect(connect({ url }).query({ text, values: [] })).resolves.toEqual([{ name: 'my name', path: 'a,b' }]);
});

test('named statements are not prepared, and run in any session', async () => {
  const database = connect();
  const run = (at: number) =>
    database.query({ name: `number_${at % 5}`, text: `SELECT $1::int + ${at % 5} AS sum`, values: [at] });
  const found = await Promise.all(Array.from({ length: 200 }, (_, at) => run(at)));
  expect(found.flat()).toEqual(Array.from({ length: 200 }, (_, at) => ({ sum: at + (at % 5) })));
});

test('a transaction that sets its isolation level has the settings too', async () => {
  const database = connect({ memory });
  const level = await database.transaction(async (transaction) => {
    transaction.send({ text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', values: [] });
    return transaction.query({ text: `${SETTINGS}, current_setting('transaction_isolation') AS level`, values: [] });
  });
  expect(level).toEqual([{ ...EXPECTED, level: 'serializable' }]);
});

test('a read-only database refuses to write, and others may write through the same sessions', async () => {
  const insert = { text: 'CREATE TABLE refused (id int)', values: [] };
  const readOnly = connect({ readOnly: true });
  for (let round = 0; round < 5; round += 1)
    await expect(readOnly.query(insert)).rejects.toMatchObject({ database: { sqlState: '25006' } });
  await expect(connect().query(insert)).resolves.toEqual([]);
});

test('an aborted statement is cancelled in the session that runs it, and no other one', async () => {
  const database = connect();
  const text = 'SELECT pg_sleep(60) /* cancelled */';
  const others = database.query({ text: 'SELECT pg_sleep(1)', values: [] });
  const abort = new AbortController();
  const running = database.query({ text, values: [] }, abort.signal);
  const count = async () =>
    (
      await server.query(
        `SELECT FROM pg_stat_activity WHERE query = $1 AND state = 'active' AND pid <> pg_backend_pid()`,
        [text],
      )
    ).length;
  await eventually(async () => expect(await count()).toBe(1));
  abort.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await eventually(async () => expect(await count()).toBe(0));
  await expect(others).resolves.toHaveLength(1);
});

test('cancelling one statement never hits the next one', async () => {
  const database = connect({ maxConnections: 4 });
  const text = 'SELECT pg_sleep(0.004)';
  for (let round = 0; round < 30; round += 1) {
    const abort = new AbortController();
    const cancelled = database.query({ text, values: [] }, abort.signal).catch(() => 'aborted');
    setTimeout(() => abort.abort(), round % 8);
    await Promise.all([cancelled, database.query({ text: 'SELECT pg_sleep(0.003)', values: [] })]);
    await expect(database.query({ text: 'SELECT pg_sleep(0.002)', values: [] })).resolves.toHaveLength(1);
  }
});

test('lists that are streamed and left early return their sessions', async () => {
  const database = connect();
  const statement = { name: 'long_list', text: 'SELECT n FROM generate_series(1, 10000) n', values: [] };
  const read = async (at: number): Promise<number> => {
    let count = 0;
    for await (const rows of database.stream(statement, { batchSize: 500 })) {
      count += rows.length;
      if (at % 2 === 0) break;
    }
    return count;
  };
  const counts = await Promise.all(Array.from({ length: 12 }, (_, at) => read(at)));
  expect(counts).toEqual(Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 500 : 10_000)));
});

test('a statement is described, and a wrong one leaves nothing in the session', async () => {
  const database = connect({ maxConnections: 1 });
  for (let round = 0; round < 5; round += 1) {
    await expect(
      database.describe({ text: 'SELECT $1::date AS day, 1::bigint AS number -- end', values: ['2026-01-01'] }),
    ).resolves.toEqual({
      parameterTypes: ['date'],
      columns: [
        { name: 'day', type: 'date' },
        { name: 'number', type: 'bigint' },
      ],
    });
    await expect(database.describe({ text: 'SELECT nothing', values: [] })).rejects.toMatchObject({
      database: { sqlState: '42703' },
    });
  }
  await expect(database.query({ text: 'SELECT name FROM pg_prepared_statements', values: [] })).resolves.toEqual([]);
});

test('without a direct URL a listener polls, with one it is notified at once', async () => {
  const [polling, notified] = [connect(), connect({ directUrl: server.url })];
  const wakes = { polling: 0, notified: 0 };
  const listeners = await Promise.all([
    polling.listen('news', () => {
      wakes.polling += 1;
    }),
    notified.listen('news', () => {
      wakes.notified += 1;
    }),
  ]);
  await polling.query({ text: "SELECT pg_notify('news', '')", values: [] });
  await eventually(async () => expect(wakes.notified).toBe(1));
  await eventually(async () => expect(wakes.polling).toBeGreaterThan(0));
  await Promise.all(listeners.map((listener) => listener.close()));
});

describe('the start', () => {
  const start = (options: Partial<Parameters<typeof assertDatabase>[0]> = {}) =>
    assertDatabase({ url: pooler.through(server.url), applicationName: 'check', ...options });

  test('fails where the pooler refuses the settings of a session, and is not named', async () => {
    await expect(start()).rejects.toThrow(/refuses settings of a session: set svc.datasource.pooler=transaction/);
  });

  test('fails where the pooler ignores them', async () => {
    const silent = await startPgBouncer({
      serverUrl: server.url,
      settings: { ignore_startup_parameters: 'options,statement_timeout,idle_in_transaction_session_timeout' },
    });
    try {
      await expect(start({ url: silent.through(server.url) })).rejects.toThrow(
        'svc.datasource.url leads to a pooler (such as PgBouncer), not to PostgreSQL itself: set svc.datasource.pooler=transaction',
      );
    } finally {
      await silent.dispose();
    }
  });

  test('fails where statements shall stay prepared, and the pooler does not manage them', async () => {
    // Version 1.18 has no such setting, and cannot manage them.
    const plain = await startPgBouncer({ serverUrl: server.url });
    try {
      const url = plain.through(server.url);
      await expect(start({ url, pooler: 'transaction', preparedStatements: true })).rejects.toThrow(
        /does not manage prepared statements: set svc.datasource.prepared-statements=false/,
      );
    } finally {
      await plain.dispose();
    }
  });

  test('succeeds with a pooler that is named, without one, and while the server is not there', async () => {
    await start({ pooler: 'transaction' });
    await start({ url: server.url });
    await start({ url: server.url, pooler: 'transaction', preparedStatements: false });
    await start({ url: 'postgres://a:b@127.0.0.1:1/none' });
  });
});
