import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, createTestVhost, eventually, testEnvironment, uniqueName } from '@lintel/testkit';

const SCRIPT = fileURLToPath(new URL('./start-services.mjs', import.meta.url));
/** Packages of applications are looked up from the working folder. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_DEADLINE_MS = 90_000;

const database = await createTestDatabase('services');
const vhost = await createTestVhost('services');
const folder = mkdtempSync(join(tmpdir(), 'lintel-services-'));
const keyPrefix = uniqueName('services');
const started: ChildProcess[] = [];

afterAll(async () => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
  await vhost.drop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function run(variables: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators', SCRIPT],
    {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], SVC_LOG_LEVEL: 'error', ...variables },
    },
  );
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => output };
}

/** Starts the five services and waits for the line that a runner waits for. */
async function startServices() {
  const services = start({});
  const isReady = () => expect(services.output()).toMatch(/^ready in /m);
  await Promise.race([eventually(isReady, { timeoutMs: START_DEADLINE_MS }), services.ended]);
  isReady();
  const url = services.output().match(/^ready in .* at (\S+)/m)?.[1] ?? '';
  const pidOf = (name: string) => Number(services.output().match(new RegExp(`${name} +pid (\\d+)`))?.[1]);
  return { ...services, url, pidOf };
}

/** The five services with their settings, and more. */
const start = (more: Readonly<Record<string, string>>) =>
  run({
    SVC_DATASOURCE_URL: database.url,
    SVC_BROKER_URLS: vhost.url,
    SVC_REDIS_URL: testEnvironment('LINTEL_TEST_REDIS_URL'),
    SVC_REDIS_KEY_PREFIX: keyPrefix,
    SVC_INTERNAL_SECRET: 'internal secret of the test, long enough',
    SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'key encryption secret of the test',
    SVC_DEMO_ENABLED: 'true',
    // So that the gateway connects to Redis, too.
    SVC_GATEWAY_RATE_LIMIT_USER: '1000/1h',
    SVC_FILES_STORAGE_FS_KIND: 'folder',
    SVC_FILES_STORAGE_FS_PATH: folder,
    ...Object.fromEntries(
      ['GATEWAY', 'AUTH', 'AUTH_INTERNAL', 'DATA', 'DATA_INTERNAL', 'FILES', 'FILES_INTERNAL', 'REPORTS']
        .concat(['GATEWAY', 'AUTH', 'DATA', 'FILES', 'REPORTS'].map((name) => `${name}_MANAGEMENT`))
        .map((name) => [`SVC_${name}_PORT`, '0']),
    ),
    ...more,
  });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const NAMES = ['gateway', 'auth', 'data', 'files', 'reports'];

test('without variables nothing starts, and one message names all of them', async () => {
  const { ended, output } = run({});
  expect(await ended).toBe(1);
  for (const name of ['SVC_DATASOURCE_URL', 'SVC_REDIS_URL', 'SVC_BROKER_URLS', 'SVC_INTERNAL_SECRET'])
    expect(output()).toContain(`export ${name}=`);
});

test(
  'the services serve requests through the gateway, and stop with code 0 on SIGTERM',
  async () => {
    const { child, ended, output, url, pidOf } = await startServices();
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('client:secret')}` },
      body: new URLSearchParams({ grant_type: 'password', username: 'manager', password: 'manager' }),
    });
    expect(response.status).toBe(200);
    const { access_token: token } = (await response.json()) as { access_token: string };
    const orders = await fetch(`${url}/rest/entities/sales_Order?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([orders.status, ((await orders.json()) as unknown[]).length]).toEqual([200, 1]);
    expect(orders.headers.get('ratelimit')).toMatch(/^"user";r=999;t=\d+$/);
    const pids = NAMES.map(pidOf);
    expect(pids.every(isAlive)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output()).not.toContain('did not stop cleanly');
    expect(pids.some(isAlive)).toBe(false);
  },
  START_DEADLINE_MS,
);

test(
  'a service that dies is started again, and meanwhile the gateway responds with 503 at once',
  async () => {
    const { child, ended, output, url, pidOf } = await startServices();
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('client:secret')}` },
      body: new URLSearchParams({ grant_type: 'password', username: 'manager', password: 'manager' }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const ask = async (): Promise<number> =>
      (await fetch(`${url}/rest/entities/sales_Order?limit=1`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    expect(await ask()).toBe(200);
    const pids = NAMES.map(pidOf);
    process.kill(pidOf('data'), 'SIGKILL');
    // As V8 ends a process whose heap is full.
    process.kill(pidOf('files'), 'SIGABRT');
    await eventually(async () => expect(await ask()).toBe(503));
    await eventually(() => expect(output()).toMatch(/^data is ready again: pid \d+/m), {
      timeoutMs: START_DEADLINE_MS,
    });
    await eventually(async () => expect(await ask()).toBe(200), { timeoutMs: START_DEADLINE_MS });
    await eventually(() => expect(output()).toMatch(/^files is ready again: pid \d+/m), {
      timeoutMs: START_DEADLINE_MS,
    });
    expect(output()).toContain('data ended by itself (signal SIGKILL); it is started again in 0.5 s.');
    expect(output()).toContain('files ended by itself (signal SIGABRT); it is started again in 0.5 s.');
    const again = [...output().matchAll(/^\w+ is ready again: pid (\d+)/gm)].map(([, pid]) => Number(pid));
    expect(again.every(isAlive)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect([...pids, ...again].some(isAlive)).toBe(false);
  },
  3 * START_DEADLINE_MS,
);

test(
  'a port that another program has stops the start, and is named',
  async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const services = start({ SVC_FILES_INTERNAL_PORT: String(port) });
    expect(await services.ended).toBe(1);
    other.close();
    expect(services.output()).toContain(
      `svc.files.internal-port: port ${port} at 127.0.0.1 is not available: another program listens there`,
    );
    expect(services.output()).not.toContain('ready');
  },
  START_DEADLINE_MS,
);

test(
  'a service that cannot be started is not started again: it is named, the others are stopped and the exit code is 1',
  async () => {
    // A file where a folder is needed.
    const services = start({ SVC_FILES_STORAGE_FS_PATH: join(fileURLToPath(import.meta.url), 'files') });
    expect(await services.ended).toBe(1);
    expect(services.output()).toContain('files ended by itself (code 1); stopping the others.');
    expect(services.output()).not.toContain('did not stop cleanly');
    expect(services.output()).not.toContain('started again');
  },
  START_DEADLINE_MS,
);

test(
  'services stop by themselves when the process that started them is killed',
  async () => {
    const { child, pidOf } = await startServices();
    const pids = NAMES.map(pidOf);
    child.kill('SIGKILL');
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
  },
  START_DEADLINE_MS,
);
