import { eventually, uniqueName } from '@lintel/testkit';
import { type OwnCluster, ownCluster } from '@lintel/testkit/backends';
import { describeKeyValueStoreContract } from '../../test/key-value-store-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import {
  createRedisRateLimits,
  createRedisSessionPositions,
  createRedisStore,
  type KeyValueStore,
  probeRedis,
} from '../index.ts';

/** Elections take seconds, on a busy machine more. */
const PATIENT = { timeoutMs: 60_000 };
const unavailable = { code: 'DATA_UNAVAILABLE', status: 503, retryable: true };
/** So many that each primary has some. */
const KEYS = Array.from({ length: 60 }, (_, index) => `key-${index}`);

let cluster: OwnCluster;
/** Longer than a machine may stand still. */
const COMMAND_TIMEOUT_MS = 30_000;
const connect = (keyPrefix = `${uniqueName('cache')}:`, commandTimeoutMs = COMMAND_TIMEOUT_MS): KeyValueStore =>
  createRedisStore({ address: address(), keyPrefix, logger: silentLogger, commandTimeoutMs });
/** A machine that stands still needs another attempt to connect. */
const whenReady = (...stores: readonly KeyValueStore[]) =>
  eventually(async () => {
    for (const store of stores) await expect(store.assertReady()).resolves.toBeUndefined();
  }, PATIENT);
const address = () => ({ cluster: { nodes: cluster.nodes, tls: false } });

beforeAll(async () => {
  cluster = await ownCluster();
});
afterAll(() => cluster.dispose());

describeKeyValueStoreContract('the Redis store keeps the promises of the store in a cluster', async () => {
  const store = connect();
  await whenReady(store);
  return store;
});

test('keys of all primaries are written, read and deleted, also many at once and by two processes', async () => {
  const prefix = `${uniqueName('cache')}:`;
  const [one, other] = [connect(prefix), connect(prefix)];
  try {
    await whenReady(one, other);
    await Promise.all(KEYS.map((key) => one.set(key, key, 600_000)));
    expect(await Promise.all(KEYS.map((key) => other.get(key)))).toEqual(KEYS);
    await other.delete(...KEYS);
    expect(await Promise.all(KEYS.map((key) => one.get(key)))).toEqual(KEYS.map(() => undefined));
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

test('requests are counted together, whichever primary counts them', async () => {
  const policy = { name: 'user', limit: 3, windowSeconds: 60 };
  const options = {
    address: address(),
    keyPrefix: `${uniqueName('rate')}:`,
    logger: silentLogger,
    commandTimeoutMs: COMMAND_TIMEOUT_MS,
  };
  const [one, other] = [createRedisRateLimits(options), createRedisRateLimits(options)];
  const users = KEYS.slice(0, 10);
  try {
    for (const limits of [one, other])
      await eventually(async () => {
        // Counted by the process itself until it is connected: then no other knows of it.
        const key = uniqueName('probe');
        await one.limiterOf(policy).take(key);
        await limits.limiterOf(policy).take(key);
        expect((await other.limiterOf(policy).take(key)).remaining).toBe(0);
      }, PATIENT);
    await Promise.all(users.map((user) => one.limiterOf(policy).take(user)));
    const states = await Promise.all(users.map((user) => other.limiterOf(policy).take(user)));
    expect(states.map(({ remaining }) => remaining)).toEqual(users.map(() => 1));
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

test('without a cluster at the start operations reject within the command timeout', async () => {
  const nowhere = { cluster: { nodes: [{ host: '127.0.0.1', port: 1 }], tls: false } };
  const store = createRedisStore({ address: nowhere, keyPrefix: 'x:', logger: silentLogger, commandTimeoutMs: 200 });
  await expect(store.get('a')).rejects.toMatchObject(unavailable);
  await expect(store.assertReady()).rejects.toThrow();
  await store.close();
});

test('marks of sessions are shared, and none is believed to be missing before a life of marks has passed', async () => {
  let nowMs = 0;
  const options = {
    address: address(),
    keyPrefix: `${uniqueName('marks')}:`,
    logger: silentLogger,
    lifeMs: 60_000,
    clock: { now: () => nowMs },
    commandTimeoutMs: 10_000,
  };
  const [one, other] = [createRedisSessionPositions(options), createRedisSessionPositions(options)];
  const users = KEYS.slice(0, 10);
  try {
    for (const positions of [one, other]) await eventually(() => positions.load('nobody'), PATIENT);
    await Promise.all(users.map((user) => one.raise(user, `0${user}`)));
    expect(await other.load('nobody')).toEqual({ position: undefined, isSure: false });
    // Connections to nodes are made when they are needed, and are a reason to doubt.
    await eventually(async () => {
      nowMs += 60_000;
      expect(await Promise.all(users.map((user) => other.load(user)))).toEqual(
        users.map((user) => ({ position: `0${user}`, isSure: true })),
      );
    }, PATIENT);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

test('the check of an installation names the primaries without a replica', async () => {
  const findings = await probeRedis({ address: address(), keyPrefix: `${uniqueName('probe')}:`, timeoutMs: 10_000 });
  expect(findings).toMatchObject({ evictionPolicy: 'noeviction', lostSentinels: [] });
  expect(findings.version).toMatch(/^\d+\.\d+\.\d+$/);
  const withoutReplica = cluster.nodes.slice(1).map(({ host, port }) => `${host}:${port}`);
  expect(findings.alone.toSorted()).toEqual(withoutReplica.toSorted());
});

test('the check of an installation says why a node cannot be reached', async () => {
  const nowhere = { cluster: { nodes: [{ host: '127.0.0.1', port: 1 }], tls: false } };
  const probing = probeRedis({ address: nowhere, keyPrefix: 'x:', timeoutMs: 10_000 });
  await expect(probing).rejects.toThrow(/^127\.0\.0\.1:1: .*ECONNREFUSED/);
});

test('when a primary dies its replica takes over without help', async () => {
  const prefix = `${uniqueName('cache')}:`;
  const [hasty, store] = [connect(prefix, 1_000), connect(prefix)];
  let nowMs = 0;
  const positions = createRedisSessionPositions({
    address: address(),
    keyPrefix: `${uniqueName('marks')}:`,
    logger: silentLogger,
    lifeMs: 60_000,
    clock: { now: () => nowMs },
    commandTimeoutMs: 10_000,
  });
  try {
    await whenReady(hasty, store);
    await Promise.all(KEYS.map((key) => store.set(key, key, 600_000)));
    await eventually(() => Promise.all(KEYS.map((key) => positions.load(key))), PATIENT);
    // Who begins, and a node that is connected to later, are reasons to doubt, too: another life is waited for.
    await eventually(async () => {
      nowMs += 60_000;
      expect(await positions.load('nobody')).toEqual({ position: undefined, isSure: true });
    }, PATIENT);
    await cluster.killFirst();
    // Until the others have given it up, and all through the election, nothing hangs and nothing is unknown.
    const refusals: unknown[] = [];
    const readAll = async () => {
      const results = await Promise.allSettled(KEYS.map((key) => hasty.get(key)));
      const refused = results.filter(({ status }) => status === 'rejected');
      refusals.push(...refused.map((result) => ('reason' in result ? result.reason : undefined)));
      expect(refused).toEqual([]);
      expect(results.map((result) => ('value' in result ? result.value : undefined))).toEqual(KEYS);
    };
    await expect(readAll()).rejects.toThrow();
    const promoted = cluster.failOver();
    await eventually(readAll, PATIENT);
    await promoted;
    expect(refusals).not.toEqual([]);
    for (const refusal of refusals) expect(refusal).toMatchObject(unavailable);
    // The new primary may lack the last positions: a missing one is not certain.
    await eventually(async () => {
      const looks = await Promise.all(KEYS.map((key) => positions.load(key)));
      expect(looks).toEqual(KEYS.map(() => ({ position: undefined, isSure: false })));
    }, PATIENT);
    // Connections that were closed are opened again with their next use.
    await eventually(async () => expect(await Promise.all(KEYS.map((key) => store.get(key)))).toEqual(KEYS), PATIENT);
    expect(await Promise.all(KEYS.map((key) => store.increment(`n-${key}`, 60_000)))).toEqual(KEYS.map(() => 1));
    await cluster.restartFirst();
    await eventually(async () => expect(await Promise.all(KEYS.map((key) => store.get(key)))).toEqual(KEYS), PATIENT);
  } finally {
    await Promise.all([hasty.close(), store.close(), positions.close()]);
  }
}, 300_000);
