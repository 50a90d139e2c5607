import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runMigrations } from '@lintel/schema';
import {
  createTestDatabase,
  createTestVhost,
  eventually,
  freePort,
  type TestDatabase,
  type TestVhost,
  testEnvironment,
  uniqueName,
} from '@lintel/testkit';
import { addUser } from '../test/start-auth.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const SECRET = 'internal secret of the test';

interface Replica {
  readonly url: string;
  readonly internalUrl: string;
  readonly process: ChildProcess;
  readonly output: string[];
}

let testDatabase: TestDatabase;
let vhost: TestVhost;
const replicas: Replica[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase('auth');
  vhost = await createTestVhost('auth');
});
afterAll(async () => {
  for (const { process: child } of replicas) if (child.exitCode === null) child.kill('SIGKILL');
  await vhost.drop();
  await testDatabase.drop();
});

/** Processes take seconds to start, and longer on a busy machine. */
const STARTING = { timeoutMs: 60_000 };

/** Runs the sources, including those of the example application with its decorators. */
const SOURCES = ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'];

async function startReplica(keyPrefix: string): Promise<Replica> {
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [...SOURCES, MAIN], {
    env: {
      PATH: process.env['PATH'],
      SVC_DATASOURCE_URL: testDatabase.url,
      SVC_REDIS_URL: testEnvironment('LINTEL_TEST_REDIS_URL'),
      SVC_REDIS_KEY_PREFIX: keyPrefix,
      SVC_BROKER_URLS: vhost.url,
      SVC_INTERNAL_SECRET: SECRET,
      SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'key encryption secret of the test',
      SVC_AUTH_PORT: String(port),
      SVC_AUTH_INTERNAL_PORT: String(internalPort),
      SVC_AUTH_MANAGEMENT_PORT: '0',
      // On a busy machine a slow statement would be logged.
      SVC_DATASOURCE_SLOW_QUERY_THRESHOLD: '1h',
    },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data.toString()));
  const replica = {
    url: `http://127.0.0.1:${port}`,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    process: child,
    output,
  };
  replicas.push(replica);
  return replica;
}

const isReady = async ({ url }: Replica): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
const tokenRequest = async ({ url }: Replica, form: Record<string, string>) => {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('client:secret')}` },
    body: new URLSearchParams(form),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into the body freely
  return { status: response.status, json: (await response.json()) as any };
};
const exchangeStatus = async ({ internalUrl }: Replica, token: string): Promise<number> => {
  const response = await fetch(`${internalUrl}/internal/exchange`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}` },
    body: JSON.stringify({ token }),
  });
  await response.body?.cancel();
  return response.status;
};

// Asserts contract/tokens.md#invalidation, contract/tokens.md#settings.
test('two replicas over PostgreSQL, Redis and RabbitMQ wait for the schema, share everything, are quiet and stop', async () => {
  const keyPrefix = `${uniqueName('auth')}:`;
  const [first, second] = [await startReplica(keyPrefix), await startReplica(keyPrefix)];
  await eventually(
    () => expect(first.output.join('')).toContain('waiting for the migrations of the database'),
    STARTING,
  );
  await runMigrations({ url: testDatabase.url, migrations: [] });
  await addUser(testDatabase, 'clerk');
  for (const replica of [first, second])
    await eventually(async () => expect(await isReady(replica)).toBe(true), STARTING);

  const login = await tokenRequest(first, { grant_type: 'password', username: 'clerk', password: 'clerk' });
  expect(login.status).toBe(200);
  expect(await exchangeStatus(second, login.json.access_token)).toBe(200);
  const refreshed = await tokenRequest(second, {
    grant_type: 'refresh_token',
    refresh_token: login.json.refresh_token,
  });
  expect(refreshed.status).toBe(200);
  expect(await exchangeStatus(first, login.json.access_token)).toBe(401);
  expect(await exchangeStatus(first, refreshed.json.access_token)).toBe(200);

  for (const { process: child, output } of [first, second]) {
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    const lines = output
      .join('')
      .split('\n')
      .filter((line) => line !== '');
    // Only our own log: no notices of oidc-provider, no tokens, no warnings except those of the profile, of a busy machine
    // that let the process stand still, and of RabbitMQ, which may end a connection (541) while two processes declare the
    // same queues; the service continues with the next connection.
    const isExpected = (line: string): boolean =>
      line.startsWith('{') &&
      (!/"level":"(warn|error)"/.test(line) ||
        /"compatible profile: |"the event loop was blocked"|541 \(INTERNAL-ERROR\)|"Connection lost while subscribing/.test(
          line,
        ));
    expect(lines.filter((line) => !isExpected(line))).toEqual([]);
    expect(output.join('')).not.toContain(login.json.access_token);
  }
}, 240_000);

test('a process without its secrets says which are missing', async () => {
  const child = spawn(process.execPath, [...SOURCES, MAIN], { env: { PATH: process.env['PATH'] } });
  const output: string[] = [];
  child.stderr.on('data', (data: Buffer) => output.push(data.toString()));
  await once(child, 'exit');
  expect(child.exitCode).toBe(1);
  for (const name of ['SVC_INTERNAL_SECRET', 'SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET', 'SVC_DATASOURCE_URL'])
    expect(output.join('')).toContain(name);
});
