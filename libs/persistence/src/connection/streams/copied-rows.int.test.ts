import { createTestDatabase, eventually, startTcpProxy, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import type { Database, JoinedRows, Statement, StreamOptions } from '../../database.ts';
import { createDatabase } from '../create-database.ts';

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

const copy = (types: readonly string[] = [], format = 'FORMAT csv'): StreamOptions => ({
  batchSize: 1,
  copies: { format, types },
  separator: '\n',
});
const CSV = copy();

const textOf = (batches: readonly JoinedRows[]): string =>
  Buffer.from(batches.flatMap(({ pieces }) => pieces).join(''), 'latin1').toString('utf8');

async function copied(statement: Statement, options = CSV, from = database): Promise<string> {
  const batches = await Array.fromAsync(from.stream<JoinedRows>(statement, options));
  return textOf(batches.flat());
}

/** The connection has no statement, and is used again. */
async function expectFree(from = database): Promise<void> {
  await eventually(() => expect(from.metrics()).toEqual({ total: 1, idle: 1, waiting: 0 }));
  await expect(copied({ text: 'SELECT $1::text', values: ['next'] }, copy(['text']), from)).resolves.toBe('\nnext');
}

test('values reach the statement as the parameters do that are bound, whatever they contain', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((one) => one.replaceAll('\0', '')),
    fc
      .array(fc.constantFrom("'", '"', '\\', '$1', '$2::text', '--', ';', '/*', 'E', "''", '\n', '::', '😀', 'é'), {
        maxLength: 12,
      })
      .map((parts) => parts.join('')),
    fc.constant(null),
  );
  const text = `SELECT to_json($1::text), $2::int, to_json($3::text[]), '$1::text' AS "a $2::text ""'", E'\\n', $1::text`;
  await fc.assert(
    fc.asyncProperty(value, fc.integer(), fc.array(value, { maxLength: 4 }), async (one, number, list) => {
      const statement = { text, values: [one, number, list] };
      const [row] = await database.query<Record<string, unknown>>({
        text: `SELECT concat(E'\\n', to_json(r)) AS line FROM (${text}) r (a, b, c, d, e, f)`,
        values: statement.values,
      });
      const wrapped = `SELECT to_json(r) FROM (${text}) r (a, b, c, d, e, f)`;
      const plain = copy(['text', 'int', 'text[]'], "FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'");
      expect(await copied({ ...statement, text: wrapped }, plain)).toBe(row?.['line']);
    }),
    cases(150),
  );
});

test('a statement without values, without rows and with rows that are empty', async () => {
  await expect(copied({ text: 'SELECT 1 WHERE false', values: [] })).resolves.toBe('');
  await expect(copied({ text: 'SELECT NULL::text FROM generate_series(1, 3)', values: [] })).resolves.toBe('\n\n\n');
  await expectFree();
});

test('memory is bounded however many rows there are, and however long they are', async () => {
  const text = "SELECT repeat('ä', 2000000) || number AS text FROM generate_series(1, 4) AS number";
  let bytes = 0;
  for await (const [rows] of database.stream<JoinedRows>({ text, values: [] }, CSV)) {
    const size = (rows?.pieces ?? []).reduce((sum, piece) => sum + piece.length, 0);
    expect(size).toBeLessThan(600_000);
    bytes += size;
  }
  expect(bytes).toBe(4 * 4_000_002);
  await expectFree();
});

test('the rows of the first statement are read as usual', async () => {
  const first = { text: 'SELECT $1::int AS one', values: [1] };
  const statement = { text: 'SELECT number FROM generate_series(1, $1::int) AS number', values: [3] };
  const [ends, ...batches] = await Array.fromAsync(database.stream<object>(statement, { ...copy(['int']), first }));
  expect(ends).toEqual([{ one: 1 }]);
  expect(textOf(batches.flat() as JoinedRows[])).toBe('\n1\n2\n3');
  await expectFree();
});

const FAILING = {
  text: "SELECT repeat('x', 200000) || 1 / (20 - number) FROM (SELECT generate_series(1, $1::int)) AS numbers (number)",
  values: [30],
};

test('an error after some rows is reported, and no row of it appears later', async () => {
  await expect(copied(FAILING, copy(['int']))).rejects.toMatchObject({ database: { sqlState: '22012' } });
  await expectFree();
  const invalid = { text: 'SELECT $1::text', values: ['a\0b'] };
  await expect(copied(invalid, copy(['text']))).rejects.toMatchObject({ database: { sqlState: '22021' } });
  const foreign = { text: 'SELECT $1::text, $2::inet', values: ['a', 'b'] };
  const refused = { database: { sqlState: '22P02', parameter: 2 } };
  await expect(copied(foreign, copy(['text', 'inet']))).rejects.toMatchObject(refused);
  await expectFree();
});

const ENDLESS = {
  text: "SELECT repeat('x', 20000) FROM (SELECT generate_series(1, $1::bigint)) numbers",
  values: ['9000000000000000000'],
};

test('a consumer that leaves early frees the connection', async () => {
  for await (const _ of database.stream(ENDLESS, copy(['bigint']))) break;
  await expectFree();
});

test('an abort cancels the statement, also while the consumer uses rows', async () => {
  const abort = new AbortController();
  const read = async (): Promise<void> => {
    let batches = 0;
    for await (const _ of database.stream(ENDLESS, { ...copy(['bigint']), signal: abort.signal })) {
      batches += 1;
      if (batches === 3) abort.abort();
    }
  };
  await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
  await expectFree();
});

test('a consumer that does not come back loses the connection', async () => {
  const read = async (): Promise<void> => {
    for await (const _ of database.stream(ENDLESS, { ...copy(['bigint']), maxIdleMs: 50 }))
      await eventually(() => expect(database.metrics()).toEqual({ total: 1, idle: 1, waiting: 0 }));
  };
  await expect(read()).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
  await expectFree();
});

test('rows that take too long are cancelled', async () => {
  const impatient = connect(server.url, 1_000);
  const slow = { text: "SELECT 'x' || pg_sleep(110)::text", values: [] };
  await expect(copied(slow, CSV, impatient)).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
  await expectFree(impatient);
  await impatient.close();
});

test('a connection that is lost between rows is unavailable', async () => {
  const { hostname, port } = new URL(server.url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const url = new URL(server.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const lost = connect(url.href);
  const read = async (): Promise<void> => {
    for await (const _ of lost.stream(ENDLESS, copy(['bigint']))) proxy.cutConnections();
  };
  await expect(read()).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  await expect(copied({ text: 'SELECT 1', values: [] }, CSV, lost)).resolves.toBe('\n1');
  await lost.close();
  await proxy.close();
});
