import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  binariesFolder,
  canExecute,
  databaseUser,
  freeLoopbackPort,
  startEmbeddedDatabase,
} from '@lintel/embedded-database';
import { createTestDatabase, eventually, startTcpProxy, type TcpProxy, type TestDatabase } from '@lintel/testkit';
import type { Database } from '../database.ts';
import { createDatabase } from './create-database.ts';
import { createResultMemory } from './results/result-memory.ts';

let server: TestDatabase;
let proxy: TcpProxy;
let database: Database;
const warnings: string[] = [];
const infos: string[] = [];

const overProxy = (): string => {
  const url = new URL(server.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.href;
};

const connect = (applicationName: string, statementTimeoutMs: number): Database =>
  createDatabase({
    url: overProxy(),
    maxConnections: 3,
    statementTimeoutMs,
    applicationName,
    logger: { info: (_fields, message) => infos.push(message), warn: (_fields, message) => warnings.push(message) },
  });

const ONE = { name: 'one', text: 'SELECT 1 AS one', values: [] };

beforeAll(async () => {
  server = await createTestDatabase('persistence');
});
beforeEach(async () => {
  const { hostname, port } = new URL(server.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  database = connect('lost', 30_000);
});
afterEach(async () => {
  await database.close();
  await proxy.close();
});
afterAll(() => server.drop());

test('a statement whose connection breaks is unavailable, and the next one gets a new connection', async () => {
  const patient = connect('patient', 120_000);
  const running = patient.query({ text: 'SELECT pg_sleep(110)', values: [] });
  await eventually(() => expect(proxy.connectionCount()).toBe(1));
  setTimeout(() => proxy.cutConnections(), 100);
  await expect(running).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE', retryable: true });
  await expect(patient.query(ONE)).resolves.toEqual([{ one: 1 }]);
  await patient.close();
});

test('idle connections that break are replaced without an error for callers', async () => {
  await Promise.all([database.query(ONE), database.query(ONE), database.query(ONE)]);
  warnings.length = 0;
  proxy.cutConnections();
  await eventually(() => expect(database.metrics().total).toBe(0));
  expect(warnings.length).toBeGreaterThan(0);
  await expect(database.query(ONE)).resolves.toEqual([{ one: 1 }]);
});

test('a server that refuses connections is one line of the log, and one when it is back', async () => {
  for (const lines of [warnings, infos]) lines.length = 0;
  proxy.block();
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(database.query(ONE)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  expect(warnings).toEqual(['The database cannot be reached']);
  proxy.restore();
  await expect(database.query(ONE)).resolves.toEqual([{ one: 1 }]);
  expect(infos).toEqual(['The database can be reached again']);
});

test('a transaction whose connection breaks rejects, and nothing of it is left', async () => {
  await server.query('CREATE TABLE half (id int)');
  const running = database.transaction(async (transaction) => {
    await transaction.query({ text: 'INSERT INTO half VALUES (1)', values: [] });
    proxy.cutConnections();
    await transaction.query({ text: 'INSERT INTO half VALUES (2)', values: [] });
  });
  await expect(running).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  await eventually(async () => expect(await server.query('SELECT * FROM half')).toEqual([]));
  await expect(database.query(ONE)).resolves.toEqual([{ one: 1 }]);
});

test('a stream whose connection breaks rejects', async () => {
  const read = async (): Promise<void> => {
    const statement = { text: 'SELECT * FROM generate_series(1, 100000)', values: [] };
    for await (const _ of database.stream(statement, { batchSize: 10 })) proxy.cutConnections();
  };
  await expect(read()).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  await expect(database.query(ONE)).resolves.toEqual([{ one: 1 }]);
});

test('a stream whose consumer leaves while the network loses all packets frees its connection', async () => {
  const streaming = createDatabase({
    url: overProxy(),
    maxConnections: 1,
    statementTimeoutMs: 120_000,
    applicationName: 'streaming',
    resultMemory: createResultMemory({ maxBytes: 64 * 1024 * 1024, maxWaitMs: 120_000 }),
  });
  try {
    const text = 'SELECT CASE WHEN number > 10 THEN pg_sleep(110) END FROM generate_series(1, 20) AS number';
    for await (const _ of streaming.stream({ text, values: [] }, { batchSize: 10 })) {
      proxy.freeze();
      break;
    }
    await eventually(() => {
      const { total, idle } = streaming.metrics();
      expect(total - idle).toBe(0);
    });
    proxy.restore();
    await expect(streaming.query(ONE)).resolves.toEqual([{ one: 1 }]);
  } finally {
    proxy.cutConnections();
    await streaming.close();
  }
});

test('while the database is away it is not ready; afterwards it is', async () => {
  const isReady = (expected: boolean) =>
    // A machine that stands still longer than the check may take is not ready either.
    eventually(async () => expect(await database.isReady()).toBe(expected));
  await isReady(true);
  proxy.block();
  await expect(database.isReady()).resolves.toBe(false);
  await expect(database.query(ONE)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  proxy.restore();
  await isReady(true);
  await expect(database.query(ONE)).resolves.toEqual([{ one: 1 }]);
});

test('a read-only server is unavailable for writers, whose connections are replaced', async () => {
  await server.query('CREATE TABLE taken (id int)');
  const insert = { text: 'INSERT INTO taken VALUES (1)', values: [] };
  await server.query(`ALTER DATABASE "${server.name}" SET default_transaction_read_only = on`);
  const refused = { code: 'DATA_UNAVAILABLE', retryable: true };
  await expect(database.query(insert)).rejects.toMatchObject(refused);
  await expect(database.transaction((transaction) => transaction.query(insert))).rejects.toMatchObject(refused);
  await expect(database.query(ONE)).resolves.toEqual([{ one: 1 }]);
  await server.query(`BEGIN READ WRITE; ALTER DATABASE "${server.name}" RESET ALL; COMMIT`);
  proxy.cutConnections();
  await eventually(() => expect(database.metrics().total).toBe(0));
  await expect(database.transaction((transaction) => transaction.query(insert))).resolves.toEqual([]);
});

test('a network that loses all packets is detected', async () => {
  const hasty = connect('hasty', 400);
  try {
    await hasty.query(ONE);
    proxy.freeze();
    const outcomes = await Promise.allSettled([
      hasty.query(ONE),
      hasty.transaction((transaction) => transaction.query(ONE)),
      hasty.query(ONE, AbortSignal.timeout(50_000)),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'DATA_UNAVAILABLE' } });
    proxy.restore();
    await expect(hasty.query(ONE)).resolves.toEqual([{ one: 1 }]);
  } finally {
    await hasty.close();
  }
});

test('connections that the server does not know any more are given up, and slow ones are not', async () => {
  const patient = connect('patient', 60_000);
  try {
    const sleeping = (seconds: number): Promise<unknown> =>
      patient.query({ text: 'SELECT pg_sleep($1)', values: [seconds] });
    const dead = [sleeping(50), patient.transaction((transaction) => transaction.query(ONE).then(() => sleeping(50)))];
    await eventually(() => expect(patient.metrics().total).toBe(3));
    proxy.abandonConnections();
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'patient'`);
    for (const outcome of await Promise.allSettled(dead))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'DATA_UNAVAILABLE' } });
    await sleeping(5);
  } finally {
    await patient.close();
  }
});

test('a listener comes back by itself and looks once for what it missed', async () => {
  let woken = 0;
  const subscription = await database.listen('news', () => {
    woken += 1;
  });
  await server.query('NOTIFY news');
  await eventually(() => expect(woken).toBe(1));
  proxy.block();
  await server.query('NOTIFY news');
  proxy.restore();
  await eventually(() => expect(woken).toBe(2));
  await server.query('NOTIFY news');
  await eventually(() => expect(woken).toBe(3));
  await subscription.close();
  await server.query('NOTIFY news');
});

/** Where the clone is closed to the server's user, the server runs from a copy. */
async function reachableBinaries(folder: string): Promise<string> {
  const installed = binariesFolder();
  if (canExecute(join(installed, 'bin', 'postgres'), databaseUser(folder))) return installed;
  const copy = join(folder, 'binaries');
  await cp(installed, copy, { recursive: true });
  return copy;
}

test('a killed server that comes back is used again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-killed-'));
  // Started by root, the server runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  const binaries = await reachableBinaries(folder);
  const port = await freeLoopbackPort();
  const start = () =>
    startEmbeddedDatabase({
      folder: join(folder, 'server'),
      binaries,
      user: 'postgres',
      password: 'secret',
      database: 'test',
      durable: false,
      settings: { port: String(port), shared_buffers: '16MB', max_connections: '20' },
    });
  let running = await start();
  const killed = createDatabase({
    url: `postgres://postgres:secret@127.0.0.1:${port}/test`,
    maxConnections: 2,
    // No statement of this test ends by time, however long the machine stands still.
    statementTimeoutMs: 120_000,
    applicationName: 'killed',
  });
  try {
    await expect(killed.query(ONE)).resolves.toEqual([{ one: 1 }]);
    const inFlight = killed.query({ text: 'SELECT pg_sleep(110)', values: [] });
    setTimeout(() => process.kill(running.pid, 'SIGKILL'), 50);
    await expect(inFlight).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
    await eventually(async () => expect(await killed.isReady()).toBe(false));
    running = await eventually(start, { intervalMs: 200 });
    await eventually(async () => expect(await killed.query(ONE)).toEqual([{ one: 1 }]));
  } finally {
    await killed.close();
    await running.stop();
    await rm(folder, { recursive: true });
  }
});
