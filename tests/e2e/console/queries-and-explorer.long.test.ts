import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { type ConsoleSystem, MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

/**
 * Predefined queries, service methods, the way to the API explorer, files, dynamic attributes, the diagram and texts
 * where they are shown.
 */
const ORDER = '0d000000-0000-4000-8000-000000000001';

const PAGES = [
  ['calls', 'Queries and services'],
  ['calls/queries/sales_Order/ordersByStatus?status=SHIPPED', 'ordersByStatus'],
  ['calls/queries/sales_Order/ordersByCustomers', 'ordersByCustomers'],
  ['calls/services/sales_OrderService/quote', 'quote'],
  ['files', 'Files'],
  ['model/diagram', 'Diagram of the entities'],
  ['model/dynamic-attributes', 'Dynamic attributes'],
  ['model/sales_Order', 'Order'],
  ['texts', 'Texts'],
] as const;

let system: ConsoleSystem;
let page: Page;

const open = (path: string) => page.goto(`${system.url}/console/${path}`);
const content = () => contentOf(page);
const button = (name: string) => content().getByRole('button', { name, exact: true });

/** Chooses a command of the menu with the request of the page, and returns what it has copied. */
async function copied(command: string): Promise<string> {
  await button('API request of this page').click();
  await page.getByRole('menuitem', { name: command }).click();
  await page.getByText('Copied', { exact: true }).first().waitFor();
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode);
  const statusOf = async (): Promise<string> =>
    (await system.rest<{ readonly status: string }>('GET', `/entities/sales_Order/${ORDER}`)).status;
  beforeAll(async () => {
    const { context } = opened();
    ({ system, page } = opened());
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: system.url });
  });

  test(
    'a query runs with parameters, which its address has; copied as curl it is the same',
    async () => {
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
        env: { ...process.env, TOKEN: await system.token() },
      });
      expect(JSON.parse(output)[0]._instanceName).toBe(first);
      expect(await copied('Copy as TypeScript')).toContain('client.query("sales_Order", "ordersByStatus"');

      await button('API request of this page').click();
      const opening = page.waitForEvent('popup');
      await page.getByRole('menuitem', { name: 'Open in the API explorer' }).click();
      const explorer = await opening;
      // The browser is logged in; at a loopback address each client asks whether to continue.
      const asking = explorer.waitForEvent('popup');
      await explorer.getByRole('button', { name: 'Log in', exact: true }).click();
      const login = await asking;
      await login.getByRole('button', { name: 'Continue' }).click();
      await explorer.getByText('You are logged in.').waitFor();
      await explorer.getByRole('button', { name: 'Execute' }).click();
      await explorer.locator('.response-status', { hasText: '200' }).waitFor();
      expect(await explorer.locator('.response-body').textContent()).toContain(`"_instanceName": "${first}"`);
      await explorer.close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the ids of a collection are found by names',
    async () => {
      await open('calls/queries/sales_Order/ordersByCustomers');
      await content().getByRole('combobox', { name: 'customerIds 1' }).click();
      await page.getByRole('option').first().click();
      await content().getByLabel(/^from/).fill('2026-01-01');
      await content().getByLabel(/^to/).fill('2026-12-31');
      await button('Run').click();
      await content().getByRole('table', { name: 'ordersByCustomers' }).getByRole('link').first().waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a method is called with an instance; mistakes are at their parameters, and input stays',
    async () => {
      await open('calls/services/sales_OrderService/quote');
      await content().getByRole('combobox', { name: 'product' }).click();
      await page.getByRole('option').first().click();
      await content().getByLabel('quantity').fill('-1');
      await button('Call').click();
      await content()
        .getByText(/must be greater than 0/i)
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
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a method that the application declares so is called after a confirmation',
    async () => {
      await system.rest('PUT', `/entities/sales_Order/${ORDER}`, { status: 'NEW' });
      await open(`calls/services/sales_OrderService/close?order=${ORDER}`);
      await button('Call').click();
      await page.getByRole('dialog').getByText('The application asks to confirm this call.').waitFor();
      expect(await statusOf()).not.toBe('CLOSED');
      await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
      await content().getByRole('table', { name: 'Result' }).getByText('Closed').waitFor();
      expect(await statusOf()).toBe('CLOSED');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the navigation leads to the explorer',
    async () => {
      await open('texts');
      const opening = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'API explorer' }).click();
      const explorer = await opening;
      await explorer.getByText('Find operations by words').waitFor();
      await explorer.close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a file is shown with the instance that refers to it',
    async () => {
      const { fileRef } = await system.rest<{ readonly fileRef: string }>(
        'POST',
        '/files?name=note.txt',
        'The content of the note',
        { 'content-type': 'text/plain' },
      );
      await system.rest('PUT', `/entities/sales_Order/${ORDER}`, { attachment: fileRef });
      await open('files');
      await content().getByRole('link', { name: 'note.txt' }).click();
      await content().getByText('The content of the note').waitFor();
      await content()
        .getByText(/23 byte/)
        .waitFor();
      await content().getByRole('link', { name: 'A-00001' }).waitFor();
      await inspectPage(page, 'file');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a caption is translated where it is shown',
    async () => {
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
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a dynamic attribute is defined, changed and deleted',
    async () => {
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
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the diagram leads to an entity by the keyboard',
    async () => {
      await open('model/diagram');
      const order = content().getByRole('link', { name: /^Order sales_Order,/ });
      await order.focus();
      await page.keyboard.press('Enter');
      await content().getByRole('heading', { level: 1, name: 'Order' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  // The pages are the same in both modes.
  if (mode === 'five processes') return;
  test.each(PAGES)(
    'the page %s has no violation of axe, and no sideways scrolling',
    async (path, title) => {
      await open(path);
      await content().getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForLoadState('networkidle');
      await inspectPage(page, path.replaceAll(/\W/g, '-'));
    },
    JOURNEY_PATIENCE_MS,
  );
});
