import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createProgram } from '@lintel/cli';
import { createTestDatabase, freePort, programVariables, type TestDatabase } from '@lintel/testkit';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const LINTEL = fileURLToPath(new URL('../../tools/lintel/src/main.ts', import.meta.url));

/** A database of others that `lintel serve` serves from a folder that was empty. */
export interface ExistingDatabase {
  readonly url: string;
  readonly database: TestDatabase;
  /** What `lintel introspect --json` printed. */
  readonly report: {
    readonly entities: readonly { readonly entity: string; readonly table: string }[];
    readonly findings: readonly Finding[];
  };
  readonly figures: {
    /** For `lintel introspect`. */
    readonly introspectSeconds: number;
    /** From the start of `lintel serve` to its first response, a token. */
    readonly firstResponseSeconds: number;
  };
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

/** Creates the database, introspects it, and serves it; with `--write` if clients may write. */
export async function serveExisting(
  name: string,
  statements: string,
  { write }: { readonly write: boolean },
): Promise<ExistingDatabase> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const database = await createTestDatabase(name);
    undo.push(() => database.drop());
    await database.query(statements);
    const folder = mkdtempSync(join(tmpdir(), `lintel-${name}-`));
    // As root, the PostgreSQL of the folder runs as another user, who must get here.
    chmodSync(folder, 0o755);
    undo.push(async () => rmSync(folder, { recursive: true, force: true }));
    const begin = performance.now();
    const report = await introspect(name, database.url, join(folder, 'introspected'));
    const written = performance.now();
    const options = [`--url=${database.url}`, `--prefix=${name}`, ...(write ? ['--write'] : [])];
    const { url, process: server } = await startServer([join(folder, 'served'), ...options]);
    undo.push(() => stop(server));
    const token = await tokenOf(url);
    const responded = performance.now();
    return {
      url,
      database,
      report,
      figures: {
        introspectSeconds: (written - begin) / 1000,
        firstResponseSeconds: (responded - written) / 1000,
      },
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

/** Runs `lintel introspect`, which writes the entities to the folder, and returns its report. */
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
    askYes: unexpected,
    readInput: unexpected,
  };
  const parameters = ['introspect', '--json', `--url=${url}`, `--prefix=${prefix}`, `--out=${folder}`];
  await createProgram(terminal, () => {}).parseAsync(parameters, { from: 'user' });
  return JSON.parse(printed.join('\n')) as ExistingDatabase['report'];
}

const unexpected = async (): Promise<never> => {
  throw new Error('The command has asked for input');
};

async function startServer(
  parameters: readonly string[],
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--conditions=lintel-source', LINTEL, 'serve', ...parameters], {
    // The users of the demo data are there in either mode; in a database of others only on demand.
    env: { ...programVariables(), HOME: process.env['HOME'], PORT: String(port), SVC_DEMO_ENABLED: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: unknown): void => {
      output += String(chunk);
      if (/^ready in/m.test(output)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`The server has ended: ${output}`)));
  });
  return { url: `http://127.0.0.1:${port}`, process: child };
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  // Its own PostgreSQL ends with it.
  server.kill('SIGTERM');
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

/** As a client does, it repeats a request that the gateway refuses on a busy machine, when the response says. */
async function send(url: string, token: string, method: string, path: string, body?: unknown): Promise<ServerResponse> {
  const request = (): Promise<Response> =>
    fetch(`${url}/rest${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  let response = await request();
  for (let attempt = 1; response.headers.get('x-error-code') === 'REQ_OVERLOADED' && attempt < 30; attempt += 1) {
    await response.body?.cancel();
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
    response = await request();
  }
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) };
}
