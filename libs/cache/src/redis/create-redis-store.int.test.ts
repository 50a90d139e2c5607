import { eventually, startTcpProxy, type TcpProxy, testEnvironment, uniqueName } from '@lintel/testkit';
import { Redis } from 'ioredis';
import { describeKeyValueStoreContract } from '../../test/key-value-store-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import type { KeyValueStore } from '../index.ts';
import { createRedisStore, type RedisStoreOptions } from './create-redis-store.ts';

const keyRoot = uniqueName('cache');
let control: Redis;
let proxy: TcpProxy;
let url: string;
let prefixCount = 0;
const open: KeyValueStore[] = [];

beforeAll(async () => {
  url = testEnvironment('LINTEL_TEST_REDIS_URL');
  control = new Redis(url);
  const { hostname, port } = new URL(url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});

afterEach(async () => {
  proxy.restore();
  await Promise.all(open.splice(0).map((store) => store.close()));
});

afterAll(async () => {
  const keys = await control.keys(`${keyRoot}*`);
  if (keys.length > 0) await control.del(...keys);
  await control.quit();
  await proxy.close();
});

function createStore(options: Partial<RedisStoreOptions> = {}): KeyValueStore {
  prefixCount += 1;
  const keyPrefix = `${keyRoot}:${prefixCount}:`;
  // Longer than a machine may stand still.
  const patient = { commandTimeoutMs: 30_000 };
  const store = createRedisStore({ address: { url }, keyPrefix, logger: silentLogger, ...patient, ...options });
  open.push(store);
  return store;
}

const createCuttableStore = (commandTimeoutMs: number): KeyValueStore => {
  const address = new URL(url);
  address.port = String(proxy.port);
  return createStore({ address: { url: address.href }, commandTimeoutMs });
};

const unavailable = { code: 'DATA_UNAVAILABLE', status: 503, retryable: true };

describeKeyValueStoreContract('the Redis store keeps the promises of the store', async () => createStore());

test('keys carry the prefix', async () => {
  const store = createStore({ keyPrefix: `${keyRoot}:mine:` });
  await store.set('a', '1', 10_000);
  await store.addToSet('s', 'm', 10_000);
  await store.increment('n', 10_000);
  const keys = await control.keys(`${keyRoot}:mine:*`);
  expect(keys.map((key) => key.slice(keyRoot.length)).toSorted()).toEqual([':mine:a', ':mine:n', ':mine:s']);
  for (const key of keys) expect(await control.pttl(key)).toBeGreaterThan(0);
});

test('commands given before the first connection is up are carried out', async () => {
  const store = createStore();
  await store.set('a', '1', 10_000);
  expect(await store.get('a')).toBe('1');
});

test('while Redis is away operations reject at once, and work again by themselves when it is back', async () => {
  // Longer than a test may take: nothing waits for it.
  const store = createCuttableStore(120_000);
  await store.set('a', '1', 100_000);
  proxy.block();
  await eventually(() => expect(store.assertReady()).rejects.toThrow());
  await Promise.all(Array.from({ length: 100 }, () => expect(store.get('a')).rejects.toMatchObject(unavailable)));
  await expect(store.increment('n', 100_000)).rejects.toMatchObject(unavailable);
  proxy.restore();
  await eventually(() => expect(store.assertReady()).resolves.toBeUndefined());
  expect(await store.get('a')).toBe('1');
  expect(await store.increment('n', 100_000)).toBe(1);
});

test('a Redis that went silent is given up after the command timeout', async () => {
  const store = createCuttableStore(1_000);
  await eventually(() => store.set('a', '1', 100_000));
  proxy.freeze();
  await expect(store.get('a')).rejects.toMatchObject(unavailable);
  await expect(store.assertReady()).rejects.toThrow();
  proxy.restore();
  await eventually(async () => expect(await store.get('a')).toBe('1'));
});

test('a process that stands still for longer than the command timeout gets its response', async () => {
  const store = createStore({ commandTimeoutMs: 1_000 });
  await eventually(() => store.set('a', '1', 100_000));
  const reading = store.get('a');
  // Sent, and the response cannot be read yet.
  for (let each = 0; each < 10; each += 1) await Promise.resolve();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  expect(await reading).toBe('1');
});

test('without a Redis at the start operations reject within the command timeout', async () => {
  const store = createStore({ address: { url: 'redis://127.0.0.1:1' }, commandTimeoutMs: 200 });
  await expect(store.get('a')).rejects.toMatchObject(unavailable);
  await expect(store.assertReady()).rejects.toThrow();
});

test('a command that Redis refuses is our fault, not an outage', async () => {
  const store = createStore();
  await store.addToSet('s', 'm', 10_000);
  await expect(store.get('s')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
});
