import { setTimeout as sleep } from 'node:timers/promises';
import { startServiceProcesses } from './service-processes.ts';

/** Long enough to ask several times within it, on a busy machine too. */
const STALENESS_MS = 8_000;

const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
  SVC_CACHE_MAX_STALENESS: `${STALENESS_MS}ms`,
});
const { auth, gateway } = services;
afterAll(dispose);

const logIn = (clientId: string): Promise<Response> =>
  fetch(`${gateway.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:secret`)}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'manager', password: 'manager' }),
  });
const tokenOf = async (clientId: string): Promise<string> =>
  ((await (await logIn(clientId)).json()) as { access_token: string }).access_token;
const call = async (token: string): Promise<number> => {
  const response = await fetch(`${gateway.url}/rest/userInfo`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
};

test('while auth is away known tokens go on for the staleness bound, nobody logs in, and all is well afterwards', async () => {
  const clients = ['client', 'client-jwt'];
  const known = await Promise.all(clients.map(tokenOf));
  const unknown = await Promise.all(clients.map(tokenOf));
  const askAll = (tokens: readonly string[]): Promise<readonly number[]> => Promise.all(tokens.map(call));
  expect(await askAll(known)).toEqual([200, 200]);
  const exchangedAt = Date.now();

  await auth.kill();
  // Every request is verified by the gateway and by the service, with the keys that they have.
  for (let round = 0; round < 5; round += 1) expect(await askAll(known)).toEqual([200, 200]);

  for (const client of clients) {
    const login = await logIn(client);
    expect([login.status, ((await login.json()) as { error: string }).error]).toEqual([503, 'temporarily_unavailable']);
  }
  expect(await askAll(unknown)).toEqual([503, 503]);
  const [head, payload] = (known[1] ?? '').split('.');
  expect(await call(`${head}.${payload}.AAAA`)).toBe(401);

  await sleep(exchangedAt + STALENESS_MS + 100 - Date.now());
  expect(await askAll(known)).toEqual([503, 503]);

  await auth.start();
  expect(await askAll([...known, ...unknown])).toEqual([200, 200, 200, 200]);
  expect((await logIn('client')).status).toBe(200);
}, 120_000);
