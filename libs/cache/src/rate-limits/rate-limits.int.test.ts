import { eventually, startTcpProxy, type TcpProxy, testEnvironment, uniqueName } from '@lintel/testkit';
import { Redis } from 'ioredis';
import { silentLogger } from '../../test/silent-logger.ts';
import { createMemoryRateLimits, createRedisRateLimits, type RateLimits } from '../index.ts';

const keyRoot = uniqueName('rate');
const open: RateLimits[] = [];
let control: Redis;
let proxy: TcpProxy;
let url: string;

beforeAll(async () => {
  url = testEnvironment('LINTEL_TEST_REDIS_URL');
  control = new Redis(url);
  const { hostname, port } = new URL(url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});

afterEach(async () => {
  proxy.restore();
  await Promise.all(open.splice(0).map((limits) => limits.close()));
});

afterAll(async () => {
  const keys = await control.keys(`${keyRoot}*`);
  if (keys.length > 0) await control.del(...keys);
  await control.quit();
  await proxy.close();
});

function connect(
  keyPrefix: string,
  through: 'directly' | 'proxy' = 'directly',
  // Longer than a machine may stand still: a process that waits longer counts by itself.
  commandTimeoutMs = 30_000,
): RateLimits {
  const address = new URL(url);
  if (through === 'proxy') address.port = String(proxy.port);
  const limits = createRedisRateLimits({
    address: { url: address.href },
    keyPrefix: `${keyRoot}:${keyPrefix}:`,
    logger: silentLogger,
    commandTimeoutMs,
  });
  open.push(limits);
  return limits;
}

const POLICY = { name: 'user', limit: 3, windowSeconds: 60 };
/** A connection that is being made counts in memory: wait for Redis, so that counts are shared. */
const whenShared = (prefix: string, limits: RateLimits, policy = POLICY) =>
  eventually(async () => {
    const key = uniqueName('probe');
    await limits.limiterOf(policy).take(key);
    expect(await control.exists(`${keyRoot}:${prefix}:${policy.name}:${key}`)).toBe(1);
  });

describe.each(['memory', 'redis'])('limits in %s', (kind) => {
  let limits: RateLimits;
  beforeEach(async () => {
    limits = kind === 'memory' ? createMemoryRateLimits() : connect(kind);
    if (kind === 'redis') await whenShared(kind, limits);
  });

  test('allow as many requests as the policy says, and return what is left and when the period begins again', async () => {
    const limiter = limits.limiterOf(POLICY);
    const key = uniqueName('ada');
    const states = [];
    for (let request = 0; request < 5; request += 1) states.push(await limiter.take(key));
    expect(states.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
    for (const { resetMs } of states) {
      expect(resetMs).toBeGreaterThan(30_000);
      expect(resetMs).toBeLessThanOrEqual(60_000);
    }
    expect((await limiter.take(uniqueName('bob'))).remaining).toBe(2);
  });

  test('begin anew when the window ends', async () => {
    const limiter = limits.limiterOf({ name: 'short', limit: 1, windowSeconds: 1 });
    const key = await eventually(async () => {
      const name = uniqueName('ada');
      const [first, second] = [await limiter.take(name), await limiter.take(name)];
      // A second can be over between the two.
      expect([first.isAllowed, second.isAllowed]).toEqual([true, false]);
      return name;
    });
    await eventually(async () => expect((await limiter.take(key)).isAllowed).toBe(true));
  });

  test('count requests that come together one by one', async () => {
    const limiter = limits.limiterOf({ name: 'many', limit: 10, windowSeconds: 60 });
    const key = uniqueName('ada');
    const states = await Promise.all(Array.from({ length: 25 }, () => limiter.take(key)));
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
  });
});

test('all processes count together, and policies apart', async () => {
  const [one, other] = [connect('shared'), connect('shared')];
  await Promise.all([whenShared('shared', one), whenShared('shared', other)]);
  await one.limiterOf(POLICY).take('ada');
  await other.limiterOf(POLICY).take('ada');
  expect((await one.limiterOf(POLICY).take('ada')).remaining).toBe(0);
  expect((await other.limiterOf(POLICY).take('ada')).isAllowed).toBe(false);
  expect((await other.limiterOf({ ...POLICY, name: 'client' }).take('ada')).remaining).toBe(2);
  const ttlMs = await control.pttl(`${keyRoot}:shared:user:ada`);
  expect(ttlMs).toBeGreaterThan(0);
  expect(ttlMs).toBeLessThanOrEqual(60_000);
});

test('while Redis is away a process counts by itself, and with the others again when it is back', async () => {
  const limits = connect('cut', 'proxy');
  await whenShared('cut', limits);
  const limiter = limits.limiterOf(POLICY);
  await limiter.take('ada');
  proxy.block();
  await eventually(async () => expect((await limiter.take(uniqueName('x'))).remaining).toBe(2));
  const states = [];
  for (let request = 0; request < 4; request += 1) states.push((await limiter.take('ada')).isAllowed);
  expect(states).toEqual([true, true, true, false]);
  proxy.restore();
  await whenShared('cut', limits);
  expect((await limiter.take('ada')).remaining).toBe(1);
});

test('a Redis that went silent holds a request up for no longer than the command timeout', async () => {
  const limits = connect('silent', 'proxy', 250);
  await whenShared('silent', limits);
  const limiter = limits.limiterOf(POLICY);
  proxy.freeze();
  expect((await limiter.take('ada')).isAllowed).toBe(true);
});

test('without a Redis at the start requests are counted in memory', async () => {
  const limits = createRedisRateLimits({
    address: { url: 'redis://127.0.0.1:1' },
    keyPrefix: 'x',
    logger: silentLogger,
  });
  open.push(limits);
  const limiter = limits.limiterOf({ ...POLICY, limit: 1 });
  expect([(await limiter.take('ada')).isAllowed, (await limiter.take('ada')).isAllowed]).toEqual([true, false]);
});
