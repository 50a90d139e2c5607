import { eventually, uniqueName } from '@lintel/testkit';
import { type OwnSentinels, ownSentinels } from '@lintel/testkit/backends';
import { describeKeyValueStoreContract } from '../../test/key-value-store-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import { createRedisStore, type KeyValueStore, probeRedis, type RedisSentinels } from '../index.ts';

/** A fail-over takes seconds, on a busy machine more. */
const PATIENT = { timeoutMs: 60_000 };
const unavailable = { code: 'DATA_UNAVAILABLE', status: 503, retryable: true };

let servers: OwnSentinels;
const address = (more: Partial<RedisSentinels> = {}) => {
  const { master, nodes, password, sentinelPassword } = servers;
  return { sentinel: { master, nodes, password, sentinelPassword, database: 2, tls: false, ...more } };
};
/** Longer than a machine may stand still. */
const COMMAND_TIMEOUT_MS = 30_000;
const connect = (more: Partial<RedisSentinels> = {}, commandTimeoutMs = COMMAND_TIMEOUT_MS): KeyValueStore =>
  createRedisStore({
    address: address(more),
    keyPrefix: `${uniqueName('cache')}:`,
    logger: silentLogger,
    commandTimeoutMs,
  });

beforeAll(async () => {
  servers = await ownSentinels();
});
afterAll(() => servers.dispose());

describeKeyValueStoreContract('the Redis store keeps the promises of the store through sentinels', async () => {
  const store = connect();
  // One of the sentinels does not exist: the other one is found after it.
  await eventually(() => expect(store.assertReady()).resolves.toBeUndefined(), PATIENT);
  return store;
});

test.each<[string, Partial<RedisSentinels>]>([
  ['a primary that the sentinels do not know', { master: 'nobody' }],
  ['another password of the sentinels', { sentinelPassword: 'wrong' }],
  ['another password of the servers', { password: 'wrong' }],
])('with %s operations reject, and nothing hangs', async (_name, more) => {
  const store = connect(more, 1_000);
  await expect(store.get('a')).rejects.toMatchObject({ status: expect.any(Number) });
  await expect(store.assertReady()).rejects.toThrow();
  await store.close();
});

test('the check of an installation names the sentinels that do not answer', async () => {
  const findings = await probeRedis({ address: address(), keyPrefix: `${uniqueName('probe')}:`, timeoutMs: 10_000 });
  expect(findings).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    evictionPolicy: 'noeviction',
    alone: [],
    lostSentinels: [`127.0.0.1:${servers.nodes[0]?.port}`],
  });
});

test('the check of an installation says why the sentinels do not respond', async () => {
  const unreachable = servers.nodes.slice(0, 1);
  const refused = { address: address({ nodes: unreachable }), keyPrefix: 'x:', timeoutMs: 10_000 };
  await expect(probeRedis(refused)).rejects.toThrow(/^127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  const stranger = { ...refused, address: address({ nodes: servers.nodes.slice(1), sentinelPassword: 'wrong' }) };
  await expect(probeRedis(stranger)).rejects.toThrow(/WRONGPASS/);
});

test('when the primary dies its replica takes over, and none of many processes needs help', async () => {
  const prefix = `${uniqueName('cache')}:`;
  const connectAgain = () =>
    createRedisStore({
      address: address(),
      keyPrefix: prefix,
      logger: silentLogger,
      commandTimeoutMs: COMMAND_TIMEOUT_MS,
    });
  const stores = Array.from({ length: 10 }, connectAgain);
  const [store = connectAgain(), ...others] = stores;
  try {
    await eventually(() => Promise.all(stores.map((one) => one.set('a', '1', 600_000))), PATIENT);
    await servers.killPrimary();
    await eventually(() => expect(store.assertReady()).rejects.toThrow(), PATIENT);
    await expect(store.get('a')).rejects.toMatchObject(unavailable);
    await servers.failOver();
    // Unused connections are opened again with their next use.
    await eventually(async () => expect(await store.get('a')).toBe('1'), PATIENT);
    for (const other of others) await eventually(async () => expect(await other.get('a')).toBe('1'), PATIENT);
    await store.set('b', '2', 600_000);
    // A node that comes back is a replica, and accepts no writes.
    await servers.restartKilled();
    expect(await store.increment('n', 60_000)).toBe(1);
    expect(await store.get('b')).toBe('2');
  } finally {
    await Promise.all(stores.map((one) => one.close()));
  }
}, 300_000);

test('when the replica is made the primary, processes follow before the former one is demoted', async () => {
  const { dispose, switchPrimary, master, nodes, password, sentinelPassword } = await ownSentinels();
  const options = {
    address: { sentinel: { master, nodes, password, sentinelPassword, database: 0, tls: false } },
    keyPrefix: 'cache:',
    logger: silentLogger,
  };
  const [store, reader] = [createRedisStore(options), createRedisStore(options)];
  let newcomer: KeyValueStore | undefined;
  try {
    await eventually(() => store.set('a', '1', 600_000), PATIENT);
    await switchPrimary();
    const late = createRedisStore(options);
    newcomer = late;
    // A client that connected after the change reads only the writes of the new primary.
    await eventually(async () => {
      await store.set('b', '2', 600_000);
      expect([await late.get('a'), await late.get('b'), await reader.get('b')]).toEqual(['1', '2', '2']);
    }, PATIENT);
  } finally {
    await Promise.all([store.close(), reader.close(), newcomer?.close()]);
    await dispose();
  }
});
