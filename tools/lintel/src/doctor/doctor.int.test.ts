import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sales from '@lintel/example-sales';
import { runMigrations } from '@lintel/schema';
import {
  createTestBucket,
  createTestDatabase,
  createTestVhost,
  freePort,
  type TestBucket,
  type TestDatabase,
  type TestVhost,
  testEnvironment,
} from '@lintel/testkit';
import { startPgBouncer } from '@lintel/testkit/backends';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import type { CheckResult } from './check.ts';
import { doctor } from './doctor.ts';

// Needs all servers: createTestDatabase, createTestVhost, createTestBucket, LINTEL_TEST_REDIS_URL.

let database: TestDatabase;
let vhost: TestVhost;
let bucket: TestBucket;
let home: string;
let healthy: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase('cli_doctor');
  vhost = await createTestVhost('cli_doctor');
  bucket = await createTestBucket();
  home = mkdtempSync(join(tmpdir(), 'lintel-doctor-'));
  await runMigrations({ url: database.url, migrations: sales.migrations ?? [] });
  const listeners = ['GATEWAY', 'AUTH', 'DATA', 'FILES', 'REPORTS'].flatMap((name) => [
    `SVC_${name}_PORT`,
    `SVC_${name}_MANAGEMENT_PORT`,
    ...(['AUTH', 'DATA', 'FILES'].includes(name) ? [`SVC_${name}_INTERNAL_PORT`] : []),
  ]);
  const ports = await Promise.all(listeners.map(async (name) => [name, String(await freePort())] as const));
  healthy = {
    ...Object.fromEntries(ports),
    LINTEL_HOME: home,
    SVC_APPLICATION: '@lintel/example-sales',
    SVC_DATASOURCE_URL: database.url,
    SVC_REDIS_URL: testEnvironment('LINTEL_TEST_REDIS_URL'),
    SVC_REDIS_KEY_PREFIX: `test-${randomUUID()}:`,
    SVC_BROKER_URLS: vhost.url,
    SVC_FILES_STORAGE_FS_KIND: 's3',
    SVC_FILES_STORAGE_FS_ENDPOINT_URL: testEnvironment('LINTEL_TEST_S3_URL'),
    SVC_FILES_STORAGE_FS_ACCESS_KEY: testEnvironment('LINTEL_TEST_S3_ACCESS_KEY'),
    SVC_FILES_STORAGE_FS_SECRET_KEY: testEnvironment('LINTEL_TEST_S3_SECRET_KEY'),
    SVC_FILES_STORAGE_FS_BUCKET: bucket.bucket,
    SVC_INTERNAL_SECRET: 'a secret of at least thirty-two characters',
    SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'another secret of thirty-two characters',
  };
});
afterAll(async () => {
  rmSync(home, { recursive: true });
  await bucket.drop();
  await vhost.drop();
  await database.drop();
});

const examine = async (environment: Readonly<Record<string, string | undefined>>) => {
  const terminal = fakeTerminal();
  const code = await doctor({ json: true }, terminal, environment);
  const { ok, mode, checks } = JSON.parse(terminal.output()) as { ok: boolean; mode: string; checks: CheckResult[] };
  const find = (id: string) => checks.find((check) => check.id === id);
  return { code, ok, mode, checks, find, failed: checks.filter(({ status }) => status === 'failed') };
};

test('an installation that has everything is well', async () => {
  const { code, ok, mode, checks, find, failed } = await examine(healthy);
  expect(failed).toEqual([]);
  expect([code, ok, mode]).toEqual([0, true, 'services']);
  expect(checks.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'node',
      'disk',
      'database',
      'database.connection',
      'database.clock',
      'database.schema',
      'database.roles',
      'redis',
    ]),
  );
  expect(find('broker.0')?.detail).toMatch(/^\d+\.\d+.*can be declared$/);
  expect(find('files')?.detail).toBe('fs: files can be written and removed');
  expect(find('port.data-internal')?.detail).toBe('free');
  expect(find('database.reports')?.status).toBe('skipped');
});

test('a pooler is found, and works where it is named', async () => {
  const pooler = await startPgBouncer({ serverUrl: database.url });
  try {
    const throughPooler = { ...healthy, SVC_DATASOURCE_URL: pooler.through(database.url) };
    const { find } = await examine(throughPooler);
    expect(find('database.connection')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('svc.datasource.pooler=transaction'),
    });
    const named = await examine({ ...throughPooler, SVC_DATASOURCE_POOLER: 'transaction' });
    expect(named.find('database.connection')).toMatchObject({ status: 'ok' });
    expect(named.find('database.schema')).toMatchObject({ status: 'ok' });
  } finally {
    await pooler.dispose();
  }
});

test('the table says the same as the JSON, to people', async () => {
  const terminal = fakeTerminal();
  expect(await doctor({}, terminal, { ...healthy, SVC_REDIS_URL: 'redis://127.0.0.1:1/0' })).toBe(1);
  expect(terminal.output()).toMatch(/^✓ Node\.js /m);
  expect(terminal.output()).toMatch(/^✗ Redis .*ECONNREFUSED/m);
  expect(terminal.output()).toMatch(/^ +→ Check SVC_REDIS_URL/m);
  expect(terminal.output()).toMatch(/1 of \d+ checks failed\.$/);
});

test.each([
  ['redis', { SVC_REDIS_URL: 'redis://127.0.0.1:1/0' }, 'ECONNREFUSED'],
  ['broker.0', { SVC_BROKER_URLS: 'amqp://127.0.0.1:1/x' }, 'ECONNREFUSED'],
  ['broker', { SVC_BROKER_URLS: undefined }, 'no address'],
  ['database', { SVC_DATASOURCE_URL: 'postgres://x:y@127.0.0.1:1/x' }, 'ECONNREFUSED'],
  ['database', { SVC_DATASOURCE_URL: undefined }, 'no address'],
  ['files', { SVC_FILES_STORAGE_FS_SECRET_KEY: 'wrong' }, 'The storage fs: '],
  ['application', { SVC_APPLICATION: './nowhere' }, './nowhere'],
  ['configuration', { SVC_INTERNAL_SECRET: undefined, SVC_GATEWAY_PROT: '1' }, 'did you mean svc.gateway.port'],
])('%s: what is missing fails with a remedy: %j', async (id, change, detail) => {
  const { code, failed } = await examine({ ...healthy, ...change });
  expect(code).toBe(1);
  expect(failed).toContainEqual(
    expect.objectContaining({ id, detail: expect.stringContaining(detail), remedy: expect.any(String) }),
  );
  expect(JSON.stringify(failed)).not.toContain('y@');
});

test('a port that another program has fails, one that Lintel has does not', async () => {
  const server = createServer((socket) => socket.end('no HTTP'));
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const { find } = await examine({ ...healthy, SVC_DATA_PORT: String(port) });
  expect(find('port.data')).toMatchObject({ status: 'failed', remedy: expect.stringContaining('SVC_DATA_PORT') });
  server.close();
});

test('migrations that have not run, and the roles that they make, are missed', async () => {
  const empty = await createTestDatabase('cli_doctor_empty');
  const { find } = await examine({ ...healthy, SVC_DATASOURCE_URL: empty.url });
  expect(find('database.schema')).toMatchObject({ status: 'failed', remedy: expect.stringContaining('migrate run') });
  await empty.drop();
});

test('a login of SQL reports must be in the role that may read the tables', async () => {
  const { find } = await examine({ ...healthy, SVC_DATA_REPORT_DATASOURCE_URL: database.url });
  // The owner of a test database is a superuser, who is in every role.
  expect(find('database.reports')).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('lintel_report_reader'),
  });
});

test('without backends it is npm start of this folder that is checked, also before the first start', async () => {
  const { code, mode, find, failed } = await examine({
    LINTEL_HOME: home,
    PORT: String(await freePort()),
    SVC_APPLICATION: '@lintel/example-sales',
  });
  expect(failed).toEqual([]);
  expect([code, mode]).toEqual([0, 'standalone']);
  expect(find('database.start')).toMatchObject({ status: 'skipped' });
  expect(find('files')?.status).toBe('ok');
});
