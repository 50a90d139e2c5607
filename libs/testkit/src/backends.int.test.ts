import { connect } from 'node:net';
import {
  createTestBucket,
  createTestDatabase,
  createTestVhost,
  eventually,
  startTcpProxy,
  testEnvironment,
} from './index.ts';

describe('the servers of a test run', () => {
  test('a suite gets a PostgreSQL database of its own, which is gone after drop', async () => {
    const database = await createTestDatabase();
    await database.query('create table t (n integer)');
    await database.query('insert into t values ($1)', [7]);
    expect(await database.query('select n, current_database() as name from t')).toEqual([
      { n: 7, name: database.name },
    ]);
    await database.drop();
    await expect(database.query('select 1')).rejects.toThrow('does not exist');
  });

  test('a suite gets a bucket of its own', async () => {
    const bucket = await createTestBucket();
    expect(bucket.bucket).toMatch(/^test-[a-z0-9-]+$/);
    await bucket.drop();
  });

  test('a suite gets a virtual host of its own', async () => {
    const vhost = await createTestVhost();
    expect(new URL(vhost.url).pathname).toBe(`/${vhost.name}`);
    await vhost.closeConnections();
    await vhost.drop();
  });

  test('Redis answers, through a proxy too, until the proxy is blocked', async () => {
    const { port } = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
    const proxy = await startTcpProxy({ port: Number(port) });
    expect(await ping(proxy.port)).toBe('+PONG\r\n');
    proxy.block();
    await expect(ping(proxy.port)).rejects.toThrow();
    proxy.restore();
    await eventually(async () => expect(await ping(proxy.port)).toBe('+PONG\r\n'));
    await proxy.close();
  });
});

function ping(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}
