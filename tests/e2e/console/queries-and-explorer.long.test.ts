import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from '../browser-of-tests.ts';

/**
 * Predefined queries, service methods, the API explorer, files, dynamic attributes, the diagram and texts where they
 * are shown, with one process. Each page is checked with axe at the width of a desktop and of a phone.
 */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = process.env['LINTEL_TEST_PICTURES'];
const ORDER = '0d000000-0000-4000-8000-000000000001';

const browser = browserOfTests();
let system: { readonly url: string; stop(): Promise<unknown> };
let token: string;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const tools = new URL('../../../tools/test/system.mjs', import.meta.url).href;
  const { startStandalone } = (await import(tools)) as { startStandalone(): Promise<typeof system> };
  system = await startStandalone();
  const login = await fetch(`${system.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  token = ((await login.json()) as { access_token: string }).access_token;
  context = await browser().newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: system.url });
  page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${system.url}/console/`);
  await page.fill('input[name=username]', 'admin');
  await page.fill('input[type=password]', 'admin');
  await page.keyboard.press('Enter');
  await page.locator('#content h1').waitFor();
}, 300_000);
afterAll(async () => {
  await context?.close();
  await system?.stop();
}, 60_000);

const open = (path: string) => page.goto(`${system.url}/console/${path}`);
const content = () => page.locator('#content');
const button = (name: string) => content().getByRole('button', { name, exact: true });

async function rest(method: string, path: string, body?: unknown) {
  const response = await fetch(`${system.url}/rest${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Chooses a command of the menu with the request of the page, and returns what it has copied. */
async function copied(command: string): Promise<string> {
  await button('API request of this page').click();
  await page.getByRole('menuitem', { name: command }).click();
  await page.getByText('Copied', { exact: true }).first().waitFor();
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}

test('a query runs with parameters, which its address has; copied as curl it is the same', async () => {
  await open('calls');
  await content().getByRole('textbox', { name: 'Find a query or a method' }).fill('ordersByStatus');
  await content().getByRole('link', { name: 'ordersByStatus' }).click();
  await button('Run').click();
  await content().getByText('A value is required').waitFor();
  await content().getByLabel('status').selectOption({ label: 'Shipped' });
  await button('Run').click();
  const rows = content().getByRole('table', { name: 'ordersByStatus' });
  await rows.getByRole('link').first().waitFor();
  expect(page.url()).toContain('status=SHIPPED');
  const first = (await rows.getByRole('link').first().textContent()) ?? '';
  await page.reload();
  await rows.getByRole('link', { name: first }).waitFor();
  await content()
    .getByText(/^[\d,]+ rows$/)
    .waitFor();

  const command = await copied('Copy as curl');
  expect(command).toContain('$TOKEN');
  expect(command).not.toContain('Bearer ey');
  const output = execFileSync('bash', ['-c', `${command} -s`], {
    encoding: 'utf8',
    env: { ...process.env, TOKEN: token },
  });
  expect(JSON.parse(output)[0]._instanceName).toBe(first);
  expect(await copied('Copy as TypeScript')).toContain('client.query("sales_Order", "ordersByStatus"');

  await button('API request of this page').click();
  await page.getByRole('menuitem', { name: 'Open in the API explorer' }).click();
  await button('Send').click();
  await content().getByText(/^200/).waitFor();
  await content().getByText('A-00', { exact: false }).first().waitFor();
}, 300_000);

test('the ids of a collection are found by names', async () => {
  await open('calls/queries/sales_Order/ordersByCustomers');
  await content().getByRole('combobox', { name: 'customerIds 1' }).click();
  await page.getByRole('option').first().click();
  await content().getByLabel(/^from/).fill('2026-01-01');
  await content().getByLabel(/^to/).fill('2026-12-31');
  await button('Run').click();
  await content().getByRole('table', { name: 'ordersByCustomers' }).getByRole('link').first().waitFor();
}, 300_000);

test('a method is called with an instance; mistakes are at their parameters, and input stays', async () => {
  await open('calls/services/sales_OrderService/quote');
  await content().getByRole('combobox', { name: 'product' }).click();
  await page.getByRole('option').first().click();
  await content().getByLabel('quantity').fill('-1');
  await button('Call').click();
  await content()
    .getByText(/must be greater than 0|positive/)
    .waitFor();
  await content().getByLabel('quantity').fill('1.500');
  await button('Call').click();
  await content().getByRole('table', { name: 'Result' }).waitFor();

  await open('calls/services/sales_ReportingService/sum');
  await content().getByLabel('Parameters').selectOption({ label: 'a, b, c' });
  for (const name of ['a', 'b', 'c']) await content().getByRole('textbox', { name, exact: true }).fill('2');
  await button('Call').click();
  await content().getByText('6', { exact: true }).waitFor();

  await open('calls/services/sales_OrderService/ping');
  await button('Call').click();
  await content().getByText('Done. The method has no result.').waitFor();
}, 300_000);

test('a method that the application declares so is called after a confirmation', async () => {
  await rest('PUT', `/entities/sales_Order/${ORDER}`, { status: 'NEW' });
  await open(`calls/services/sales_OrderService/close?order=${ORDER}`);
  await button('Call').click();
  await page.getByRole('dialog').getByText('The application asks to confirm this call.').waitFor();
  expect((await rest('GET', `/entities/sales_Order/${ORDER}`)).status).not.toBe('CLOSED');
  await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
  await content().getByRole('table', { name: 'Result' }).getByText('Closed').waitFor();
  expect((await rest('GET', `/entities/sales_Order/${ORDER}`)).status).toBe('CLOSED');
}, 300_000);

test('the explorer shows a refusal as a response', async () => {
  await open('api');
  await content()
    .getByRole('textbox', { name: 'Find an operation' })
    .fill('/rest/entities/{entityName}/{entityId} GET');
  await content().getByRole('link').filter({ hasText: 'GET' }).first().click();
  await button('Send').click();
  await content().getByText('A value is required').first().waitFor();
  await content().getByLabel('entityName (path)').fill('sales_Orders');
  await content().getByLabel('entityId (path)').fill('00000000-0000-4000-8000-00000000dead');
  await button('Send').click();
  await content().getByText(/^404/).waitFor();
  await content().getByText('Entity sales_Orders not found').waitFor();
}, 300_000);

test('a file is shown with the instance that refers to it', async () => {
  const { fileRef } = await rest('POST', '/files?name=note.txt', 'The content of the note');
  await rest('PUT', `/entities/sales_Order/${ORDER}`, { attachment: fileRef });
  await open('files');
  await content().getByRole('link', { name: 'note.txt' }).click();
  await content().getByText('The content of the note').waitFor();
  await content()
    .getByText(/23 byte/)
    .waitFor();
  await content().getByRole('link', { name: 'A-00001' }).waitFor();
}, 300_000);

test('a caption is translated where it is shown', async () => {
  await open('model/sales_Order');
  await button('Translate number').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Default texts' }).fill('Order no.');
  await dialog.getByRole('button', { name: 'Save: Default texts' }).click();
  await dialog.getByText('database').first().waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await content()
    .getByRole('cell', { name: /^Order no\./ })
    .waitFor();
}, 300_000);

test('a dynamic attribute is defined, changed and deleted', async () => {
  await open('model/dynamic-attributes');
  await button('New category').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Packing');
  await dialog.getByRole('combobox', { name: 'Entity' }).fill('sales_Order)');
  await page.getByRole('option', { name: 'Order (sales_Order)' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await button('Add an attribute to Packing').click();
  await dialog.getByLabel('Code').fill('Big');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Colour');
  await dialog.getByLabel('Type').selectOption({ label: 'Choice' });
  await dialog.getByLabel('Values to choose from').fill('red,green');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/match/).first().waitFor();
  await dialog.getByLabel('Code').fill('colour');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await content().getByRole('cell', { name: '+colour' }).waitFor();
  await button('Change colour').click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Colour of the box');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await content().getByRole('cell', { name: 'Colour of the box' }).waitFor();
  await button('Delete colour').click();
  await dialog.getByRole('button', { name: 'Delete colour' }).click();
  await content().getByText('There is no attribute yet.').waitFor();
}, 300_000);

test('the diagram leads to an entity by the keyboard', async () => {
  await open('model/diagram');
  const order = content().getByRole('link', { name: /^Order sales_Order,/ });
  await order.focus();
  await page.keyboard.press('Enter');
  await content().getByRole('heading', { level: 1, name: 'Order' }).waitFor();
}, 300_000);

const PAGES = [
  ['calls', 'Queries and services'],
  ['calls/queries/sales_Order/ordersByStatus?status=SHIPPED', 'ordersByStatus'],
  ['calls/queries/sales_Order/ordersByCustomers', 'ordersByCustomers'],
  ['calls/services/sales_OrderService/quote', 'quote'],
  ['files', 'Files'],
  ['api', 'API explorer'],
  ['api/runQuery', 'Runs a predefined query; its parameters are in the body'],
  ['model/diagram', 'Diagram of the entities'],
  ['model/dynamic-attributes', 'Dynamic attributes'],
  ['model/sales_Order', 'Order'],
  ['texts', 'Texts'],
] as const;

test.each(PAGES)(
  'the page %s has no violation of axe, and no sideways scrolling',
  async (path, title) => {
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 375],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await open(path);
      await content().getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForLoadState('networkidle');
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `${path.replaceAll(/\W/g, '-')}-${width}-${scheme}.png`) });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.evaluate(AXE);
      const violations = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))',
      );
      expect(violations).toEqual([]);
    }
  },
  300_000,
);
