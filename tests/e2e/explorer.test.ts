import { PATIENCE_MS } from './browser-of-tests.ts';
import {
  baseUrl,
  browser,
  closeWithToken,
  execute,
  expand,
  isAccepted,
  logIn,
  openExplorer,
  openFlow,
  openSkippable,
  tagOfLogin,
  whoAmI,
} from './explorer-page.ts';
import { violationsOf } from './page-problems.ts';

const TEST_PATIENCE_MS = 180_000;

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

// Asserts contract/api-documents.md#explorer.
test(
  'a clerk logs in with the client of the explorer, whose token is renewed before it expires, and logs out',
  async () => {
    const { page, problems, skipHours } = await openSkippable();
    await logIn(page, 'clerk');
    const userInfo = await expand(page, 'Current user', 'getUserInfo');
    const first = await whoAmI(userInfo);
    expect(first).toEqual({ status: '200', authorization: expect.stringMatching(/^Bearer ./) });

    const renewed = page.waitForResponse((response) => response.url().endsWith('/oauth2/token'));
    await skipHours(12);
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
    await page.context().close();
  },
  TEST_PATIENCE_MS,
);

// Asserts contract/api-documents.md#explorer.
test(
  'a login that the server has ended is reported when its token should be renewed',
  async () => {
    const { page, skipHours } = await openSkippable();
    await logIn(page, 'clerk');
    const { authorization } = await whoAmI(await expand(page, 'Current user', 'getUserInfo'));
    await fetch(`${baseUrl}/logout`, { method: 'POST', headers: { authorization } });
    await skipHours(12);
    await page.getByText('The login has ended, log in again').waitFor();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    await page.context().close();
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
    context.setDefaultTimeout(PATIENCE_MS);
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
