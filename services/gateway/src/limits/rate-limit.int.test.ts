import { createRedisRateLimits, type RateLimits } from '@lintel/cache';
import { createLogger } from '@lintel/telemetry';
import { eventually, startTcpProxy, testEnvironment, uniqueName } from '@lintel/testkit';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

const silent = createLogger({ service: 'test', level: 'silent' });
function connect(keyPrefix: string, port?: number): RateLimits {
  const url = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
  if (port !== undefined) url.port = String(port);
  const limits = createRedisRateLimits({
    address: { url: url.href },
    keyPrefix,
    logger: silent,
    commandTimeoutMs: 30_000,
  });
  running.push(limits);
  return limits;
}

/** Waits until both count in Redis: a process that is not connected yet counts by itself. */
const countTogether = (one: RateLimits, other: RateLimits) =>
  eventually(async () => {
    const probe = { name: uniqueName('probe'), limit: 10, windowSeconds: 60 };
    await one.limiterOf(probe).take('x');
    expect((await other.limiterOf(probe).take('x')).remaining).toBe(8);
  });

async function start(properties: Record<string, string>, limits?: RateLimits): Promise<RunningGateway> {
  const gateway = await startGateway(properties, limits);
  running.unshift(gateway);
  return gateway;
}

const get = (gateway: RunningGateway, path: string, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { headers });
const as = (user: string) => ({ authorization: `Bearer opaque-${user}` });
const limitsOf = ({ status, headers }: Response) => [
  status,
  headers.get('ratelimit-policy'),
  headers.get('ratelimit')?.replace(/t=\d+/g, 't=…') ?? null,
];

test('users and addresses have generous limits unless they are off; then nothing is counted', async () => {
  const usual = await start({});
  expect(limitsOf(await get(usual, '/rest/userInfo', as('ada')))[1]).toBe('"user";q=12000;w=60');
  expect(limitsOf(await get(usual, '/rest/public/x'))[1]).toBe('"address";q=3000;w=60');
  const gateway = await start({ 'svc.gateway.rate-limit.user': 'off', 'svc.gateway.rate-limit.address': 'off' });
  expect(limitsOf(await get(gateway, '/rest/userInfo', as('ada')))).toEqual([200, null, null]);
});

test('refusals are counted by the limit that was used up', async () => {
  const gateway = await start({ 'svc.gateway.rate-limit.user': '1/1m', 'svc.gateway.rate-limit.client': '100/1m' });
  for (let each = 0; each < 3; each += 1) await get(gateway, '/rest/userInfo', as('ada'));
  const text = await gateway.metrics();
  expect(text).toMatch(/^lintel_gateway_rate_limit_refusals_total\{limit="user"\} 2$/m);
  expect(text).toMatch(/^lintel_gateway_rate_limit_refusals_total\{limit="client"\} 0$/m);
});

test('each user has a limit of its own, and every response says what remains of it; then 429', async () => {
  const gateway = await start({ 'svc.gateway.rate-limit.user': '2/1m' });
  const policy = '"user";q=2;w=60';
  expect(limitsOf(await get(gateway, '/rest/userInfo', as('ada')))).toEqual([200, policy, '"user";r=1;t=…']);
  expect(limitsOf(await get(gateway, '/rest/userInfo', as('ada')))).toEqual([200, policy, '"user";r=0;t=…']);
  const refused = await get(gateway, '/rest/userInfo', as('ada'));
  expect(limitsOf(refused)).toEqual([429, policy, '"user";r=0;t=…']);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(await refused.json()).toEqual({
    error: 'Too many requests',
    details: `The user has made more than 2 requests within 60 seconds; try again in ${seconds} seconds`,
  });
  expect((await get(gateway, '/rest/userInfo', as('bob'))).status).toBe(200);
  expect(gateway.upstreams.data.seen).toHaveLength(3);
});

test('the users of a client share its limit, and a response names every limit that applies', async () => {
  const gateway = await start({ 'svc.gateway.rate-limit.user': '5/1m', 'svc.gateway.rate-limit.client': '2/1h' });
  const first = await get(gateway, '/rest/userInfo', as('ada'));
  expect(limitsOf(first)).toEqual([200, '"user";q=5;w=60, "client";q=2;w=3600', '"user";r=4;t=…, "client";r=1;t=…']);
  expect((await get(gateway, '/rest/userInfo', as('bob'))).status).toBe(200);
  const refused = await get(gateway, '/rest/userInfo', as('eve'));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
});

test('requests without a token, with a bad one and to auth count for the address; preflights do not', async () => {
  const gateway = await start({ 'svc.gateway.rate-limit.address': '3/1m' });
  expect((await get(gateway, '/rest/userInfo', as('ada'))).status).toBe(200);
  const preflight = { origin: 'https://shop.test', 'access-control-request-method': 'GET' };
  for (let call = 0; call < 5; call += 1)
    await fetch(`${gateway.url}/rest/userInfo`, { method: 'OPTIONS', headers: preflight });
  expect(limitsOf(await get(gateway, '/rest/public/x'))).toEqual([200, '"address";q=3;w=60', '"address";r=2;t=…']);
  expect(limitsOf(await get(gateway, '/rest/userInfo', { authorization: 'Bearer garbage' }))[0]).toBe(401);
  expect((await fetch(`${gateway.url}/oauth/token`, { method: 'POST' })).status).toBe(200);
  expect((await get(gateway, '/rest/userInfo', { authorization: 'Bearer garbage' })).status).toBe(429);
  expect((await get(gateway, '/rest/public/x')).status).toBe(429);
  expect((await get(gateway, '/rest/userInfo', as('ada'))).status).toBe(200);
  expect(gateway.upstreams.auth.seen).toHaveLength(1);
});

test.each([
  ['in memory', false],
  ['in Redis', true],
])(
  'an address that has used up its limit, counted %s, sends no more tokens to auth; known ones go on',
  async (_, isShared) => {
    const prefix = `${uniqueName('limits')}:`;
    const limits = isShared ? connect(prefix) : undefined;
    if (limits !== undefined) await countTogether(limits, connect(prefix));
    const gateway = await start({ 'svc.gateway.rate-limit.address': '3/1m' }, limits);
    expect((await get(gateway, '/rest/userInfo', as('ada'))).status).toBe(200);
    const statuses: number[] = [];
    for (let each = 0; each < 20; each += 1)
      statuses.push((await get(gateway, '/rest/userInfo', { authorization: `Bearer random-${each}` })).status);
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(new Set(statuses.slice(3))).toEqual(new Set([429]));
    const asked = gateway.exchanged.length;
    // One more with Redis: the process learns from a request that the limit is used up.
    expect(asked).toBe(isShared ? 5 : 4);
    const refused = await get(gateway, '/rest/userInfo', as('new'));
    expect(limitsOf(refused)).toEqual([429, '"address";q=3;w=60', '"address";r=0;t=…']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get(gateway, '/rest/userInfo', as('ada'))).status).toBe(200);
    expect(gateway.exchanged).toHaveLength(asked);
  },
);

test('a token endpoint refuses in the OAuth form', async () => {
  const gateway = await start({ 'svc.gateway.rate-limit.address': '1/1m' });
  const login = () => fetch(`${gateway.url}/oauth2/token`, { method: 'POST', body: 'grant_type=x' });
  expect((await login()).status).toBe(200);
  const refused = await login();
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(/^The address has made more than 1 requests within 60 seconds/),
    },
  ]);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
});

test('the address is the one that trusted proxies report, and no client can choose it', async () => {
  const limit = { 'svc.gateway.rate-limit.address': '1/1m' };
  const trusting = await start({ ...limit, 'svc.gateway.trusted-proxies': '127.0.0.1' });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  expect((await get(trusting, '/rest/public/x', from('6.6.6.6, 192.0.2.1'))).status).toBe(200);
  expect((await get(trusting, '/rest/public/x', from('7.7.7.7, 192.0.2.1'))).status).toBe(429);
  expect((await get(trusting, '/rest/public/x', from('192.0.2.2'))).status).toBe(200);
  expect((await get(trusting, '/rest/public/x', from('2001:db9::1'))).status).toBe(200);
  // All addresses of a /64 belong to one subscriber.
  expect((await get(trusting, '/rest/public/x', from('2001:db9::2'))).status).toBe(429);
  const strict = await start(limit);
  expect((await get(strict, '/rest/public/x', from('192.0.2.1'))).status).toBe(200);
  expect((await get(strict, '/rest/public/x', from('192.0.2.2'))).status).toBe(429);
});

test('replicas count together in Redis; while it is unavailable each counts alone, and no request fails', async () => {
  const prefix = `${uniqueName('limits')}:`;
  const { hostname, port } = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  running.push(proxy);
  const [one, other] = [connect(prefix), connect(prefix, proxy.port)];
  await countTogether(one, other);
  const limit = { 'svc.gateway.rate-limit.user': '3/1m' };
  const [first, second] = [await start(limit, one), await start(limit, other)];
  const restOf = async (gateway: RunningGateway) => {
    const response = await get(gateway, '/rest/userInfo', as('ada'));
    return [response.status, response.headers.get('ratelimit')?.split(';')[1]];
  };
  expect([await restOf(first), await restOf(second), await restOf(first), await restOf(second)]).toEqual([
    [200, 'r=2'],
    [200, 'r=1'],
    [200, 'r=0'],
    [429, 'r=0'],
  ]);
  proxy.block();
  const responses = await Promise.all(Array.from({ length: 4 }, () => get(second, '/rest/userInfo', as('bob'))));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
  expect((await restOf(first))[0]).toBe(429);
});
