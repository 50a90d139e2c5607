import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lintel/testkit';
import { IS_LONG } from './fault-length.ts';
import { createGatewayCaller } from './gateway-caller.ts';
import { MachinePace } from './load/machine-pace.ts';
import { proveOwnWrites } from './load/prove-own-writes.ts';
import { type RunningService, startServiceProcesses } from './service-processes.ts';

const IN_FLIGHT = 50;
const READY_POLL_MS = 100;
/**
 * A process that stops is not ready for so long before it closes its connections. Where the machine stands still
 * meanwhile, others do not learn of it.
 */
const DRAIN_MS = 3_000;

const folder = mkdtempSync(join(tmpdir(), 'lintel-replicas-'));
const { replicas, services, dispose } = await startServiceProcesses(
  ['auth', 'data', 'files', 'reports', 'gateway'],
  {
    SVC_SHUTDOWN_DELAY: `${DRAIN_MS}ms`,
    SVC_FILES_STORAGE_FS_PATH: folder,
    // One for each request: where the machine is busy, a wait for a connection would be refused after five seconds.
    SVC_DATASOURCE_POOL_SIZE: String(IN_FLIGHT),
    // A gateway on a busy machine would refuse requests as overloaded; that is not what this test is about.
    SVC_GATEWAY_MAX_EVENT_LOOP_DELAY: '10s',
    // All of them are of one user, and may be uploads, downloads or runs of reports, in the one process that remains.
    SVC_FILES_MAX_UPLOADS_PER_USER: String(IN_FLIGHT),
    SVC_FILES_MAX_DOWNLOADS_PER_USER: String(IN_FLIGHT),
    // One user has at most half of the runs.
    SVC_REPORTS_MAX_CONCURRENT_RUNS: String(2 * IN_FLIGHT),
  },
  2,
);
let watching = true;
afterAll(async () => {
  watching = false;
  await dispose();
  rmSync(folder, { recursive: true });
});

/** The gateways that are ready, as a load balancer in front of them would know it. */
const ready = new Set<RunningService>(replicas.gateway);
async function watch(gateway: RunningService): Promise<void> {
  while (watching) {
    const isReady = await fetch(`${gateway.url}/health/ready`).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (isReady) ready.add(gateway);
    else ready.delete(gateway);
    await sleep(READY_POLL_MS);
  }
}

let count = 0;
function nextUrl(): string {
  count += 1;
  const gateways = [...ready];
  return gateways[count % gateways.length]?.url ?? '';
}

/** What goes wrong, in words; a failed call does not stop its caller. */
const failures: { readonly what: string; readonly fromMs: number; readonly toMs: number }[] = [];
const counts = new Map<string, number>();

async function call(
  name: string,
  method: string,
  path: string,
  init: RequestInit,
  expected: number,
): Promise<Response> {
  const url = nextUrl();
  const response = await fetch(url + path, { method, ...init });
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (response.status !== expected)
    throw new Error(
      `${name} at ${url}: ${response.status} ${await response.text()} ${response.headers.get('x-trace-id')}`,
    );
  return response;
}

/** One kind of request after the other, for ever, with the token of a user. */
async function work(authorization: string, customer: string, isWorking: () => boolean, first: number): Promise<void> {
  const headers = { authorization };
  const content = randomBytes(300_000);
  const steps = [
    async () => {
      const response = await call('list', 'GET', '/rest/entities/sales_Order?limit=5', { headers }, 200);
      await response.arrayBuffer();
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
    const fromMs = performance.now();
    try {
      await steps[step % steps.length]?.();
    } catch (error) {
      // Errors of `fetch` are of another realm than the tests: `instanceof` does not know them.
      const { cause: reason } = error as { readonly cause?: unknown };
      const cause = reason === undefined ? '' : ` (${String(reason)})`;
      failures.push({ what: `${String(error)}${cause}`, fromMs, toMs: performance.now() });
      await sleep(50);
    }
  }
}

/** Runs `disturb` while 50 requests are in flight, and returns what went wrong for their callers. */
async function failuresThrough(disturb: () => Promise<void>): Promise<readonly string[]> {
  failures.length = 0;
  counts.clear();
  const pace = new MachinePace();
  const { tokenOf } = createGatewayCaller(services.gateway.url);
  const tokens = await Promise.all(['client', 'client-jwt'].map((client) => tokenOf(client, 'admin')));
  const customers = await fetch(`${services.gateway.url}/rest/entities/sales_Customer?limit=1`, {
    headers: { authorization: `Bearer ${tokens[0]}` },
  });
  const [customer] = (await customers.json()) as { id: string }[];
  let working = true;
  const workers = Array.from({ length: IN_FLIGHT }, (_, index) =>
    work(`Bearer ${tokens[index % tokens.length]}`, customer?.id ?? '', () => working, index),
  );
  await sleep(1_000);
  await disturb();
  working = false;
  await Promise.all(workers);
  // As long as a sample takes at most.
  await sleep(1_000);
  pace.stop();
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
  process.stdout.write(`requests: ${JSON.stringify(Object.fromEntries(counts))}, failures: ${failures.length}\n`);
  return failures
    .filter(({ fromMs, toMs }) => pace.standstillBetween(fromMs - DRAIN_MS, toMs) < DRAIN_MS / 2)
    .map(({ what }) => what);
}

test('a client sees its own changes in the next request, whichever replicas respond', async () => {
  await proveOwnWrites(replicas.gateway.map(({ url }) => url));
});

test('with 50 requests in flight each service is restarted in turn without a failed request', async () => {
  const watchers = replicas.gateway.map(watch);
  const failed = await failuresThrough(async () => {
    for (const name of ['data', 'auth', 'files', 'reports', 'gateway'] as const) {
      for (const replica of name === 'gateway' ? replicas[name] : replicas[name].slice(0, 1)) {
        expect([name, await replica.stop()]).toEqual([name, 0]);
        await replica.start();
        await sleep(300);
      }
    }
  });
  watching = false;
  await Promise.all(watchers);
  expect(failed).toEqual([]);
}, 600_000);

test('of two replicas one is killed: what it had in hand breaks off, and everything else is served by the other', async () => {
  const killed = (['data', 'auth', 'files', 'reports'] as const).map((name) => replicas[name][0]);
  const failed = await failuresThrough(async () => {
    for (const replica of killed) {
      await replica?.kill();
      await sleep(700);
    }
  });
  await Promise.all(killed.map((replica) => replica?.start()));
  // 502, at the token endpoint in the form of OAuth, where it broke off before its response began; else the response is
  // cut, perhaps before its first byte has arrived. That is the end of a connection, never a reset. Where data had the
  // rows of a report in hand, reports lives and responds: 503.
  const brokenOff =
    /: 502 \{"error":"(Bad gateway|server_error)"|^Error: report at \S+ 503 \{"error":"Service unavailable","details":"The data cannot be read now"\}|terminated|fetch failed \(SocketError: other side closed\)/;
  expect(failed.filter((failure) => !brokenOff.test(failure))).toEqual([]);
  expect(failed.length).toBeLessThanOrEqual(killed.length * IN_FLIGHT);
}, 600_000);

/** Where a worker dies its lease has to run out, which takes 20 seconds. */
if (IS_LONG)
  test('a report run in hand when its worker is killed is carried out by another one, once', async () => {
    const token = await createGatewayCaller(services.gateway.url).tokenOf('client', 'admin');
    const headers = { authorization: `Bearer ${token}` };
    const documents = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile() && !/\/\./.test(entry.parentPath),
      ).length;
    const [first, second] = replicas.reports;
    const before = await documents();
    await second?.kill();
    // What the run needs keeps it waiting.
    for (const data of replicas.data) process.kill(data.pid, 'SIGSTOP');
    const sent = await fetch(`${services.gateway.url}/rest/reports/run/code/sales-by-customer`, {
      method: 'POST',
      headers: { ...headers, prefer: 'respond-async' },
      body: JSON.stringify({
        parameters: [
          { name: 'from', value: '2026-01-01' },
          { name: 'to', value: '2026-12-31' },
        ],
      }),
    });
    expect(sent.status).toBe(202);
    const { location } = Object.fromEntries(sent.headers);
    const run = async () =>
      (await (await fetch(services.gateway.url + location, { headers })).json()) as { status: string };
    await eventually(async () => expect(await run()).toMatchObject({ status: 'RUNNING' }));
    await second?.start();
    await first?.kill();
    for (const data of replicas.data) process.kill(data.pid, 'SIGCONT');
    await eventually(async () => expect(await run()).toMatchObject({ status: 'SUCCEEDED' }));
    expect(await documents()).toBe(before + 1);
    await first?.start();
  }, 600_000);
