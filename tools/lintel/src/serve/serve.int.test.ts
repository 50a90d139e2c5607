import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  freePort,
  programVariables,
  runOnce,
  type TestDatabase,
  uniqueName,
} from '@lintel/testkit';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

const TABLES = `
  CREATE TABLE films (film_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL, "releaseYear" smallint);
  CREATE TABLE actors (actor_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
  CREATE TABLE film_actors (film_id integer REFERENCES films, actor_id integer REFERENCES actors, PRIMARY KEY (film_id, actor_id));
  CREATE TABLE copies (copy_id uuid PRIMARY KEY DEFAULT gen_random_uuid(), film_id integer NOT NULL REFERENCES films, shelf text);
  INSERT INTO films (title, "releaseYear") VALUES ('Dawn', 1999), ('Dusk', 2003);
  INSERT INTO actors (name) VALUES ('Ada'), ('Ben');
  INSERT INTO film_actors VALUES (1, 1), (1, 2), (2, 2);
  INSERT INTO copies (film_id, shelf) VALUES (1, 'A1'), (1, 'A2'), (2, 'B1')`;

let database: TestDatabase;
let folder: string;
let readerUrl: string;
const login = uniqueName('serve_reader');
beforeAll(async () => {
  database = await createTestDatabase('serve');
  await database.query(TABLES);
  await database.query(`CREATE ROLE ${login} LOGIN PASSWORD 'reader'`);
  await database.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${login}`);
  const url = new URL(database.url);
  url.username = login;
  url.password = 'reader';
  readerUrl = url.href;
});
afterAll(async () => {
  await database.query(`DROP OWNED BY ${login}`);
  await database.query(`DROP ROLE ${login}`);
  await database.drop();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-serve-'));
  // As root, PostgreSQL runs as another user, who must get here.
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface ReceivedResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: responses have every form
  readonly body: any;
}

interface Running {
  readonly url: string;
  readonly output: () => string;
  send(user: string, method: string, path: string, body?: unknown): Promise<ReceivedResponse>;
  /** Resolves to the exit code. */
  stop(): Promise<number | null>;
}

const start = (parameters: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  lintel(['serve', ...parameters], variables);

function lintel(parameters: readonly string[], variables: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--conditions=lintel-source', MAIN, ...parameters], {
    cwd: folder,
    env: { ...programVariables(), HOME: process.env['HOME'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, ended, output: () => text };
}

async function serve(
  parameters: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const port = await freePort();
  const { child, ended, output } = start(parameters, { PORT: String(port), ...variables });
  await isReady(child, output, ended);
  const url = `http://localhost:${port}`;
  return {
    url,
    output,
    async send(user, method, path, body) {
      const response = await fetch(`${url}/rest${path}`, {
        method,
        headers: { authorization: `Bearer ${await tokenOf(url, user)}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const isReady = (child: ChildProcess, output: () => string, ended: Promise<unknown>): Promise<void> =>
  new Promise((done, reject) => {
    child.stdout?.on('data', () => {
      if (/^ready in/m.test(output())) done();
    });
    void ended.then(() => reject(new Error(output())));
  });

async function tokenOf(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username, password: username }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

const schemas = () =>
  database.query("SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$' ORDER BY 1");

test('the tables of a database are served read-only, with a login that may only read, and nothing is created there', async () => {
  // As `npx lintel` sets it in the folder of a clone.
  const running = await serve(['--url', readerUrl], { SVC_APPLICATION: '@lintel/example-sales' });
  try {
    expect(running.output()).toContain('Wrote the application');
    const filter = { conditions: [{ property: 'film.title', operator: '=', value: 'Dawn' }] };
    const found = await running.send('reader', 'POST', '/entities/app_Copy/search', { filter, sort: 'shelf' });
    expect([found.status, found.body.map(({ shelf }: { shelf: string }) => shelf)]).toEqual([200, ['A1', 'A2']]);
    const plan = encodeURIComponent(
      '{"entity":"app_Film","properties":["title",{"name":"actors","fetchPlan":"unknown"}]}',
    );
    const refused = await running.send('reader', 'GET', `/entities/app_Film/1?fetchPlan=${plan}`);
    expect(refused.status).toBe(400);
    const inner = '{"entity":"app_Film","properties":["title",{"name":"actors","fetchPlan":{"properties":["name"]}}]}';
    const film = await running.send('reader', 'GET', `/entities/app_Film/1?fetchPlan=${encodeURIComponent(inner)}`);
    expect(film.body).toMatchObject({ title: 'Dawn', actors: [{ name: 'Ada' }, { name: 'Ben' }] });
    const written = await running.send('admin', 'POST', '/entities/app_Film', { title: 'x' });
    expect([written.status, written.body.details]).toEqual([405, 'app_Film is read-only']);
    const user = await running.send('admin', 'POST', '/entities/sec_User', { username: 'eve', password: 'secret-1' });
    expect(user.status).toBe(201);
    const users = await running.send('admin', 'GET', '/entities/sec_User?sort=username');
    expect(users.body.map(({ username }: { username: string }) => username)).toEqual(['admin', 'eve', 'reader']);
    expect(await schemas()).toEqual([{ name: 'public' }]);
    expect(running.output()).not.toContain(':reader@');
  } finally {
    expect(await running.stop()).toBe(0);
  }
});

test('a second run uses what the first one has written, with its changes', async () => {
  const first = await serve(['--url', readerUrl]);
  expect(await first.stop()).toBe(0);
  const index = join(folder, 'src/index.ts');
  const changed = (await readFile(index, 'utf8')).replace(
    /name: '[^']*',\n {2}entities/,
    "name: 'My films',\n  entities",
  );
  await writeFile(index, changed);
  const second = await serve(['--url', readerUrl]);
  expect(second.output()).toContain('My films is at');
  expect(await second.stop()).toBe(0);
  expect(await readFile(index, 'utf8')).toBe(changed);
});

test('with --write clients may write, and the schemas of the platform are in the database', async () => {
  const own = await createTestDatabase('serve');
  await own.query(TABLES);
  const port = await freePort();
  const { child, ended, output } = start(['--url', own.url, '--write'], {
    PORT: String(port),
    SVC_DEMO_ENABLED: 'true',
  });
  try {
    await isReady(child, output, ended);
    const url = `http://localhost:${port}`;
    const response = await fetch(`${url}/rest/entities/app_Film`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf(url, 'admin')}` },
      body: JSON.stringify({ title: 'New' }),
    });
    expect([response.status, await response.json()]).toMatchObject([201, { id: 3 }]);
    expect(await own.query('SELECT title FROM films WHERE film_id = 3')).toEqual([{ title: 'New' }]);
    expect(await own.query('SELECT count(*)::int AS events FROM events.outbox')).toMatchObject([
      { events: expect.any(Number) },
    ]);
  } finally {
    child.kill('SIGTERM');
    await ended;
    await own.drop();
  }
});

test('the command that --write advises adds a user with all rights', async () => {
  const own = await createTestDatabase('serve');
  await own.query(TABLES);
  const running = await serve(['--url', own.url, '--write']);
  try {
    const advised = /npx lintel (user add .*)/.exec(running.output())?.[1] ?? '';
    const parameters = advised.replace('<name>', 'ada').replace('<url of the database>', own.url).split(' ');
    const password = join(folder, 'password');
    await writeFile(password, 'a long pass phrase of Ada');
    // As `npx lintel` sets it in the folder of a clone.
    const added = lintel([...parameters, '--password-file', password], { SVC_APPLICATION: '@lintel/example-sales' });
    expect([await added.ended, added.output()]).toEqual([0, expect.stringContaining('ada')]);
    const found = "SELECT username FROM sec.role_assignment WHERE role_code = 'system-full-access'";
    expect(await own.query(found)).toEqual([{ username: 'ada' }]);
  } finally {
    await running.stop();
    await own.drop();
  }
});

test.each([
  [[], 'No database is named'],
  [['--url', 'postgres://u:hidden@127.0.0.1:9/shop'], 'The database cannot be read'],
])('serve %j ends with a sentence that says why, and writes nothing', async (parameters, message) => {
  const { ended, output } = start(parameters);
  expect(await ended).toBe(2);
  expect(output()).toContain(message);
  expect(output()).not.toContain('hidden');
  await expect(readFile(join(folder, 'package.json'))).rejects.toThrow('ENOENT');
});

test('a schema without tables is refused', async () => {
  const empty = await createTestDatabase('serve');
  try {
    const { ended, output } = start(['--url', empty.url]);
    expect(await ended).toBe(2);
    expect(output()).toContain('No table of the schema public can be an entity');
  } finally {
    await empty.drop();
  }
  expect(await runOnce(database.url, 'SELECT count(*)::int AS films FROM films')).toEqual([{ films: 2 }]);
});
