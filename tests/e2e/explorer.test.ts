import { type ProvidedBackends, provide } from '@lintel/testkit/backends';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

/** The explorer at `/rest/docs` in a real browser: log in, expand, try out, see the response. */
const baseUrl = (process.env['LINTEL_BASE_URL'] ?? '').replace(/\/$/, '');

/** The page works out a document of hundreds of operations; a busy machine takes its time. */
const PATIENCE_MS = 90_000;
const TEST_PATIENCE_MS = 240_000;

let programs: ProvidedBackends;
let browser: Browser;
beforeAll(async () => {
  programs = await provide({ chromium: true });
  browser = await chromium.launch({
    executablePath: programs.environment['LINTEL_TEST_CHROMIUM_PROGRAM'] ?? '',
    // Its sandbox is not for root, as whom tests run in containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
});
afterAll(async () => {
  await browser?.close();
  await programs?.stop();
});

/** A page of the explorer, and what went wrong in it. */
interface Explorer {
  readonly page: Page;
  /** Errors of scripts, violations of the policy, requests to other servers. */
  readonly problems: string[];
}

async function openExplorer(path = '/rest/docs'): Promise<Explorer> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1600 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(baseUrl).origin && !request.url().startsWith('data:'))
      problems.push(`asks ${request.url()}`);
  });
  await page.goto(`${baseUrl}${path}`);
  await page.locator('.info .title').waitFor();
  return { page, problems };
}

/** The part of the dialog that is about one flow. */
async function openFlow(page: Page, title: RegExp): Promise<Locator> {
  await page.locator('.auth-wrapper .authorize').first().click();
  return page.locator('.modal-ux .auth-container', { has: page.getByRole('heading', { name: title }) });
}

/** Opens an operation below its tag. */
async function expand(page: Page, tag: string, operationId: string): Promise<Locator> {
  const section = page.locator('.opblock-tag-section', { has: page.locator(`[data-tag="${tag}"]`) });
  await section.locator('.opblock-tag').click();
  const operation = page.locator(`#operations-${tag.replaceAll(' ', '_')}-${operationId}`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

/** Sends the request of an operation that is tried out, and returns status and body. */
async function execute(operation: Locator): Promise<{ readonly status: string; readonly body: string }> {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table');
  await response.waitFor();
  return {
    status: ((await response.locator('.response-col_status').last().textContent()) ?? '').trim().slice(0, 3),
    body: (await response.locator('.response-col_description').last().textContent()) ?? '',
  };
}

test(
  'a clerk logs in with a password, searches products and sees them',
  async () => {
    const { page, problems } = await openExplorer();
    const flow = await openFlow(page, /OAuth2, password/);
    await flow.locator('#oauth_username').fill('clerk');
    await flow.locator('#oauth_password').fill('clerk');
    await flow.locator('#client_id_password').fill('client');
    await flow.locator('#client_secret_password').fill('secret');
    await flow.getByRole('button', { name: /^Apply|^Authorize/ }).click();
    await flow.getByRole('button', { name: /Logout|Remove/ }).waitFor();
    await page.locator('.modal-ux .close-modal').click();

    const search = await expand(page, 'sales_Product', 'searchEntities_sales_Product');
    await search.getByRole('button', { name: 'Try it out' }).click();
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
  'a manager, refused without a token, logs in by the code flow with PKCE and is who the API says',
  async () => {
    const { page, problems } = await openExplorer('/rest/docs/');
    const userInfo = await expand(page, 'Current user', 'getUserInfo');
    await userInfo.getByRole('button', { name: 'Try it out' }).click();
    expect(await execute(userInfo)).toEqual({ status: '401', body: expect.stringContaining('unauthorized') });
    const flow = await openFlow(page, /authorizationCode with PKCE/);
    await flow.locator('#client_id_authorizationCode').fill('client');
    await flow.locator('#client_secret_authorizationCode').fill('secret');
    const opened = page.waitForEvent('popup');
    await flow.getByRole('button', { name: /^Apply|^Authorize/ }).click();
    const login = await opened;
    await login.locator('input[name=username]').fill('manager');
    await login.locator('input[name=password]').fill('manager');
    const closed = login.waitForEvent('close');
    await login.locator('button[value=login]').click();
    await closed;
    await flow.getByRole('button', { name: /Logout|Remove/ }).waitFor();
    await page.locator('.modal-ux .close-modal').click();

    await userInfo.getByRole('button', { name: 'Clear' }).click();
    expect(await execute(userInfo)).toEqual({ status: '200', body: expect.stringContaining('"username": "manager"') });
    // The browser itself reports the refusal.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    await page.context().close();
  },
  TEST_PATIENCE_MS,
);
