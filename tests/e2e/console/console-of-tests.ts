import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from '../browser-of-tests.ts';
import { type ConsoleSystem, type Mode, START_PATIENCE_MS, startConsoleSystem } from './console-system.ts';

/** How long a journey may take. */
export const JOURNEY_PATIENCE_MS = 600_000;

/** A running system, and a page of its console on which a user is logged in. */
export interface OpenedConsole {
  readonly system: ConsoleSystem;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
}

type Settings = Readonly<Record<string, string>>;

interface Options {
  /** User of the example, whose password is the name. */
  readonly username?: string;
  /** The page that is opened first. */
  readonly path?: string;
  /** Environment variables of the system; a function is called when it starts. */
  readonly settings?: Settings | (() => Settings);
  /** Errors of scripts that the tests cause. */
  readonly caused?: RegExp;
}

/**
 * Starts a system before the tests of a block and logs a user in; stops it after them. Fails if a page had an error of
 * a script or sent a request to another server, or if the system did not stop as asked. The result is for use within
 * tests.
 */
export function consoleOfTests(mode: Mode, options: Options = {}): () => OpenedConsole {
  const { username = 'admin', path = '', settings, caused } = options;
  const browser = browserOfTests();
  const problems: string[] = [];
  let system: ConsoleSystem;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    system = await startConsoleSystem(mode, typeof settings === 'function' ? settings() : settings);
    ({ context, page } = await openConsole(browser(), system.url, path));
    page.on('pageerror', ({ message }) => {
      if (caused?.test(message) !== true) problems.push(message);
    });
    page.on('request', (request) => {
      // The browser shows PDF with pages of its own.
      if (!/^(blob|data|chrome|chrome-extension):/.test(request.url()) && new URL(request.url()).origin !== system.url)
        problems.push(`requests ${request.url()}`);
    });
    await logIn(page, username);
  }, START_PATIENCE_MS);
  afterAll(async () => {
    await context?.close();
    expect([await system?.stop(), problems]).toEqual([undefined, []]);
  }, START_PATIENCE_MS);
  return () => ({ system, browser: browser(), context, page });
}

/** The content of a page of the console. */
export const contentOf = (page: Page): Locator => page.locator('#content');

/** Opens the login of the console in a browser of its own. */
export async function openConsole(
  browser: Browser,
  url: string,
  path = '',
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const viewport = { width: 1280, height: 850 };
  const context = await browser.newContext({ viewport, locale: 'en', timezoneId: 'UTC' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${url}/console/${path}`);
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
