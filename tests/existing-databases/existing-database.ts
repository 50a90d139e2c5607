import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgram } from '@lintel/cli';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A database of others, its model in a folder, and the application that is served over it. */
export interface ExistingDatabase {
  readonly database: TestDatabase;
  /** What `lintel introspect --json` printed. */
  readonly report: {
    readonly entities: readonly { readonly entity: string; readonly table: string }[];
    readonly findings: readonly Finding[];
  };
  readonly figures: { readonly introspectSeconds: number; readonly startSeconds: number };
  /** Sends a request with the token of the administrator. */
  send(method: string, path: string, body?: unknown): Promise<ServerResponse>;
  close(): Promise<void>;
}

export interface Finding {
  readonly table: string;
  readonly object: string;
  readonly name?: string;
  readonly reason: string;
}

export interface ServerResponse {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every form
  json(): any;
}

/** Creates the database, introspects it, and serves the model that was written. */
export async function serveExisting(name: string, statements: string): Promise<ExistingDatabase> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const database = await createTestDatabase(name);
    undo.push(() => database.drop());
    await database.query(statements);
    // Below this package, where what is written finds the others.
    const folder = mkdtempSync(join(HERE, `written-${name}-`));
    undo.push(async () => rmSync(folder, { recursive: true }));
    const begin = performance.now();
    const report = await introspect(name, database.url, folder);
    const written = performance.now();
    writeFileSync(join(folder, 'index.ts'), applicationText(name));
    const { url, process: server } = await startServer(database.url, folder);
    undo.push(() => stop(server));
    const ready = performance.now();
    const token = await tokenOf(url);
    return {
      database,
      report,
      figures: { introspectSeconds: (written - begin) / 1000, startSeconds: (ready - written) / 1000 },
      send: (method, path, body) => send(url, token, method, path, body),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The statements of a database of this folder. */
export const statementsOf = (name: string): string => readFileSync(join(HERE, 'databases', `${name}.sql`), 'utf8');

/** Runs `lintel introspect`, which writes the entities to `entities` of the folder, and returns its report. */
export async function introspect(prefix: string, url: string, folder: string): Promise<ExistingDatabase['report']> {
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal = {
    isInteractive: false,
    print: (text: string) => void printed.push(text),
    note: (text: string) => void noted.push(text),
    during: <T>(_title: string, work: (onStep: (step: string) => void) => Promise<T>) => work(() => {}),
    through: <T>(_title: string, _total: number, work: (advance: (step: string) => void) => Promise<T>) =>
      work(() => {}),
    askText: unexpected,
    askPassword: unexpected,
    readInput: unexpected,
  };
  const parameters = [
    'introspect',
    '--json',
    `--url=${url}`,
    `--prefix=${prefix}`,
    `--out=${join(folder, 'entities')}`,
  ];
  await createProgram(terminal, () => {}).parseAsync(parameters, { from: 'user' });
  return JSON.parse(printed.join('\n')) as ExistingDatabase['report'];
}

const unexpected = async (): Promise<never> => {
  throw new Error('The command has asked for input');
};

const applicationText = (id: string): string => `import { defineApplication } from '@lintel/application';
import { ENTITIES, ENUMS } from './entities/index.ts';

export default defineApplication({
  id: '${id}',
  name: '${id}',
  entities: [...ENTITIES],
  enums: [...ENUMS],
  demoData: {
    instances: [
      { entity: 'sec_User', values: { username: 'admin', password: 'admin', active: true } },
      {
        entity: 'sec_RoleAssignment',
        values: { username: 'admin', roleCode: 'system-full-access', roleType: 'resource' },
      },
    ],
  },
  properties: {
    'svc.authserver.client.web.client-id': 'web',
    'svc.authserver.client.web.client-secret': 'secret',
    'svc.authserver.client.web.grant-types': 'password',
  },
});
`;

async function startServer(
  databaseUrl: string,
  folder: string,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const parameters = ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators', join(HERE, 'serve.ts')];
  const child = spawn(process.execPath, parameters, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, FOLDER: folder },
    stdio: 'pipe',
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown): void => {
      output += String(chunk);
      const [, found] = /^ready at (\S+)$/m.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`The server has ended: ${output}`)));
  });
  return { url, process: child };
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

async function tokenOf(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('web:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`There is no token: ${response.status}`);
  return token;
}

async function send(url: string, token: string, method: string, path: string, body?: unknown): Promise<ServerResponse> {
  const response = await fetch(`${url}/rest${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) };
}
