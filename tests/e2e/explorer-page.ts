import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { browserOfTests, opens, PATIENCE_MS } from './browser-of-tests.ts';
import { collectProblems } from './page-problems.ts';

export const baseUrl = (process.env['LINTEL_BASE_URL'] ?? '').replace(/\/$/, '');

/** Browser of the test file. */
export const browser = browserOfTests();

/** A page of the explorer at `/rest/docs`, and what went wrong in it. */
interface Explorer {
  readonly page: Page;
  /** Errors of scripts, violations of the policy, requests to other servers. */
  readonly problems: readonly string[];
}

/** Opens the explorer in a new context, unless one is given. */
export async function openExplorer(
  path = '/rest/docs',
  options: BrowserContextOptions = {},
  given?: BrowserContext,
): Promise<Explorer> {
  const context = given ?? (await browser().newContext({ viewport: { width: 1280, height: 1600 }, ...options }));
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems = collectProblems(page, baseUrl);
  if (await opens(page, `${baseUrl}${path}`, page.locator('.tag').first())) return { page, problems };
  await page.close();
  return openExplorer(path, options, context);
}

/** The part of the dialog for one way to log in. */
export async function openFlow(page: Page, way: string): Promise<Locator> {
  await page.locator('button.authorize').click();
  const flow = page.locator(`dialog [data-way="${way}"]`);
  await flow.locator('summary').click();
  return flow;
}

/** A tag that only the document of a login has, which replaces the one without a token. */
export const tagOfLogin = (page: Page): Locator => page.locator('[data-tag="Current user"]');

/** Closes the dialog when there is a token. */
export async function closeWithToken(page: Page): Promise<void> {
  await page.getByText('Requests are sent with a token.').waitFor();
  await page.locator('dialog button.close').click();
  await tagOfLogin(page).waitFor();
}

/** Opens an operation below its tag. */
export async function expand(page: Page, tag: string, operationId: string): Promise<Locator> {
  await page.locator(`[data-tag="${tag}"] > summary`).click();
  const operation = page.locator(`#${operationId}`);
  await operation.locator('> summary').click();
  return operation;
}

/** Sends the request of an operation, and returns status and body. */
export async function execute(operation: Locator): Promise<{ readonly status: string; readonly body: string }> {
  const responded = operation.page().waitForResponse((response) => !/\/oauth|\/rest\/docs/.test(response.url()));
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = String((await responded).status());
  await operation.locator('.response-status', { hasText: status }).waitFor();
  return { status, body: (await operation.locator('.response-body').textContent()) ?? '' };
}

/** Logs in as the client of the explorer: without any entry but name and password. */
export async function logIn(page: Page, user: string): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  const login = await opened;
  await login.locator('input[name=username]').fill(user);
  await login.locator('input[name=password]').fill(user);
  const closed = login.waitForEvent('close');
  await login.locator('button[value=login]').click();
  await closed;
  await page.getByText('You are logged in.').waitFor();
  await tagOfLogin(page).waitFor();
}

/** Executes `getUserInfo`; resolves with the status, and the header that it was sent with. */
export async function whoAmI(userInfo: Locator): Promise<{ readonly status: string; readonly authorization: string }> {
  const sent = userInfo.page().waitForRequest((request) => request.url().endsWith('/userInfo'));
  const { status } = await execute(userInfo);
  return { status, authorization: (await sent).headers()['authorization'] ?? '' };
}

export const isAccepted = async (authorization: string): Promise<boolean> =>
  (await fetch(`${baseUrl}/rest/userInfo`, { headers: { authorization } })).ok;

/** A timer with such a delay is a long one. */
const LONG_MS = 60_000;

/** Script of a page with a function that skips time: long timers run, and all others are left to the browser. */
const WITH_SKIPPED_TIME = `{
  const { setTimeout, clearTimeout } = window;
  const { now } = Date;
  const waiting = new Map();
  let skippedMs = 0;
  Date.now = () => now() + skippedMs;
  window.setTimeout = (callback, delayMs, ...values) => {
    const id = setTimeout(callback, delayMs, ...values);
    if (delayMs >= ${LONG_MS}) waiting.set(id, { callback, at: Date.now() + delayMs });
    return id;
  };
  window.clearTimeout = (id) => {
    waiting.delete(id);
    clearTimeout(id);
  };
  window.skipTime = (ms) => {
    skippedMs += ms;
    for (const [id, { callback, at }] of waiting)
      if (at <= Date.now()) {
        window.clearTimeout(id);
        callback();
      }
  };
}`;

/** A page of the explorer whose time can be skipped. */
export async function openSkippable(): Promise<Explorer & { skipHours(hours: number): Promise<unknown> }> {
  const context = await browser().newContext({ viewport: { width: 1280, height: 1600 } });
  await context.addInitScript(WITH_SKIPPED_TIME);
  const explorer = await openExplorer('/rest/docs', {}, context);
  return { ...explorer, skipHours: (hours) => explorer.page.evaluate(`skipTime(${hours * 3_600_000})`) };
}
