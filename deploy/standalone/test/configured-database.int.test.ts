import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, startProgram, type TestDatabase } from '@lintel/testkit';
import { startPgBouncer } from '@lintel/testkit/backends';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'deploy/standalone/src/main.ts');

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lintel-standalone-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** `npm start` with variables. */
const start = (variables: Readonly<Record<string, string>>) =>
  startProgram(MAIN, [], { cwd: ROOT, variables: { LINTEL_HOME: home, ...variables } });

describe('with a configured database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('it is used, no PostgreSQL is started, and the banner says so without the password', async () => {
    const started = await start({
      SVC_DATASOURCE_URL: database.url,
      SVC_DEMO_ENABLED: 'true',
      // The key is made.
      SVC_CORE_ENTITY_SERIALIZATION_TOKEN_REQUIRED: 'true',
    });
    await started.ready();
    try {
      const { host, pathname, password } = new URL(database.url);
      expect(started.output()).toContain(`Database: ${host}${pathname} (svc.datasource.url)\n`);
      if (password !== '') expect(started.output()).not.toContain(`:${password}@`);
      expect(await readdir(home)).not.toContain('database');
      expect((await started.send('admin', 'GET', '/userInfo')).status).toBe(200);
      const rows = await database.query('SELECT count(*)::int AS users FROM sec."user"');
      expect(rows[0]).toMatchObject({ users: expect.any(Number) });
    } finally {
      expect(await started.stop()).toBe(0);
    }
  });

  test('settings that several services refuse are refused together', async () => {
    const started = await start({
      SVC_DATASOURCE_URL: database.url,
      SVC_DEMO_ENABLED: 'true',
      SVC_SECURITY_PROFILE: 'hardened',
    });
    expect(await started.ended).toBe(1);
    expect(started.output().match(/^ {2}- [\w.]+/gm)).toEqual([
      '  - svc.demo.enabled',
      '  - svc.authserver.client.demo.client',
      '  - svc.authserver.client.jwt.client',
      '  - svc.authserver.client.integration.client',
    ]);
  });

  test('no demo users appear in it unless they are asked for', async () => {
    const empty = await createTestDatabase();
    const started = await start({ SVC_DATASOURCE_URL: empty.url });
    try {
      await started.ready();
      expect(started.output()).not.toContain('Demo users');
      expect(await empty.query('SELECT FROM sec."user" WHERE password IS NOT NULL')).toEqual([]);
    } finally {
      await started.stop();
      await empty.drop();
    }
  });

  test('a pooler may be in between, where it is named', async () => {
    const empty = await createTestDatabase();
    const pooler = await startPgBouncer({ serverUrl: empty.url });
    try {
      const url = pooler.through(empty.url);
      const refused = await start({ SVC_DATASOURCE_URL: url });
      expect(await refused.ended).toBe(1);
      expect(refused.output()).toContain('set svc.datasource.pooler=transaction');
      const named = { SVC_DATASOURCE_URL: url, SVC_DATASOURCE_POOLER: 'transaction' };
      const started = await start({ ...named, SVC_DATASOURCE_DIRECT_URL: empty.url });
      await started.ready();
      expect((await fetch(`${started.url}/rest/userInfo`)).status).toBe(401);
      started.child.kill('SIGTERM');
      expect(await started.ended).toBe(0);
    } finally {
      await pooler.dispose();
      await empty.drop();
    }
  });
});

test.each([
  ['nonsense', 'svc.datasource.url: expected a PostgreSQL URL such as postgres://user:password@host:5432/database'],
  ['postgres://u:secret@127.0.0.1:9/shop', 'svc.datasource.url: the database 127.0.0.1:9/shop cannot be used'],
])('the URL %s ends the start with a message that names the property', async (url, message) => {
  const started = await start({ SVC_DATASOURCE_URL: url });
  expect(await started.ended).toBe(1);
  expect(started.output()).toContain(message);
  expect(started.output()).not.toContain('secret');
  expect(existsSync(join(home, 'database'))).toBe(false);
});
