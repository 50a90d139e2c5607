import { eventually } from '@lintel/testkit';
import { ownRedis } from '@lintel/testkit/backends';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const redis = await ownRedis();
const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
  SVC_REDIS_URL: redis.url,
  SVC_CACHE_MAX_STALENESS: '1s',
});
const { post, logIn, statusesOf } = createGatewayCaller(services.gateway.url);
afterAll(async () => {
  await dispose();
  await redis.dispose();
});

// Asserts contract/tokens.md#sessions.
test('during an outage of Redis all requests are refused; lost sessions and tokens cost a refresh, not a login', async () => {
  const clients = ['client', 'client-jwt'];
  const logins = await Promise.all(
    clients.map(async (client) => (await (await logIn(client, 'manager')).json()) as Tokens),
  );
  const known = logins.map((tokens) => tokens.access_token);
  expect(await statusesOf(known)).toEqual([200, 200]);

  await redis.stop();
  await eventually(async () => expect(await statusesOf(known)).toEqual([503, 503]));
  const refused = await logIn('client', 'manager');
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    503,
    'temporarily_unavailable',
  ]);

  // It comes back empty: nothing of it is on a disk.
  await redis.start();
  await eventually(async () => expect(await statusesOf(known)).toEqual([401, 401]));
  const refreshed = await Promise.all(
    logins.map(async ({ refresh_token }, index) => {
      const form = { grant_type: 'refresh_token', refresh_token };
      const response = await post('/oauth/token', clients[index] ?? '', form);
      return ((await response.json()) as Tokens).access_token;
    }),
  );
  // Auth has found it again; the other services may try for a second more.
  await eventually(async () => expect(await statusesOf(refreshed)).toEqual([200, 200]));
});
