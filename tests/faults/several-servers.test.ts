import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lintel/testkit';
import { ownPostgres } from '@lintel/testkit/backends';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

// Needs LINTEL_TEST_POSTGRES_URL, LINTEL_TEST_REDIS_URL, LINTEL_TEST_AMQP_URL and startServiceProcesses.
const TAGS = '/rest/entities/sales_ProductTag';
const WRITERS = 4;
const WAIT = { timeoutMs: 60_000 };

const postgres = await ownPostgres();
await postgres.addStandby();
const [first, second] = [postgres.standbyPort, postgres.port];
const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
  // The replica is the first one.
  SVC_DATASOURCE_URL: `postgres://postgres:secret@127.0.0.1:${first},127.0.0.1:${second}/lintel_test`,
  SVC_GATEWAY_RATE_LIMIT_USER: 'off',
});
const caller = createGatewayCaller(services.gateway.url);
afterAll(async () => {
  await dispose();
  await postgres.dispose();
});

test('services follow a failover among the servers of their URL, and lose nothing that they acknowledged', async () => {
  const token = await caller.tokenOf('client', 'admin');
  const acknowledged: string[] = [];
  const refusals: { readonly status: number; readonly retryAfter: string | null }[] = [];
  let isWriting = true;
  const write = async (): Promise<void> => {
    while (isWriting) {
      const name = randomUUID();
      const response = await fetch(`${services.gateway.url}${TAGS}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ name }),
      });
      await response.text();
      if (response.status === 201) acknowledged.push(name);
      else refusals.push({ status: response.status, retryAfter: response.headers.get('retry-after') });
      if (response.status !== 201) await sleep(50);
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  await eventually(async () => expect(acknowledged.length).toBeGreaterThan(50), WAIT);
  expect(refusals).toEqual([]);

  await postgres.kill();
  await eventually(async () => expect(refusals.length).toBeGreaterThan(WRITERS), WAIT);
  await postgres.promoteStandby();
  const before = acknowledged.length;
  await eventually(async () => expect(acknowledged.length).toBeGreaterThan(before + 50), WAIT);
  isWriting = false;
  await Promise.all(writers);

  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
  expect(refusals.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
  const stored = new Set(
    (await postgres.query<{ name: string }>('SELECT name FROM sales.product_tag')).map((row) => row.name),
  );
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  // Auth has found the new primary, too, and the relay sends every event.
  expect((await caller.logIn('client', 'manager')).status).toBe(200);
  await eventually(
    async () => expect(await postgres.query('SELECT FROM events.outbox WHERE published_at IS NULL')).toEqual([]),
    WAIT,
  );
});
