import { EventEmitter, once } from 'node:events';
import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import type { Database, Statement } from '../../database.ts';
import { createDatabase } from '../create-database.ts';
import { createResultMemory, type ResultMemory } from './result-memory.ts';

const MEBIBYTE = 1024 * 1024;
const MAX_BYTES = 32 * MEBIBYTE;
const ROWS = 12;

let server: TestDatabase;
const databases: Database[] = [];

/** Two databases, which share their memory; `peak` is the maximum that was used. */
function connect(maxWaitMs = 30_000) {
  const memory = createResultMemory({ maxBytes: MAX_BYTES, maxWaitMs });
  const [one, other] = [1, 2].map(() =>
    createDatabase({
      url: server.url,
      maxConnections: 6,
      statementTimeoutMs: 60_000,
      applicationName: 'result-memory',
      resultMemory: memory,
    }),
  ) as [Database, Database];
  databases.push(one, other);
  return { memory, one, other, peak: peakOf(memory) };
}

function peakOf(memory: ResultMemory): () => number {
  let peak = 0;
  const { resize } = memory;
  memory.resize = (...given) => {
    resize.apply(memory, given);
    peak = Math.max(peak, memory.usedBytes);
  };
  return () => peak;
}

const large = (rows = ROWS): Statement => ({
  text: `SELECT repeat('x', ${MEBIBYTE}) AS text FROM generate_series(1, ${rows})`,
  values: [],
});
const SMALL: Statement = { text: 'SELECT 1 AS n', values: [] };

/** Uses the rows of a request. */
const createResponse = () => {
  const response = Object.assign(new EventEmitter(), { closed: false });
  const close = (): void => {
    response.closed = true;
    response.emit('close');
  };
  return { response, close };
};

/** Rows that use so much that another large statement waits. */
async function fill({ memory, one }: Pick<ReturnType<typeof connect>, 'memory' | 'one'>) {
  const { response, close } = createResponse();
  for (let each = 0; each < 2; each += 1) await memory.holdFor(response, () => one.query(large(13)));
  expect(memory.usedBytes).toBeGreaterThan(26 * MEBIBYTE);
  return { close, heldBytes: memory.usedBytes };
}

/** The system may have received the whole result, so that the server has ended the statement: only the process knows. */
const untilOneWaits = (memory: ResultMemory) => eventually(() => expect(memory.waiting).toBe(1));

beforeAll(async () => {
  server = await createTestDatabase('persistence');
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await server.drop();
});

test('large results of many statements wait for each other, and their memory stays below the maximum', async () => {
  const { memory, one, other, peak } = connect();
  const reads = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? one : other).query(large()));
  for (const rows of await Promise.all(reads)) expect(rows).toHaveLength(ROWS);
  expect(peak()).toBeLessThanOrEqual(MAX_BYTES);
  expect(peak()).toBeGreaterThan(ROWS * MEBIBYTE);
  expect(memory.usedBytes).toBe(0);
  expect(await one.query(large())).toHaveLength(ROWS);
});

test('a statement waits until a response is closed, and small ones do not', async () => {
  const { memory, one, other } = connect();
  const { close } = await fill({ memory, one });
  let isAnswered = false;
  const waiting = other.query(large()).finally(() => {
    isAnswered = true;
  });
  await untilOneWaits(memory);
  for (let round = 0; round < 20; round += 1) expect(await other.query(SMALL)).toEqual([{ n: 1 }]);
  expect(isAnswered).toBe(false);
  close();
  expect(await waiting).toHaveLength(ROWS);
  expect(memory.usedBytes).toBe(0);
});

test('a statement that waits too long is refused, and its connection is replaced', async () => {
  const { memory, one } = connect(50);
  const { close } = await fill({ memory, one });
  await expect(one.query(large())).rejects.toMatchObject({
    code: 'REQ_OVERLOADED',
    details: expect.stringContaining('svc.datasource.max-result-memory'),
  });
  close();
  expect(await one.query(large())).toHaveLength(ROWS);
});

test('a statement that is given up while it waits frees its memory at once', async () => {
  const { memory, one } = connect();
  const { close, heldBytes } = await fill({ memory, one });
  const client = new AbortController();
  const waiting = one.query(large(), client.signal);
  await untilOneWaits(memory);
  const isOver = expect(waiting).rejects.toThrow('left');
  client.abort(new Error('left'));
  await isOver;
  expect(memory.usedBytes).toBe(heldBytes);
  close();
  await eventually(() => expect(one.metrics().total).toBe(one.metrics().idle));
});

test('one result has at most half of the memory, with any limit of its own', async () => {
  const { one } = connect();
  await expect(one.query(large(17))).rejects.toMatchObject({
    code: 'DATA_RESULT_TOO_LARGE',
    status: 400,
    details: expect.stringContaining('svc.datasource.max-result-memory'),
  });
});

test('of a cursor the current batch counts, until the next one is asked for', async () => {
  const { memory, one, peak } = connect();
  let rows = 0;
  for await (const batch of one.stream(large(60), { batchSize: 10 })) {
    rows += batch.length;
    expect(memory.usedBytes).toBeGreaterThan(9 * MEBIBYTE);
  }
  expect(rows).toBe(60);
  expect(peak()).toBeLessThan(11 * MEBIBYTE);
  await eventually(() => expect(memory.usedBytes).toBe(0));
});

test('the result of a transaction belongs to the response of its request', async () => {
  const { memory, one } = connect();
  const { response, close } = createResponse();
  const read = () => one.transaction((transaction) => transaction.query(large(4)));
  expect(await memory.holdFor(response, read)).toHaveLength(4);
  expect(memory.usedBytes).toBeGreaterThan(4 * MEBIBYTE);
  const isClosed = once(response, 'close');
  close();
  await isClosed;
  expect(memory.usedBytes).toBe(0);
});
