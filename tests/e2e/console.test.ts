import { randomUUID } from 'node:crypto';
import { createClient, createSession } from '@lintel/client';
import type { Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from './browser-of-tests.ts';
import { collectProblems, violationsOf } from './page-problems.ts';

/** The console at `/console` in a real browser, where the system serves it. */
const baseUrl = (process.env['LINTEL_BASE_URL'] ?? '').replace(/\/$/, '');

const TEST_PATIENCE_MS = 180_000;
/** Bytes, compressed with gzip, of all files until the first table is shown. */
const FIRST_LOAD_LIMIT = 220_000;

/** The password of the user without roles, which resembles no name. */
const PASSWORD = 'seven green bottles';

/** Requests of the bell and the tasks, which the page sends three seconds after its first load. */
const LATER = /\/(?:bell|tasks|Badge)-|\/(?:notifications|tasks)$/;

const browser = browserOfTests();

/** Logs in on the way to a page of the console. */
async function open(path: string, user: string, width: number, password = user, locale = 'en') {
  const context = await browser().newContext({ viewport: { width, height: 900 }, locale });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems = collectProblems(page, baseUrl);
  const files = new Set<string>();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/console/login') requests.length = 0;
    // These are loaded three seconds after the start, whatever is done meanwhile.
    if (!/\/(?:notifications|bell-|tasks|Badge-)/.test(pathname)) requests.push(`${request.method()} ${pathname}`);
  });
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    // The page itself is counted once, with the path that was opened.
    if (pathname.startsWith('/console/') && pathname !== '/console/login') files.add(pathname);
  });
  await page.goto(`${baseUrl}/console/${path}`);
  await page.locator('input[name=username]').fill(user);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[value=login]').click();
  return { context, page, problems, files, requests };
}

async function connect() {
  const session = createSession({ baseUrl, clientId: 'client', clientSecret: 'secret' });
  await session.logIn('admin', 'admin');
  return createClient({ baseUrl, token: session });
}

/** Creates a tag of products, which no other test uses. */
async function createTag() {
  const client = await connect();
  const name = `console-${randomUUID().slice(0, 8)}`;
  const { id } = await client.create('sales_ProductTag', { name });
  return { id: String(id), name, remove: () => client.remove('sales_ProductTag', id) };
}

/** The length of a file as gzip has it. */
async function compressedLength(path: string): Promise<number> {
  const { headers } = await fetch(`${baseUrl}${path}`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  return Number(headers.get('content-length'));
}

const overflowOf = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

test(
  'a user logs in, sees the orders, opens one, changes a tag, and logs out; the first load is small',
  async () => {
    const { context, page, problems, files } = await open('data/sales_Order', 'admin', 1280);
    const first = page.getByRole('table', { name: 'Order' }).getByRole('link').first();
    await first.waitFor();
    const sizes = await Promise.all(
      [...files].filter((file) => !/\/(?:notifications|bell|tasks|Badge)-/.test(file)).map(compressedLength),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_LIMIT);
    expect(sizes.length).toBeGreaterThan(4);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(await violationsOf(page)).toEqual([]);

    // Another list and back: it is sorted as before. The menu is not printed, and nothing is cut off.
    const header = page.getByRole('columnheader', { name: 'Number' });
    await header.getByRole('button').click();
    await page.waitForURL(/sort=number/);
    const menu = page.getByRole('navigation', { name: 'Areas' });
    await menu.getByRole('link', { name: 'Customer', exact: true }).click();
    await page.getByRole('table', { name: 'Customer' }).waitFor();
    await menu.getByRole('link', { name: 'Order', exact: true }).click();
    await page.waitForURL(/sales_Order\?sort=number/);
    await first.waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 794, height: 1123 });
    expect([await menu.isVisible(), await first.isVisible(), await overflowOf(page)]).toEqual([false, true, 0]);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 900 });

    await first.click();
    await page.getByLabel('Notes').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // The form leads through the rows of the list; a favourite is on the first page until it is removed.
    const title = page.getByRole('heading', { level: 1 });
    const opened = await title.textContent();
    await page.getByRole('link', { name: 'Next record' }).click();
    await page.getByRole('link', { name: 'Previous record' }).click();
    await page.getByRole('heading', { level: 1, name: String(opened) }).waitFor();
    const favourite = page.getByRole('button', { name: 'Favourite' });
    await favourite.click();
    await menu.getByRole('link', { name: 'Data', exact: true }).click();
    const favourites = page.getByRole('region', { name: 'Favourites' });
    await favourites.getByRole('link', { name: String(opened) }).click();
    await favourite.and(page.locator('[aria-pressed=true]')).click();
    await menu.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('region', { name: 'Opened last' }).waitFor();
    expect(await favourites.isVisible()).toBe(false);

    // Loading the page again keeps the login.
    const tag = await createTag();
    await page.goto(`${baseUrl}/console/data/sales_ProductTag/${tag.id}`);
    const name = page.getByLabel('Name');
    await name.fill(`${tag.name} changed`);
    const written = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await written).status()).toBe(200);
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await name.waitFor();
    expect(await name.inputValue()).toBe(`${tag.name} changed`);
    await tag.remove();

    // The own account needs no right; its second factors are on a page of the login.
    const user = page.getByRole('button', { name: /^User/ });
    await user.click();
    await page.getByRole('menuitem', { name: 'My account' }).click();
    await page.getByLabel('Current password').waitFor();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Required').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.getByText('This session').first().waitFor();
    await page.getByRole('button', { name: 'Passkeys and second factors' }).click();
    await page.waitForURL(`${baseUrl}/as-login/security`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${baseUrl}/console/people/account`);
    await page.getByLabel('Current password').waitFor();

    // Another tab has the login of the browser, until it ends in one of them.
    const other = await context.newPage();
    await other.goto(`${baseUrl}/console/data/sales_ProductTag`);
    await other.getByRole('table', { name: 'Product tag' }).waitFor();

    const untilThen = problems.length;
    await user.click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.locator('input[name=password]').waitFor();
    await other.getByRole('dialog', { name: 'The login has ended' }).waitFor();
    await other.reload();
    await other.locator('input[name=password]').waitFor();
    // The server ends the feed of changes with the login, or the page with itself, and refuses what is on its way.
    expect(problems.slice(untilThen).filter((problem) => !/INCOMPLETE_CHUNKED|ABORTED|401/.test(problem))).toEqual([]);
    expect(problems.slice(0, untilThen).filter((problem) => !/INCOMPLETE_CHUNKED|ABORTED/.test(problem))).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test.each([
  ['en', 'Order'],
  ['de', 'Auftrag'],
])(
  'in %s the first page needs at most 15 requests after the login, its first list 2, and a form 4',
  async (locale, caption) => {
    const { context, page, requests } = await open('', 'admin', 1280, 'admin', locale);
    const after = async (last: RegExp, step: () => Promise<void>, limit: number): Promise<void> => {
      const awaited = page.waitForRequest((request) => last.test(request.url()));
      await step();
      await awaited;
      expect(
        requests
          .splice(0)
          .filter((each) => !LATER.test(each))
          .slice(limit),
      ).toEqual([]);
    };
    const link = page.getByRole('navigation').getByRole('link', { name: caption, exact: true });
    const first = page.getByRole('table', { name: caption }).getByRole('link').first();
    await after(/\/views$/, () => link.waitFor(), 15);
    await after(
      /\/changes\//,
      async () => {
        await link.click();
        await first.waitFor();
      },
      2,
    );
    await after(/\/changes\//, () => first.click(), 4);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'orders are grouped below a list; the question is saved, drawn on the first page, and leads back to the list',
  async () => {
    const { context, page, problems } = await open('data/sales_Order', 'admin', 1280);
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Group' });
    await panel.getByLabel('Group by').selectOption({ label: 'Status' });
    await panel.getByLabel('Value', { exact: true }).selectOption({ label: 'Sum' });
    await panel.getByLabel('Attribute', { exact: true }).selectOption({ label: 'Amount' });
    const table = panel.getByRole('table', { name: 'Sum: Amount' });
    await table.getByRole('columnheader', { name: 'Sum: Amount' }).waitFor();
    expect(await panel.locator('svg rect').count()).toBeGreaterThan(1);
    await panel.getByLabel('Shown as').selectOption({ label: 'Pie' });
    await panel.locator('svg path').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const name = `question ${randomUUID().slice(0, 8)}`;
    await panel.getByLabel('Name of a new view').fill(name);
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'POST' && /views/.test(response.url()),
    );
    await panel.getByRole('button', { name: 'Save view' }).click();
    expect((await saved).status()).toBe(201);

    await page.goto(`${baseUrl}/console/data`);
    const questions = page.getByRole('region', { name: 'Saved questions' });
    await questions.getByRole('table', { name }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const card = questions.locator('div', { has: page.getByRole('table', { name }) }).last();
    await card.getByRole('link', { name: 'Open the list: Order' }).click();
    await table.waitFor();
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('button', { name: `Delete the view ${name}` }).click();
    await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user without the right to the API sees the reason, and logs out',
  async () => {
    const client = await connect();
    const username = `console-${randomUUID().slice(0, 8)}`;
    const { id } = await client.create('sec_User', { username, password: PASSWORD, active: true });
    const { context, page } = await open('', username, 1280, PASSWORD);
    await page.getByRole('alert').getByText('ACCESS_REST_DENIED').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('input[name=password]').waitFor();
    await context.close();
    await client.remove('sec_User', id);
  },
  TEST_PATIENCE_MS,
);

test(
  'on a phone nothing is wider than the page',
  async () => {
    const { context, page, problems } = await open('data/sales_Order', 'clerk', 375);
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await page.getByLabel('Group by').selectOption({ label: 'Date' });
    await page.getByRole('table', { name: 'Number' }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    // Rows are cards, which scroll nowhere sideways, with the captions of their values.
    const orders = page.getByRole('table', { name: 'Order' });
    const widths = await orders.locator('..').evaluate(({ scrollWidth, clientWidth }: Record<string, number>) => ({
      scrollWidth,
      clientWidth,
    }));
    expect(widths.scrollWidth).toBe(widths.clientWidth);
    const caption = 'getComputedStyle(document.querySelector("td[data-label=Status]"), "::before").content';
    expect(await page.evaluate(caption)).toBe('"Status"');
    await orders.getByRole('link').first().click();
    await page.getByLabel('Notes').waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user imports a table: maps its columns, sees what would happen, and saves the refused rows',
  async () => {
    const { context, page, problems } = await open('data/sales_ProductTag', 'admin', 1280);
    const name = `import-${randomUUID().slice(0, 8)}`;
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'tags.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Bezeichnung;Notiz\n${name};x\n${name};y\n`),
    });
    await dialog.getByText("Column 1 'Bezeichnung' is no attribute").waitFor();
    await dialog.getByRole('combobox', { name: 'Bezeichnung' }).selectOption({ label: 'Name' });
    await dialog.getByRole('button', { name: 'Skip the columns without an attribute: Notiz' }).click();
    await dialog.getByText('1 refused').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('checkbox', { name: /Leave out the refused rows/ }).check();
    await dialog.getByRole('button', { name: 'Import 1 row' }).click();
    await dialog.getByText('Imported:').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save the refused rows as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('sales_ProductTag-refused.csv');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    // Pasted cells with the same columns have the mapping of the last import.
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByRole('button', { name: 'Choose a file' }).waitFor();
    const cells = JSON.stringify(`Bezeichnung\tNotiz\n${name}-pasted\tx\n`);
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${cells});
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }`);
    await dialog.getByRole('button', { name: 'Import 1 row' }).waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Bezeichnung' }).inputValue()).toBe('name');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const client = await connect();
    const filter = { conditions: [{ property: 'name', operator: '=', value: name }] } as const;
    const [tag] = await client.list('sales_ProductTag', { filter });
    expect(tag?.['name']).toBe(name);
    await client.remove('sales_ProductTag', tag?.id as string);
    // The first rehearsals are refused, since columns have no attribute.
    expect(problems.filter((problem) => !/INCOMPLETE_CHUNKED|ABORTED|status of 400/.test(problem))).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);
