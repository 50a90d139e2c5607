import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import type { Database } from '../../database.ts';
import { createDatabase } from '../create-database.ts';

const MEBIBYTE = 1024 * 1024;
const REFUSED = {
  code: 'DATA_RESULT_TOO_LARGE',
  status: 400,
  details: expect.stringContaining('A row of the result is larger than the limit'),
};

let server: TestDatabase;
let database: Database;

const connect = (maxRowBytes: number): Database =>
  createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'large-rows',
    maxRowBytes,
    maxResultBytes: 3 * maxRowBytes,
  });

beforeAll(async () => {
  server = await createTestDatabase('persistence');
  database = connect(2 * MEBIBYTE);
});
afterAll(async () => {
  await database?.close();
  await server.drop();
});

const row = (bytes: number) => ({ text: `SELECT repeat('x', ${bytes}) AS text`, values: [] });

/** The database works as before: lost connections were replaced, and each statement gets its own result. */
async function expectUsable(): Promise<void> {
  await eventually(() => expect(database.metrics().total).toBe(database.metrics().idle));
  const results = await Promise.all([1, 2, 3].map((n) => database.query({ text: `SELECT ${n} AS n`, values: [] })));
  expect(results).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
}

test('a row up to the limit is read', async () => {
  const [read] = await database.query<{ text: string }>(row(2 * MEBIBYTE - 100));
  expect(read?.text).toHaveLength(2 * MEBIBYTE - 100);
});

test('a longer row is refused by the name of the property, and the database goes on', async () => {
  await expect(database.query(row(3 * MEBIBYTE))).rejects.toMatchObject(REFUSED);
  await expectUsable();
});

test('a cursor is refused the same way', async () => {
  const read = async () => {
    for await (const _ of database.stream(row(3 * MEBIBYTE), { batchSize: 10 }));
  };
  await expect(read()).rejects.toMatchObject(REFUSED);
  await expectUsable();
});

test('the first statement of a stream is refused the same way', async () => {
  const read = async () => {
    for await (const _ of database.stream(row(10), { batchSize: 10, first: row(3 * MEBIBYTE) }));
  };
  await expect(read()).rejects.toMatchObject(REFUSED);
  await expectUsable();
});

test('a transaction that reads one rejects with that, and nothing of it is left', async () => {
  await server.query('CREATE TABLE kept (id int)');
  const work = database.transaction(async (transaction) => {
    await transaction.query({ text: 'INSERT INTO kept VALUES (1)', values: [] });
    await transaction.query(row(3 * MEBIBYTE));
  });
  await expect(work).rejects.toMatchObject(REFUSED);
  await eventually(async () => expect(await server.query('SELECT * FROM kept')).toEqual([]));
  await expectUsable();
});

const rows = (count: number) => ({
  text: `SELECT repeat('x', ${MEBIBYTE}) AS text FROM generate_series(1, ${count})`,
  values: [],
});

test('rows have a limit together, and so has each batch of a cursor', async () => {
  const TOO_MANY = { ...REFUSED, details: expect.stringContaining('The rows of the result are larger together') };
  expect(await database.query(rows(5))).toHaveLength(5);
  await expect(database.query(rows(7))).rejects.toMatchObject(TOO_MANY);
  const read = async (batchSize: number) => {
    let count = 0;
    for await (const batch of database.stream(rows(12), { batchSize })) count += batch.length;
    return count;
  };
  expect(await read(4)).toBe(12);
  await expect(read(7)).rejects.toMatchObject(TOO_MANY);
  await expectUsable();
});
