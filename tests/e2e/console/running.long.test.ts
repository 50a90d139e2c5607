import type { Page } from 'playwright-core';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS, openConsole } from './console-of-tests.ts';
import { type ConsoleSystem, MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

const ORDER = '0d000000-0000-4000-8000-000000000001';
const PAGES = [
  ['none/at/all', 'There is no such page'],
  ['data', 'Data'],
  ['data/sales_Order/new', 'New: Order'],
  ['people', 'People and rights'],
  ['people/logins', 'Login history'],
  ['people/clients', 'Clients'],
  ['reports', 'Reports'],
  ['reports/runs', 'Runs in the background'],
  ['running', 'Operation'],
  ['running/health', 'Health'],
  ['running/dead-letters', 'Failed events'],
  ['running/webhooks', 'Webhooks'],
  ['running/configuration', 'Configuration'],
  ['running/statements', 'Slow statements'],
  ['running/schema', 'Database schema'],
  ['texts', 'Texts'],
  ['model', 'Model'],
  ['model/sales_Order', 'Order'],
] as const;

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode, { settings: { SVC_WEBHOOKS_ENABLED: 'true' } });
  let system: ConsoleSystem;
  let page: Page;
  const content = () => contentOf(page);
  const open = (path: string) => page.goto(`${system.url}/console/${path}`);

  beforeAll(() => {
    ({ system, page } = opened());
  });

  test(
    'the login has no violation of axe, and no sideways scrolling',
    async () => {
      const login = await openConsole(opened().browser, opened().system.url);
      await inspectPage(login.page, 'sign-in');
      await login.context.close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a caption is translated in the list, and reset',
    async () => {
      await open('texts');
      await content().getByRole('textbox', { name: 'Find a text' }).fill('sales_Order.number');
      await content().getByRole('button', { name: 'Edit sales_Order.number' }).click();
      await content().getByLabel('Text of sales_Order.number').fill('Order no.');
      await content().getByRole('button', { name: 'Save' }).click();
      await content().getByRole('cell', { name: 'database' }).waitFor();
      await content().getByRole('button', { name: 'Reset sales_Order.number' }).click();
      await content().getByRole('cell', { name: 'file of the application' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the list of orders and the form of one have no violation of axe, and no sideways scrolling',
    async () => {
      // The feed of changes keeps a connection open, so the network is never idle.
      await open('data/sales_Order');
      await content().getByRole('table').getByRole('link').first().waitFor();
      await inspectPage(page, 'list');
      await open(`data/sales_Order/${ORDER}`);
      await content().getByLabel('Notes').waitFor();
      await inspectPage(page, 'form');
    },
    JOURNEY_PATIENCE_MS,
  );

  test.each(PAGES)(
    'the page %s has no violation of axe, and no sideways scrolling',
    async (path, title) => {
      await open(path);
      await content().getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForLoadState('networkidle');
      await inspectPage(page, path.replaceAll('/', '-'));
    },
    JOURNEY_PATIENCE_MS,
  );
});
