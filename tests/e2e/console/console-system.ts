import { createTestDatabase, databaseOfHome, runOnce } from '@lintel/testkit';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PATIENCE_MS } from '../browser-of-tests.ts';

/** The ways to run the system: journeys of the console are driven in both. */
export const MODES = ['one process', 'five processes'] as const;
export type Mode = (typeof MODES)[number];

/** How long a system may take to start on a busy machine. */
export const START_PATIENCE_MS = 300_000;
/** How long a journey may take. */
export const JOURNEY_PATIENCE_MS = 600_000;

/** The system with the example application. */
export interface ConsoleSystem {
  readonly url: string;
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
  const token = await tokenOf(url);
  return {
    url,
    query: (text) => runOnce(databaseUrl, text),
    async rest<T>(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
      const response = await fetch(`${url}/rest${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
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
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

/** Opens the login of the console in a browser of its own. */
export async function openConsole(
  browser: Browser,
  url: string,
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const viewport = { width: 1280, height: 850 };
  const context = await browser.newContext({ viewport, locale: 'en', timezoneId: 'UTC' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${url}/console/`);
  await page.locator('input[name=username]').waitFor();
  return { context, page };
}

/** Logs in at the page that `openConsole` opened; users of the example have their names as passwords. */
export async function logIn(page: Page, username: string): Promise<void> {
  await page.fill('input[name=username]', username);
  await page.fill('input[type=password]', username);
  await page.keyboard.press('Enter');
  await page.locator('#content h1').waitFor();
}
