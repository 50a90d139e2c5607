import { randomUUID } from 'node:crypto';
import { createTestDatabase, eventually } from '@lintel/testkit';
import { startPgBouncer } from '@lintel/testkit/backends';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

// Needs LINTEL_TEST_POSTGRES_URL, LINTEL_TEST_REDIS_URL, LINTEL_TEST_AMQP_URL and LINTEL_TEST_PGBOUNCER_PROGRAM.
const TAGS = '/rest/entities/sales_ProductTag';
const CLIENTS = 6;
const ROUNDS = 8;
const TAG_COUNT = 3_000;
const BATCH = 500;

const database = await createTestDatabase('pooled');
// Fewer sessions than the services have connections.
const pooler = await startPgBouncer({ serverUrl: database.url, settings: { default_pool_size: '6' } });
const { services, dispose } = await startServiceProcesses(['auth', 'data', 'files', 'gateway', 'reports'], {
  SVC_DATASOURCE_URL: pooler.through(database.url),
  SVC_DATASOURCE_DIRECT_URL: database.url,
  SVC_DATASOURCE_POOLER: 'transaction',
  // All clients are one user, who sends more requests than others may.
  SVC_GATEWAY_RATE_LIMIT_USER: 'off',
});
const token = await createGatewayCaller(services.gateway.url).tokenOf('client', 'admin');
afterAll(async () => {
  await dispose();
  await pooler.dispose();
  await database.drop();
});

const send = (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(`${services.gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });

async function receive<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  const text = await response.text();
  expect([response.status, response.status === status ? '' : text]).toEqual([status, '']);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

const named = (name: string): string =>
  encodeURIComponent(JSON.stringify({ conditions: [{ property: 'name', operator: '=', value: name }] }));

/** Writes, and reads what it has written. */
async function write(): Promise<void> {
  const name = randomUUID();
  const { id } = await receive<{ id: string }>(201, 'POST', TAGS, { name });
  expect(await receive(200, 'GET', `${TAGS}/search/count?filter=${named(name)}`)).toBe(1);
  await receive(200, 'PUT', `${TAGS}/${id}`, { name: `${name} 2` });
  expect(await receive(200, 'GET', `${TAGS}/search?filter=${named(`${name} 2`)}`)).toHaveLength(1);
  expect((await send('DELETE', `${TAGS}/${id}`)).status).toBe(204);
}

/** Reads every tag from a cursor. */
const stream = async (): Promise<void> => {
  const tags = await receive<unknown[]>(200, 'GET', `${TAGS}?limit=${2 * TAG_COUNT}`);
  expect(tags.length).toBeGreaterThanOrEqual(TAG_COUNT);
};

/** Leaves while the response is on its way. */
async function leave(afterMs: number): Promise<void> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), afterMs);
  await send('GET', `${TAGS}?limit=${2 * TAG_COUNT}&sort=-name`, undefined, abort.signal)
    .then((response) => response.text())
    .catch((error: Error) => expect(error.name).toBe('AbortError'));
}

const report = (): Promise<void> =>
  send('POST', '/rest/reports/run/code/sales-by-customer', {
    template: 'csv',
    parameters: [
      { name: 'from', value: '2026-01-01' },
      { name: 'to', value: '2026-12-31' },
    ],
  }).then(async (response) => {
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Customer')]);
  });

test('all services work through a pooler in transaction mode, with concurrent requests of all kinds', async () => {
  for (let from = 0; from < TAG_COUNT; from += BATCH)
    await receive(
      201,
      'POST',
      TAGS,
      Array.from({ length: BATCH }, (_, at) => ({ name: `tag ${from + at}` })),
    );
  const client = async (at: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const work = [write, stream, leave, write, report, leave][(at + round) % 6] ?? write;
      await work(((at + 1) * (round + 1) * 7) % 40);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)));
  // No session was left in a transaction, and every event was sent.
  await eventually(async () => {
    const open = await database.query(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
    );
    const waiting = await database.query('SELECT FROM events.outbox WHERE published_at IS NULL');
    expect([open, waiting]).toEqual([[], []]);
  });
});
