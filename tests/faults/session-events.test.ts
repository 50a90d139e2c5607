import { eventually } from '@lintel/testkit';
import { ownBroker } from '@lintel/testkit/backends';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

/** An exchanged token is accepted for five seconds while no event comes, and never after a minute anyway. */
const BLIND_MS = 30_000;

const broker = await ownBroker();
const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
  SVC_BROKER_URLS: broker.url,
});
const { url } = services.gateway;
const { post, tokenOf, statusesOf } = createGatewayCaller(url);
afterAll(async () => {
  await dispose();
  await broker.dispose();
});

async function disable(username: string): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenOf('client', 'admin')}` };
  const filter = JSON.stringify({ conditions: [{ property: 'username', operator: '=', value: username }] });
  const found = await fetch(`${url}/rest/entities/sec_User/search?filter=${encodeURIComponent(filter)}`, { headers });
  const [user] = (await found.json()) as readonly { readonly id: string }[];
  const body = JSON.stringify({ active: false });
  const changed = await fetch(`${url}/rest/entities/sec_User/${user?.id}`, { method: 'PUT', headers, body });
  expect(changed.status).toBe(200);
}

// Asserts contract/decisions.md#55.
test('while the broker is away, revocations and changes of users act within seconds', async () => {
  const clients = ['client', 'client-jwt'];
  const revoked = await Promise.all(clients.map((client) => tokenOf(client, 'manager')));
  const disabled = await Promise.all(clients.map((client) => tokenOf(client, 'clerk')));
  expect(await statusesOf([...revoked, ...disabled])).toEqual([200, 200, 200, 200]);

  await broker.stop();
  for (const [index, client] of clients.entries())
    expect((await post('/oauth2/revoke', client, { token: revoked[index] ?? '' })).status).toBe(200);
  await eventually(async () => expect(await statusesOf(revoked)).toEqual([401, 401]), { timeoutMs: BLIND_MS });

  await disable('clerk');
  await eventually(async () => expect(await statusesOf(disabled)).toEqual([401, 401]), { timeoutMs: BLIND_MS });
  await broker.start();
});
