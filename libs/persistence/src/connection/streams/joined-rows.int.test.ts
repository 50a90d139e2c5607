import { createTestDatabase, eventually, startTcpProxy, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import type { Database, JoinedRows, Statement, StreamOptions } from '../../database.ts';
import { createDatabase } from '../create-database.ts';
import { textsOf } from './joined-rows.ts';

let server: TestDatabase;
let database: Database;

const connect = (url: string, statementTimeoutMs = 120_000): Database =>
  createDatabase({ url, maxConnections: 1, statementTimeoutMs, applicationName: 'test' });

beforeAll(async () => {
  server = await createTestDatabase('persistence');
});
beforeEach(() => {
  database = connect(server.url);
});
afterEach(() => database.close());
afterAll(() => server.drop());

/** The texts of the batches, read by the driver. */
async function textsOfDriver(statement: Statement, options: StreamOptions): Promise<string[][]> {
  const batches = await Array.fromAsync(database.stream<{ json: string }>(statement, options));
  return batches.map((rows) => rows.map(({ json }) => json));
}

/** The same as bytes. */
async function joinedTexts(statement: Statement, options: StreamOptions, from = database): Promise<string[][]> {
  const batches = from.stream<JoinedRows>(statement, { ...options, joinsRows: true });
  return (await Array.fromAsync(batches)).map((rows) => rows.flatMap(textsOf));
}

const SELECT = 'SELECT json FROM unnest($1::text[]) AS json';

/** The connection has no statement, and is used again. */
async function expectFree(): Promise<void> {
  await eventually(() => expect(database.metrics()).toEqual({ total: 1, idle: 1, waiting: 0 }));
  await expect(joinedTexts({ text: SELECT, values: [['next']] }, { batchSize: 5 })).resolves.toEqual([['next']]);
}

test('the bytes are those of the texts that the driver reads, in the same batches', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }).map((one) => one.replaceAll('\0', '')),
    fc.constantFrom('', '😀\u2028"\\', 'é'.repeat(40_000), 'x'.repeat(200_000)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      async (texts, batchSize, isNamed) => {
        const statement = { ...(isNamed ? { name: 'named' } : {}), text: SELECT, values: [texts] };
        expect(await joinedTexts(statement, { batchSize })).toEqual(await textsOfDriver(statement, { batchSize }));
      },
    ),
    cases(40),
  );
});

test('a row of many packets has all of its bytes', async () => {
  const text = "SELECT repeat('ä', 3000000) AS json FROM generate_series(1, 3)";
  for await (const [rows] of database.stream<JoinedRows>({ text, values: [] }, { batchSize: 2, joinsRows: true })) {
    for (const length of rows?.lengths ?? []) expect(length).toBe(6_000_000);
    expect(rows?.pieces.every((piece) => piece.length <= 32_768)).toBe(true);
    expect(rows === undefined ? [] : [...new Set(textsOf(rows).join(''))]).toEqual(['ä']);
  }
  await expectFree();
});

test('the rows of the first statement are read as usual', async () => {
  const first = { text: 'SELECT 1 AS one, NULL AS none', values: [] };
  const options = { batchSize: 2, first, joinsRows: true };
  const [ends, ...batches] = await Array.fromAsync(
    database.stream<object>({ text: SELECT, values: [['a', 'b', 'c']] }, options),
  );
  expect(ends).toEqual([{ one: 1, none: null }]);
  expect(batches.map((rows) => (rows as JoinedRows[]).flatMap(textsOf))).toEqual([['a', 'b'], ['c']]);
  await expectFree();
});

const FAILING = {
  text: "SELECT repeat('x', 20000) || 1 / (20 - number) AS json FROM generate_series(1, 30) AS number",
  values: [],
};

test('an error after some rows is reported as usual, and no row of it appears later', async () => {
  const division = { database: { sqlState: '22012' } };
  await expect(textsOfDriver(FAILING, { batchSize: 50 })).rejects.toMatchObject(division);
  await expect(joinedTexts(FAILING, { batchSize: 50 })).rejects.toMatchObject(division);
  await expectFree();
  await expect(joinedTexts(FAILING, { batchSize: 7 })).rejects.toMatchObject(division);
  await expectFree();
});

const SLOW = {
  text: "SELECT repeat('x', 20000) || CASE WHEN number > 20 THEN pg_sleep(110)::text ELSE '' END AS json FROM generate_series(1, 30) AS number",
  values: [],
};

test('an abort between rows cancels the statement', async () => {
  const abort = new AbortController();
  const options = { batchSize: 20, signal: abort.signal };
  const read = async (): Promise<void> => {
    for await (const _ of database.stream(SLOW, { ...options, joinsRows: true })) setTimeout(() => abort.abort(), 100);
  };
  await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
  await expectFree();
});

test('a fetch that takes too long is cancelled', async () => {
  const impatient = connect(server.url, 1_000);
  await expect(joinedTexts(SLOW, { batchSize: 25 }, impatient)).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
  const next = { text: SELECT, values: [['next']] };
  await expect(joinedTexts(next, { batchSize: 5 }, impatient)).resolves.toEqual([['next']]);
  await impatient.close();
});

test('a consumer that leaves early frees the connection', async () => {
  const statement = { text: SELECT, values: [Array.from({ length: 100 }, (_, at) => `row ${at}`)] };
  for await (const _ of database.stream(statement, { batchSize: 10, joinsRows: true })) break;
  await expectFree();
});

test('a connection that is lost between the rows of a batch is unavailable', async () => {
  const { hostname, port } = new URL(server.url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const url = new URL(server.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const lost = connect(url.href);
  const read = async (): Promise<void> => {
    for await (const _ of lost.stream(SLOW, { batchSize: 20, joinsRows: true }))
      setTimeout(() => proxy.cutConnections(), 100);
  };
  await expect(read()).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  await expect(joinedTexts({ text: SELECT, values: [['next']] }, { batchSize: 5 }, lost)).resolves.toEqual([['next']]);
  await lost.close();
  await proxy.close();
});

test('a statement of several columns is refused, and its connection closed', async () => {
  const two = { text: "SELECT 'a' AS json, 'b' AS other", values: [] };
  await expect(joinedTexts(two, { batchSize: 5 })).rejects.toThrow();
  await expect(joinedTexts({ text: SELECT, values: [['next']] }, { batchSize: 5 })).resolves.toEqual([['next']]);
});

test('a text that is no valid UTF-8 is refused by the server, as for the driver', async () => {
  const name = `${new URL(server.url).pathname.slice(1)}_bytes`;
  await server.query(
    `CREATE DATABASE "${name}" ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
  );
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const unchecked = connect(url.href);
  try {
    const statement = { text: "SELECT chr(255) || 'A' AS json", values: [] };
    const invalid = { database: { sqlState: '22021' } };
    await expect(unchecked.query(statement)).rejects.toMatchObject(invalid);
    await expect(joinedTexts(statement, { batchSize: 5 }, unchecked)).rejects.toMatchObject(invalid);
  } finally {
    await unchecked.close();
    await server.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  }
});
