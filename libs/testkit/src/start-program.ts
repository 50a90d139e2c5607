import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from './connections/free-port.ts';
import { programVariables } from './program-variables.ts';

/** A response of a started program. */
export interface ProgramResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws if it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: responses have every form
  json(): any;
}

/** A program that serves an application in one process. */
export interface StartedProgram {
  readonly child: ChildProcess;
  /** Address of the gateway. */
  readonly url: string;
  /** What it has printed so far, on both streams. */
  output(): string;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
  /** Resolves when the program has printed that it is ready; rejects with its output when it has ended before. */
  ready(): Promise<void>;
  /** Sends a request below `/rest` as a demo user, whose password is the name. */
  send(username: string, method: string, path: string, body?: unknown): Promise<ProgramResponse>;
  /** Ends the program, and returns its exit code. */
  stop(): Promise<number | null>;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** Its variables, besides `PATH`, `HOME` and `PORT`; it gets no others. */
  readonly variables?: Readonly<Record<string, string>>;
  /** `id:secret` of a client that may use the password grant. */
  readonly client?: string;
}

/** Starts a module from its source, with a free port as `PORT`. */
export async function startProgram(
  module: string,
  parameters: readonly string[],
  { cwd, variables = {}, client = 'client:secret' }: ProgramOptions,
): Promise<StartedProgram> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['--conditions=lintel-source', module, ...parameters], {
    cwd,
    env: { ...programVariables(), HOME: process.env['HOME'], PORT: String(port), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const output = (): string => text;
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const isReady = (): boolean => /^ready in/m.test(text);
  const tokens = new Map<string, Promise<string>>();
  return {
    child,
    url,
    output,
    ended,
    ready: () =>
      new Promise((done, reject) => {
        if (isReady()) done();
        child.stdout.on('data', () => isReady() && done());
        void ended.then(() => reject(new Error(text)));
      }),
    async send(username, method, path, body) {
      const token = tokens.get(username) ?? logIn(url, client, username);
      tokens.set(username, token);
      // The next request may succeed.
      token.catch(() => tokens.delete(username));
      const response = await fetch(`${url}/rest${path}`, {
        method,
        headers: { authorization: `Bearer ${await token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const received = await response.text();
      return { status: response.status, headers: response.headers, text: received, json: () => JSON.parse(received) };
    },
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function logIn(url: string, client: string, username: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(client)}` },
    body: new URLSearchParams({ grant_type: 'password', username, password: username }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`${username} gets no token: ${response.status}`);
  return token;
}
