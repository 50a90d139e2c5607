import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lintel/testkit';
import { ownPostgres } from '@lintel/testkit/backends';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

// Needs LINTEL_TEST_POSTGRES_URL, LINTEL_TEST_REDIS_URL, LINTEL_TEST_AMQP_URL and startServiceProcesses.
const LAG_MS = 5_000;
const SESSIONS = 6;
const ROUNDS = 4;
const ROUND_MS = 2_500;
const WAIT = { timeoutMs: 120_000 };

const postgres = await ownPostgres();
await postgres.addStandby({ isAsynchronous: true });
const { replicas, services, dispose } = await startServiceProcesses(
  ['auth', 'data', 'gateway'],
  {
    SVC_DATASOURCE_URL: postgres.url,
    SVC_DATASOURCE_READ_URLS: postgres.standbyUrl,
    SVC_DATASOURCE_MAX_REPLICA_LAG: `${LAG_MS}ms`,
    // All sessions are of one user, who sends more requests than others may.
    SVC_GATEWAY_RATE_LIMIT_USER: 'off',
  },
  2,
);
afterAll(async () => {
  await dispose();
  await postgres.dispose();
});

const TAGS = '/rest/entities/sales_ProductTag';
let count = 0;
/** Requests alternate between the gateways, and so between the data services. */
async function call(token: string, method: string, path: string, body?: object): Promise<Response> {
  count += 1;
  return fetch(`${replicas.gateway[count % 2]?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const tokens = (): Promise<readonly string[]> => {
  const { tokenOf } = createGatewayCaller(services.gateway.url);
  return Promise.all(Array.from({ length: SESSIONS }, () => tokenOf('client', 'admin')));
};
const named = (name: string): string =>
  encodeURIComponent(JSON.stringify({ conditions: [{ property: 'name', operator: '=', value: name }] }));

/** Creates, changes and deletes instances, and reads each time what it has done. */
async function work(token: string, isWorking: () => boolean): Promise<number> {
  let writes = 0;
  while (isWorking()) {
    const [first, second] = [randomUUID(), randomUUID()];
    const created = await call(token, 'POST', TAGS, { name: first });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    expect(await (await call(token, 'GET', `${TAGS}/search/count?filter=${named(first)}`)).text()).toBe('1');
    expect((await call(token, 'PUT', `${TAGS}/${id}`, { name: second })).status).toBe(200);
    expect(await (await call(token, 'GET', `${TAGS}/${id}`)).json()).toMatchObject({ name: second });
    expect((await call(token, 'DELETE', `${TAGS}/${id}`)).status).toBe(204);
    expect((await call(token, 'GET', `${TAGS}/${id}`)).status).toBe(404);
    const found = await call(token, 'GET', `${TAGS}/search?filter=${named(second)}`);
    expect([found.status, await found.text()]).toEqual([200, '[]']);
    writes += 3;
  }
  return writes;
}

test('sessions find what they wrote, while the replica stops, goes on, dies and comes back', async () => {
  const [writer = '', reader = '', ...others] = await tokens();
  // Reads go to the replica: somebody else's write is not there while nothing is replayed.
  const seenByReader = async (): Promise<boolean> => {
    const name = randomUUID();
    expect((await call(writer, 'POST', TAGS, { name })).status).toBe(201);
    return (await (await call(reader, 'GET', `${TAGS}/search/count?filter=${named(name)}`)).text()) === '1';
  };
  await eventually(async () => {
    await postgres.queryStandby('SELECT pg_wal_replay_pause()');
    const isSeen = await seenByReader();
    await postgres.queryStandby('SELECT pg_wal_replay_resume()');
    expect(isSeen).toBe(false);
  }, WAIT);

  let isWorking = true;
  const working = Promise.all(others.map((token) => work(token, () => isWorking)));
  const faults = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await postgres.queryStandby('SELECT pg_wal_replay_pause()');
      // In every second round until the replica lags too far.
      await sleep(round % 2 === 0 ? ROUND_MS : LAG_MS + ROUND_MS);
      await postgres.queryStandby('SELECT pg_wal_replay_resume()');
      await sleep(ROUND_MS);
      await postgres.killStandby();
      await sleep(ROUND_MS);
      await postgres.startStandby();
      await sleep(ROUND_MS);
    }
  };
  await Promise.race([faults(), working]);
  isWorking = false;
  for (const writes of await working) expect(writes).toBeGreaterThan(0);
}, 300_000);
