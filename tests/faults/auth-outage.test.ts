import { setTimeout as sleep } from 'node:timers/promises';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

/** Long enough to send several requests within it. */
const STALENESS_MS = 8_000;

const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
  SVC_CACHE_MAX_STALENESS: `${STALENESS_MS}ms`,
});
const { auth, gateway } = services;
const { logIn, tokenOf, statusesOf } = createGatewayCaller(gateway.url);
afterAll(dispose);

// Asserts contract/decisions.md#55.
test('during an outage of auth known tokens are accepted for the staleness bound, logins fail, and both work afterwards', async () => {
  const clients = ['client', 'client-jwt'];
  const tokens = () => Promise.all(clients.map((client) => tokenOf(client, 'manager')));
  const [known, unknown] = [await tokens(), await tokens()];
  const beforeMs = performance.now();
  expect(await statusesOf(known)).toEqual([200, 200]);
  const exchangedMs = performance.now();

  await auth.kill();
  // Every request is verified by the gateway and by the service, with the keys that they have.
  for (let round = 0; round < 5; round += 1) {
    const statuses = await statusesOf(known);
    // A machine that stood still may have let the time pass.
    if (performance.now() - beforeMs < STALENESS_MS) expect(statuses).toEqual([200, 200]);
  }

  for (const client of clients) {
    const login = await logIn(client, 'manager');
    expect([login.status, ((await login.json()) as { error: string }).error]).toEqual([503, 'temporarily_unavailable']);
  }
  expect(await statusesOf(unknown)).toEqual([503, 503]);
  const [head, payload] = (known[1] ?? '').split('.');
  expect(await statusesOf([`${head}.${payload}.AAAA`])).toEqual([401]);

  await sleep(Math.max(0, exchangedMs + STALENESS_MS + 100 - performance.now()));
  expect(await statusesOf(known)).toEqual([503, 503]);

  await auth.start();
  expect(await statusesOf([...known, ...unknown])).toEqual([200, 200, 200, 200]);
  expect((await logIn('client', 'manager')).status).toBe(200);
});
