import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, uniqueName } from '@lintel/testkit';
import { ownPostgres } from '@lintel/testkit/backends';
import type { Database } from '../database.ts';
import { createDatabase } from './create-database.ts';
import type { DatabaseOptions } from './database-options.ts';

// Needs LINTEL_TEST_POSTGRES: servers of its own.
const server = await ownPostgres();
await server.addStandby();
const LOGIN = 'postgres://postgres:secret@';
const [primary, standby] = [server.port, server.standbyPort].map((port) => `127.0.0.1:${port}`) as [string, string];
const file = join(tmpdir(), uniqueName('password'));
const open: Database[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()));
});
afterAll(async () => {
  await server.dispose();
  rmSync(file, { force: true });
});

function connect(servers: string, options: Partial<DatabaseOptions> = {}): Database {
  const database = createDatabase({
    url: `${LOGIN}${servers}/lintel_test`,
    maxConnections: 3,
    statementTimeoutMs: 60_000,
    applicationName: 'several',
    ...options,
  });
  open.push(database);
  return database;
}

const IS_STANDBY = { text: 'SELECT pg_is_in_recovery() AS standby', values: [] };
const UNAVAILABLE = { code: 'DATA_UNAVAILABLE', status: 503, retryable: true };
const insert = (id: number) => ({ text: 'INSERT INTO written VALUES ($1)', values: [id] });

test.each([
  ['the first is a replica', `${standby},${primary}`],
  ['the first is not there', `127.0.0.1:1,${primary}`],
])('a connection leads to the primary: %s', async (_, servers) => {
  await expect(connect(servers).query(IS_STANDBY)).resolves.toEqual([{ standby: false }]);
});

test('without a primary, requests are refused with 503', async () => {
  await expect(connect(`${standby},127.0.0.1:1`).query(IS_STANDBY)).rejects.toMatchObject(UNAVAILABLE);
});

test('a password that has changed is read for the next connection; open ones continue', async () => {
  await server.query(`CREATE ROLE rotated LOGIN PASSWORD 'first'`);
  writeFileSync(file, 'first\n');
  const url = `postgres://rotated@${primary}/lintel_test?password_file=${encodeURIComponent(file)}`;
  const database = connect('', { url, maxConnections: 2 });
  const sleep = { text: 'SELECT pg_sleep(0.3)', values: [] };
  await database.query(IS_STANDBY);
  await server.query(`ALTER ROLE rotated PASSWORD 'second'`);
  // The second one needs a new connection, which still has the old password.
  const [kept, refused] = await Promise.allSettled([database.query(sleep), database.query(sleep)]);
  expect(kept.status).toBe('fulfilled');
  expect(refused).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
  writeFileSync(file, 'second\n');
  await expect(Promise.all([database.query(sleep), database.query(sleep)])).resolves.toHaveLength(2);
  const listener = await database.listen('news', () => {});
  await listener.close();
});

test('a server that becomes read-only is left, with all its connections', async () => {
  const database = connect(`${primary},${standby}`);
  await database.query({ text: 'CREATE TABLE IF NOT EXISTS written (id int)', values: [] });
  const sleep = { text: 'SELECT pg_sleep(0.1)', values: [] };
  await Promise.all([database.query(sleep), database.query(sleep), database.query(sleep)]);
  await server.query(`ALTER SYSTEM SET default_transaction_read_only = on`);
  await server.query('SELECT pg_reload_conf()');
  await eventually(() => expect(database.query(insert(0))).rejects.toMatchObject(UNAVAILABLE));
  // The other two connections led to that server as well.
  await expect(database.query(IS_STANDBY)).rejects.toMatchObject(UNAVAILABLE);
  await server.query('ALTER SYSTEM RESET default_transaction_read_only');
  await server.query('SELECT pg_reload_conf()');
  await eventually(() => expect(database.query(insert(0))).resolves.toEqual([]));
});

test('after a failover all connections lead to the new primary, and nothing acknowledged is lost', async () => {
  const database = connect(`${primary},${standby}`);
  let wakes = 0;
  const listener = await database.listen('news', () => {
    wakes += 1;
  });
  const acknowledged: number[] = [];
  let isWriting = true;
  const write = async (from: number): Promise<void> => {
    for (let id = from; isWriting; id += 10) {
      await database.query(insert(id)).then(
        () => acknowledged.push(id),
        (error: unknown) => expect(error).toMatchObject(UNAVAILABLE),
      );
    }
  };
  const writers = [1, 2, 3].map(write);
  await eventually(async () => expect(acknowledged.length).toBeGreaterThan(20));
  await server.kill();
  await eventually(() => expect(database.query(IS_STANDBY)).rejects.toMatchObject(UNAVAILABLE));
  await server.promoteStandby();
  const before = acknowledged.length;
  await eventually(async () => expect(acknowledged.length).toBeGreaterThan(before + 20));
  isWriting = false;
  await Promise.all(writers);
  const stored = await server.query<{ id: number }>('SELECT id FROM written');
  const known = new Set(stored.map(({ id }) => id));
  expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
  wakes = 0;
  await eventually(
    async () => {
      await server.query('NOTIFY news');
      expect(wakes).toBeGreaterThan(0);
    },
    { timeoutMs: 20_000 },
  );
  await listener.close();
});
