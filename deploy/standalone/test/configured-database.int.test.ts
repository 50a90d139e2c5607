import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, freePort, type TestDatabase } from '@lintel/testkit';
import { startPgBouncer } from '@lintel/testkit/backends';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'deploy/standalone/src/main.ts');

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lintel-standalone-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it has printed so far. */
  readonly output: () => string;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
}

/** `npm start` with variables. */
async function start(variables: Readonly<Record<string, string>>): Promise<Started> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--conditions=lintel-source', MAIN], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LINTEL_HOME: home, PORT: String(port), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, url: `http://localhost:${port}`, output: () => text, ended };
}

const ready = ({ child, ended, output }: Started): Promise<void> =>
  new Promise((done, reject) => {
    child.stdout?.on('data', () => {
      if (/^ready in/m.test(output())) done();
    });
    void ended.then(() => reject(new Error(output())));
  });

describe('with a configured database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('it is used, no PostgreSQL is started, and the banner says so without the password', async () => {
    const started = await start({ SVC_DATASOURCE_URL: database.url, SVC_DEMO_ENABLED: 'true' });
    await ready(started);
    try {
      const { host, pathname, password } = new URL(database.url);
      expect(started.output()).toContain(`Database: ${host}${pathname} (svc.datasource.url)\n`);
      if (password !== '') expect(started.output()).not.toContain(`:${password}@`);
      expect(await readdir(home)).not.toContain('database');
      const token = await fetch(`${started.url}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('client:secret')}` },
        body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
      });
      expect(token.status).toBe(200);
      const rows = await database.query('SELECT count(*)::int AS users FROM sec."user"');
      expect(rows[0]).toMatchObject({ users: expect.any(Number) });
    } finally {
      started.child.kill('SIGTERM');
    }
    expect(await started.ended).toBe(0);
  });

  test('no demo users appear in it unless they are asked for', async () => {
    const empty = await createTestDatabase();
    const started = await start({ SVC_DATASOURCE_URL: empty.url });
    try {
      await ready(started);
      expect(started.output()).not.toContain('Demo users');
      expect(await empty.query('SELECT FROM sec."user" WHERE password IS NOT NULL')).toEqual([]);
    } finally {
      started.child.kill('SIGTERM');
      await started.ended;
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
      await ready(started);
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
