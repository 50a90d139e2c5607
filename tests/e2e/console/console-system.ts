import { createTestDatabase, databaseOfHome, runOnce } from '@lintel/testkit';
/** The ways to run the system: journeys of the console are driven in both. */
export const MODES = ['one process', 'five processes'] as const;
export type Mode = (typeof MODES)[number];

/** How long a system may take to start on a busy machine. */
export const START_PATIENCE_MS = 300_000;
/** The system with the example application. */
export interface ConsoleSystem {
  readonly url: string;
  /** An access token of the administrator of `sales`. */
  token(): Promise<string>;
  /** Runs a statement on its database. */
  query(text: string): Promise<unknown>;
  /** Sends a request of the administrator; fails unless it succeeds. */
  rest<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<T>;
  stop(): Promise<unknown>;
}

interface Started {
  readonly url: string;
  readonly home: string;
  stop(): Promise<unknown>;
}
type Start = (...values: unknown[]) => Promise<Started>;

const startOf = async (file: string, name: string): Promise<Start> => {
  const tools = (await import(new URL(`../../../tools/test/${file}`, import.meta.url).href)) as Record<string, Start>;
  return tools[name] as Start;
};

/** Starts the system; `settings` are environment variables. */
export async function startConsoleSystem(
  mode: Mode,
  settings: Readonly<Record<string, string>> = {},
): Promise<ConsoleSystem> {
  const { started, databaseUrl, release } = await (mode === 'one process' ? startOne : startFive)(settings);
  const { url } = started;
  let token: Promise<string> | undefined;
  const tokenOnce = () => {
    token ??= tokenOf(url);
    return token;
  };
  return {
    url,
    token: tokenOnce,
    query: (text) => runOnce(databaseUrl, text),
    async rest<T>(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
      const response = await fetch(`${url}/rest${path}`, {
        method,
        headers: { authorization: `Bearer ${await tokenOnce()}`, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    async stop() {
      const problem = await started.stop();
      await release();
      return problem;
    },
  };
}

async function startOne(settings: Readonly<Record<string, string>>) {
  const started = await (await startOf('system.mjs', 'startStandalone'))(settings);
  return { started, databaseUrl: databaseOfHome(started.home), release: async () => undefined };
}

async function startFive(settings: Readonly<Record<string, string>>) {
  const database = await createTestDatabase('console');
  try {
    const servers = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('LINTEL_TEST_')));
    const start = await startOf('services-system.mjs', 'startServices');
    const started = await start(servers, { ...settings, SVC_DATASOURCE_URL: database.url });
    return { started, databaseUrl: database.url, release: () => database.drop() };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

async function tokenOf(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  if (!response.ok) throw new Error(`The login of the administrator: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { readonly access_token: string }).access_token;
}
