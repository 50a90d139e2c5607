import { createRedisStore, type KeyValueStore } from '@lintel/cache';
import { createLogger } from '@lintel/telemetry';
import {
  eventually,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
  testEnvironment,
  uniqueName,
} from '@lintel/testkit';
import { ownRedis } from '@lintel/testkit/backends';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';

const CLERK = { grant_type: 'password', username: 'clerk', password: 'clerk' };
const logger = createLogger({ service: 'auth', level: 'silent' });
/** Longer than a machine may stand still; without a connection nothing waits for it. */
const commandTimeoutMs = 30_000;

const UNAVAILABLE = [503, 'temporarily_unavailable', '1', 'no-store'];
const facts = ({ status, json, headers }: TestResponse) => [
  status,
  json.error,
  headers.get('retry-after'),
  headers.get('cache-control'),
];

describe('while Redis is away', () => {
  let testDatabase: TestDatabase;
  let proxy: TcpProxy;
  let keyValues: KeyValueStore;
  let auth: RunningAuth;

  beforeAll(async () => {
    testDatabase = await createAuthDatabase();
    const url = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    keyValues = createRedisStore({
      address: { url: url.href },
      keyPrefix: `${uniqueName('auth')}:`,
      logger,
      commandTimeoutMs,
    });
    auth = await startAuth(testDatabase, { keyValues });
    await auth.addUser('clerk');
  });
  beforeEach(async () => {
    proxy.restore();
    await eventually(() => expect(keyValues.assertReady()).resolves.toBeUndefined());
  });
  afterAll(async () => {
    await auth.close();
    await keyValues.close();
    await proxy.close();
    await testDatabase.drop();
  });

  test.each(['/oauth', '/oauth2'])('%s gives and takes no tokens: 503 that says when to come again', async (family) => {
    const tokens = (await auth.post('/oauth/token', CLERK)).json;
    proxy.block();
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(facts(await auth.post(`${family}/token`, CLERK))).toEqual(UNAVAILABLE);
    expect(facts(await auth.post(`${family}/token`, refresh))).toEqual(UNAVAILABLE);
    expect(facts(await auth.post(`${family}/revoke`, { token: tokens.access_token }))).toEqual(UNAVAILABLE);
    const client = 'integration:secret';
    const grant = { grant_type: 'client_credentials' };
    expect(facts(await auth.post('/oauth2/token', grant, { client }))).toEqual(UNAVAILABLE);
    expect(facts(await auth.post('/oauth2/introspect', { token: tokens.access_token }))).toEqual(UNAVAILABLE);
  });

  test('no token is exchanged, and none counts as unknown', async () => {
    const { access_token: token } = (await auth.post('/oauth/token', CLERK)).json;
    proxy.block();
    const response = await auth.internal('/exchange', { token });
    expect([response.status, response.json, response.headers.get('retry-after')]).toEqual([
      503,
      { error: 'Service unavailable', details: 'The session store does not respond' },
      '1',
    ]);
    expect((await fetch(`${auth.url}/health/ready`)).status).toBe(503);
    proxy.restore();
    await eventually(async () => expect((await auth.internal('/exchange', { token })).status).toBe(200));
  });

  test('it is found again within a second', async () => {
    proxy.block();
    await eventually(async () => expect((await auth.post('/oauth/token', CLERK)).status).toBe(503));
    // Long enough for the delay between attempts to reach its maximum.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    proxy.restore();
    // Unlimited delays would be far longer.
    await eventually(() => expect(keyValues.assertReady()).resolves.toBeUndefined());
    expect((await auth.post('/oauth/token', CLERK)).status).toBe(200);
  });
});

test('after a flush a token is unknown once, and a refresh makes the session anew', async () => {
  const [testDatabase, redis] = await Promise.all([createAuthDatabase(), ownRedis()]);
  const keyValues = createRedisStore({ address: { url: redis.url }, keyPrefix: 'auth:', logger, commandTimeoutMs });
  const auth = await startAuth(testDatabase, { keyValues });
  try {
    await auth.addUser('clerk', { roles: ['rest-minimal'] });
    const before = (await auth.post('/oauth/token', CLERK)).json;
    // Redis has stored nothing on disk.
    await redis.stop();
    await redis.start();
    await eventually(() => expect(keyValues.assertReady()).resolves.toBeUndefined());
    const exchange = (token: string) => auth.internal('/exchange', { token });
    const refused = await exchange(before.access_token);
    expect([refused.status, refused.json]).toEqual([401, { reason: 'invalid' }]);
    const refresh = { grant_type: 'refresh_token', refresh_token: before.refresh_token };
    const after = (await auth.post('/oauth/token', refresh)).json;
    expect((await exchange(after.access_token)).status).toBe(200);
    expect(await auth.sessions.load(before['OAuth2.SESSION_ID'])).toMatchObject({
      username: 'clerk',
      resourceRoles: ['rest-minimal'],
    });
  } finally {
    await auth.close();
    await keyValues.close();
    await redis.dispose();
    await testDatabase.drop();
  }
});
