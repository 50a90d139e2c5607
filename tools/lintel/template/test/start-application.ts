import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ReceivedResponse {
  readonly status: number;
  readonly text: string;
}

/** The application with its demo data, on a free port, with a database of its own. */
export interface RunningApplication {
  readonly url: string;
  get(username: string, path: string): Promise<ReceivedResponse>;
  send(username: string, method: string, path: string, body?: unknown): Promise<ReceivedResponse>;
  stop(): Promise<void>;
}

/** Starts the application as `npm start` does. The password of a demo user is the name. */
export async function startApplication(): Promise<RunningApplication> {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  // As root, PostgreSQL runs as another user, who must get here.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['node_modules/@lintel/cli/bin/lintel.mjs', 'start'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, LINTEL_HOME: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => /^ready in/m.test(String(chunk)) && resolve());
    void ended.then(() => reject(new Error('The application has ended before it was ready')));
  });
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (username: string): Promise<string> => {
    const token = tokens.get(username) ?? logIn(url, username);
    tokens.set(username, token);
    return token;
  };
  const send: RunningApplication['send'] = async (username, method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${await tokenOf(username)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    url,
    send,
    get: (username, path) => send(username, 'GET', path),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function logIn(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username, password: username }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
