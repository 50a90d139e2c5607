import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGatewayCaller } from './gateway-caller.ts';
import { type RunningService, startServiceProcesses } from './service-processes.ts';

const IN_FLIGHT = 50;
const READY_POLL_MS = 100;

const { replicas, services, dispose } = await startServiceProcesses(
  ['auth', 'data', 'files', 'reports', 'gateway'],
  { SVC_SHUTDOWN_DELAY: '1500ms', SVC_GATEWAY_HEALTH_INTERVAL: '200ms' },
  2,
);
let watching = true;
afterAll(async () => {
  watching = false;
  await dispose();
});

/** The gateways that are ready, as a load balancer in front of them would know it. */
const ready = new Set<RunningService>(replicas.gateway);
async function watch(gateway: RunningService): Promise<void> {
  while (watching) {
    const isReady = await fetch(`${gateway.url}/health/ready`).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
    if (isReady) ready.add(gateway);
    else ready.delete(gateway);
    await sleep(READY_POLL_MS);
  }
}

let turn = 0;
function nextUrl(): string {
  turn += 1;
  const gateways = [...ready];
  return gateways[turn % gateways.length]?.url ?? '';
}

/** What goes wrong, in words; a failed call does not stop its caller. */
const failures: string[] = [];
const counts = new Map<string, number>();

async function call(
  name: string,
  method: string,
  path: string,
  init: RequestInit,
  expected: number,
): Promise<Response> {
  const url = nextUrl();
  const answer = await fetch(url + path, { method, ...init });
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (answer.status !== expected)
    throw new Error(`${name} at ${url}: ${answer.status} ${await answer.text()} ${answer.headers.get('x-trace-id')}`);
  return answer;
}

/** One kind of request after the other, for ever, with the token of a user. */
async function work(authorization: string, customer: string, isWorking: () => boolean, first: number): Promise<void> {
  const headers = { authorization };
  const content = randomBytes(300_000);
  const steps = [
    async () => {
      const answer = await call('list', 'GET', '/rest/entities/sales_Order?limit=5', { headers }, 200);
      await answer.arrayBuffer();
    },
    async () => {
      const order = { number: randomUUID().slice(0, 18), date: '2026-03-04', customer: { id: customer } };
      const body = JSON.stringify(order);
      const created = await call('create', 'POST', '/rest/entities/sales_Order', { headers, body }, 201);
      const { id } = (await created.json()) as { id: string };
      const update = JSON.stringify({ date: '2026-03-05' });
      const path = `/rest/entities/sales_Order/${id}`;
      await (await call('update', 'PUT', path, { headers, body: update }, 200)).arrayBuffer();
      await call('delete', 'DELETE', path, { headers }, 204);
    },
    async () => {
      const upload = await call('upload', 'POST', '/rest/files?name=a.bin', { headers, body: content }, 201);
      const { fileRef } = (await upload.json()) as { fileRef: string };
      const path = `/rest/files?fileRef=${encodeURIComponent(fileRef)}`;
      const bytes = await (await call('download', 'GET', path, { headers }, 200)).arrayBuffer();
      if (!content.equals(new Uint8Array(bytes))) throw new Error('download: other bytes than were uploaded');
    },
    async () => {
      const parameters = [
        { name: 'from', value: '2026-01-01' },
        { name: 'to', value: '2026-12-31' },
      ];
      const body = JSON.stringify({ parameters });
      const path = '/rest/reports/run/code/sales-by-customer';
      await (await call('report', 'POST', path, { headers, body }, 200)).arrayBuffer();
    },
    async () => {
      const form = new URLSearchParams({ grant_type: 'client_credentials' });
      const basic = { authorization: `Basic ${btoa('client-jwt:secret')}` };
      await (await call('token', 'POST', '/oauth2/token', { headers: basic, body: form }, 200)).arrayBuffer();
    },
  ];
  for (let step = first; isWorking(); step += 1) {
    try {
      await steps[step % steps.length]?.();
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? ` (${String(error.cause)})` : '';
      failures.push(`${String(error)}${cause}`);
      await sleep(50);
    }
  }
}

test('with 50 requests in flight each service is restarted in turn without a failed request', async () => {
  const { tokenOf } = createGatewayCaller(services.gateway.url);
  const tokens = await Promise.all(['client', 'client-jwt'].map((client) => tokenOf(client, 'admin')));
  const customers = await fetch(`${services.gateway.url}/rest/entities/sales_Customer?limit=1`, {
    headers: { authorization: `Bearer ${tokens[0]}` },
  });
  const [customer] = (await customers.json()) as { id: string }[];
  const watchers = replicas.gateway.map(watch);
  let working = true;
  const workers = Array.from({ length: IN_FLIGHT }, (_, index) =>
    work(`Bearer ${tokens[index % tokens.length]}`, customer?.id ?? '', () => working, index),
  );
  await sleep(1_000);
  for (const name of ['data', 'auth', 'files', 'reports', 'gateway'] as const) {
    for (const replica of name === 'gateway' ? replicas[name] : replicas[name].slice(0, 1)) {
      expect([name, await replica.stop()]).toEqual([name, 0]);
      await replica.start();
      await sleep(300);
    }
  }
  working = false;
  await Promise.all(workers);
  watching = false;
  await Promise.all(watchers);
  expect(failures).toEqual([]);
  expect([...counts.keys()].sort()).toEqual([
    'create',
    'delete',
    'download',
    'list',
    'report',
    'token',
    'update',
    'upload',
  ]);
  process.stdout.write(`requests: ${JSON.stringify(Object.fromEntries(counts))}\n`);
}, 240_000);
