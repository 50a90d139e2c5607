import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from './browser-of-tests.ts';

/** The explorer at `/rest/docs` in a real browser: log in, expand, try out, see the response. */
const baseUrl = (process.env['LINTEL_BASE_URL'] ?? '').replace(/\/$/, '');

const TEST_PATIENCE_MS = 180_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const browser = browserOfTests();

/** A page of the explorer, and what went wrong in it. */
interface Explorer {
  readonly page: Page;
  /** Errors of scripts, violations of the policy, requests to other servers. */
  readonly problems: string[];
}

async function openExplorer(
  path = '/rest/docs',
  options: BrowserContextOptions = {},
  given?: BrowserContext,
): Promise<Explorer> {
  const context = given ?? (await browser().newContext({ viewport: { width: 1280, height: 1600 }, ...options }));
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(baseUrl).origin) problems.push(`requests ${request.url()}`);
  });
  await page.goto(`${baseUrl}${path}`);
  await page.locator('.tag').first().waitFor();
  return { page, problems };
}

/** The part of the dialog for one way to log in. */
async function openFlow(page: Page, way: string): Promise<Locator> {
  await page.locator('button.authorize').click();
  const flow = page.locator(`dialog [data-way="${way}"]`);
  await flow.locator('summary').click();
  return flow;
}

/** A tag that only the document of a login has, which replaces the one without a token. */
const tagOfLogin = (page: Page): Locator => page.locator('[data-tag="Current user"]');

/** Closes the dialog when there is a token. */
async function closeWithToken(page: Page): Promise<void> {
  await page.getByText('Requests are sent with a token.').waitFor();
  await page.locator('dialog button.close').click();
  await tagOfLogin(page).waitFor();
}

/** Opens an operation below its tag. */
async function expand(page: Page, tag: string, operationId: string): Promise<Locator> {
  await page.locator(`[data-tag="${tag}"] > summary`).click();
  const operation = page.locator(`#${operationId}`);
  await operation.locator('> summary').click();
  return operation;
}

/** Sends the request of an operation, and returns status and body. */
async function execute(operation: Locator): Promise<{ readonly status: string; readonly body: string }> {
  const responded = operation.page().waitForResponse((response) => !/\/oauth|\/rest\/docs/.test(response.url()));
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = String((await responded).status());
  await operation.locator('.response-status', { hasText: status }).waitFor();
  return { status, body: (await operation.locator('.response-body').textContent()) ?? '' };
}

/** Rules of axe that the page breaks, with the elements. */
const violationsOf = (page: Page): Promise<unknown> =>
  page.evaluate(
    `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  );

test(
  'a clerk logs in with a password, searches products and sees them',
  async () => {
    const { page, problems } = await openExplorer();
    const flow = await openFlow(page, 'flow-password');
    await flow.getByLabel('User name').fill('clerk');
    await flow.getByLabel('Password').fill('clerk');
    await flow.getByLabel('Client id').fill('client');
    await flow.getByLabel('Client secret').fill('secret');
    await flow.getByRole('button', { name: 'Log in' }).click();
    await closeWithToken(page);

    const search = await expand(page, 'sales_Product', 'searchEntities_sales_Product');
    const conditions = [{ property: 'name', operator: 'notEmpty', value: true }];
    await search.locator('textarea').fill(JSON.stringify({ filter: { conditions } }));
    const { status, body } = await execute(search);
    expect(status).toBe('200');
    expect(body).toContain('"_entityName": "sales_Product"');
    expect(body).toContain('SKU-0001');
    expect(problems).toEqual([]);
    await page.context().close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a manager logs in by the code flow with PKCE, sees the operations that need a token and is who the API says',
  async () => {
    const { page, problems } = await openExplorer('/rest/docs/');
    expect(await tagOfLogin(page).count()).toBe(0);
    const flow = await openFlow(page, 'flow-authorizationCode');
    await flow.getByLabel('Client id').fill('client');
    await flow.getByLabel('Client secret').fill('secret');
    const opened = page.waitForEvent('popup');
    await flow.getByRole('button', { name: 'Log in' }).click();
    const login = await opened;
    await login.locator('input[name=username]').fill('manager');
    await login.locator('input[name=password]').fill('manager');
    const closed = login.waitForEvent('close');
    await login.locator('button[value=login]').click();
    await closed;
    await closeWithToken(page);

    const userInfo = await expand(page, 'Current user', 'getUserInfo');
    expect(await execute(userInfo)).toEqual({ status: '200', body: expect.stringContaining('"username": "manager"') });
    // The browser itself reports the refusal.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    await page.context().close();
  },
  TEST_PATIENCE_MS,
);

/** Logs in as the client of the explorer: without any entry but name and password. */
async function logIn(page: Page, user: string): Promise<void> {
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
async function whoAmI(userInfo: Locator): Promise<{ readonly status: string; readonly authorization: string }> {
  const sent = userInfo.page().waitForRequest((request) => request.url().endsWith('/userInfo'));
  const { status } = await execute(userInfo);
  return { status, authorization: (await sent).headers()['authorization'] ?? '' };
}

const isAccepted = async (authorization: string): Promise<boolean> =>
  (await fetch(`${baseUrl}/rest/userInfo`, { headers: { authorization } })).ok;

// Asserts contract/api-documents.md#explorer.
test(
  'a clerk logs in with the client of the explorer, whose token is renewed before it expires, and logs out',
  async () => {
    const context = await browser().newContext({ viewport: { width: 1280, height: 1600 } });
    await context.clock.install();
    const { page, problems } = await openExplorer('/rest/docs', {}, context);
    await logIn(page, 'clerk');
    const userInfo = await expand(page, 'Current user', 'getUserInfo');
    const first = await whoAmI(userInfo);
    expect(first).toEqual({ status: '200', authorization: expect.stringMatching(/^Bearer ./) });

    const renewed = page.waitForResponse((response) => response.url().endsWith('/oauth2/token'));
    await context.clock.fastForward('12:00:00');
    expect((await renewed).status()).toBe(200);
    const second = await whoAmI(userInfo);
    expect(second.status).toBe('200');
    expect(second.authorization).not.toBe(first.authorization);
    expect(await Promise.all([first, second].map(({ authorization }) => isAccepted(authorization)))).toEqual([
      false,
      true,
    ]);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('You are logged out.').waitFor();
    expect(await isAccepted(second.authorization)).toBe(false);
    expect((await whoAmI(userInfo)).authorization).toBe('');
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

// Asserts contract/api-documents.md#explorer.
test(
  'a login that the server has ended is reported when its token should be renewed',
  async () => {
    const context = await browser().newContext({ viewport: { width: 1280, height: 1600 } });
    await context.clock.install();
    const { page } = await openExplorer('/rest/docs', {}, context);
    await logIn(page, 'clerk');
    const { authorization } = await whoAmI(await expand(page, 'Current user', 'getUserInfo'));
    await fetch(`${baseUrl}/logout`, { method: 'POST', headers: { authorization } });
    await context.clock.fastForward('12:00:00');
    await page.getByText('The login has ended, log in again').waitFor();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    await context.close();
  },
  TEST_PATIENCE_MS,
);

// Asserts contract/api-documents.md#explorer.
test(
  'where the document needs a token, the user logs in before it is shown',
  async () => {
    const context = await browser().newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await context.route('**/openapiDetailed.json', (route) =>
      route.request().headers()['authorization'] === undefined ? route.fulfill({ status: 401 }) : route.continue(),
    );
    const page = await context.newPage();
    await page.goto(`${baseUrl}/rest/docs#getUserInfo`);
    await page.getByText('Log in to read the document of the API.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await logIn(page, 'manager');
    expect((await whoAmI(page.locator('#getUserInfo'))).status).toBe('200');
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test('words of the filter leave the operations that contain all of them, and a link opens one', async () => {
  const { page, problems } = await openExplorer('/rest/docs#getUserInfo');
  await logIn(page, 'clerk');
  await page.locator('#getUserInfo .execute').waitFor();
  await page.getByLabel('Find operations by words').fill('sales_Product search count');
  await page.getByText(/^4 operations$/).waitFor();
  expect(await page.locator('.operation:visible').count()).toBe(4);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a link with a request opens its operation with the values, and a refusal is shown as a response', async () => {
  const link = (target: string, more = {}): string =>
    `/rest/docs#${new URLSearchParams({ method: 'GET', target, ...more })}`;
  const { page } = await openExplorer(link('/rest/userInfo'));
  await page.getByText(/requests without a login may call/).waitFor();
  await logIn(page, 'clerk');
  await page.locator('#getUserInfo .execute').waitFor();
  expect(await page.getByText(/may call/).count()).toBe(0);
  await page.goto(`${baseUrl}${link('/rest/entities/sales_Product/none?fetchPlan=_local')}`);
  const operation = page.locator('.operation[open]', { hasText: 'sales_Product' });
  expect(await operation.getByLabel('fetchPlan (query)').inputValue()).toBe('_local');
  expect((await execute(operation)).status).toMatch(/^4/);
  await page.goto(`${baseUrl}${link('/rest/nothing')}`);
  await page.getByText('There is no operation GET /rest/nothing that you may call.').waitFor();
  await page.goto(
    `${baseUrl}${link('/rest/entities/sales_Product/search', { method: 'POST', body: '{"filter":{"a":1}}' })}`,
  );
  const search = page.locator('#searchEntities_sales_Product');
  expect(await search.locator('textarea').inputValue()).toBe('{"filter":{"a":1}}');
  await page.context().close();
});

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(
  'in %s colours and %i pixels wide, axe finds nothing and nothing is wider than the page',
  async (colorScheme, width) => {
    const { page, problems } = await openExplorer('/rest/docs', { colorScheme, viewport: { width, height: 844 } });
    await logIn(page, 'clerk');
    const search = await expand(page, 'sales_Product', 'searchEntities_sales_Product');
    for (const schema of await search.locator('.schema > summary').all()) await schema.click();
    await execute(search);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await openFlow(page, 'flow-password');
    expect(await violationsOf(page)).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    await page.context().close();
  },
);
