import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@lintel/testkit';
import type { BrowserContext, Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from '../browser-of-tests.ts';

/**
 * Points 3 and 4 of the console, with one process: reports with their documents and templates, dead letters, webhooks,
 * texts. Each page is checked with axe at the width of a desktop and of a phone.
 */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = process.env['LINTEL_TEST_PICTURES'];
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const browser = browserOfTests();
let system: { readonly url: string; stop(): Promise<unknown> };
let receiver: Server;
let received: number;
let token: string;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  received = 0;
  receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const tools = new URL('../../../tools/test/system.mjs', import.meta.url).href;
  const { startStandalone } = (await import(tools)) as {
    startStandalone(more: Readonly<Record<string, string>>): Promise<typeof system>;
  };
  system = await startStandalone({
    SVC_WEBHOOKS_ENABLED: 'true',
    SVC_WEBHOOKS_ALLOW_INSECURE_HTTP: 'true',
    SVC_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const login = await fetch(`${system.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  token = ((await login.json()) as { access_token: string }).access_token;
  context = await browser().newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' });
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
  await new Promise((resolve) => receiver?.close(resolve));
}, 60_000);

/** A CSV template with one column. */
const templateOf = (title: string): string => `"${title}"\n"\${number}"\n`;

const open = (path: string) => page.goto(`${system.url}/console/${path}`);
const content = () => page.locator('#content');

async function rest(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${system.url}/rest${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

test('a report runs to a page, and in the background, where it is found again', async () => {
  await open('reports');
  await content()
    .getByRole('link', { name: /Price list/ })
    .click();
  await content().getByRole('button', { name: 'Run', exact: true }).click();
  await page.frameLocator('iframe').getByText('SKU-0009').waitFor();

  await open('reports');
  await content()
    .getByRole('link', { name: /Sales by customer/ })
    .click();
  await content().getByLabel(/^From/).fill('2026-01-01');
  await content().getByLabel(/^To/).first().fill('2026-12-31');
  await content().getByRole('button', { name: 'Run in the background' }).click();
  await content().getByRole('link', { name: 'Runs in the background' }).click();
  await open('reports');
  await content().getByRole('link', { name: 'Runs in the background' }).click();
  await content().getByText('Ready').first().waitFor();
  await content().getByRole('button', { name: 'Show' }).first().click();
  await content().getByRole('link', { name: 'Download' }).waitFor();
}, 300_000);

test('a report runs to PDF for an instance that is chosen', async () => {
  await open('reports');
  await content()
    .getByRole('link', { name: /Invoice/ })
    .click();
  await content()
    .getByLabel(/^Order/)
    .first()
    .click();
  await page.getByRole('option').first().click();
  await content().getByLabel('Template').first().click();
  await page.getByRole('option', { name: 'html-pdf (PDF)' }).click();
  await content().getByRole('button', { name: 'Run', exact: true }).click();
  await content()
    .getByRole('heading', { name: /\.pdf$/ })
    .waitFor();
  expect(await content().locator('iframe').getAttribute('src')).toMatch(/^blob:/);
}, 300_000);

test('a new template is uploaded, and its document shown', async () => {
  const { fileRef } = await rest('POST', '/files?name=orders.csv', templateOf('No'), { 'content-type': 'text/csv' });
  const dataSets = [
    { kind: 'query', name: 'orders', query: 'select o.number as number from sales_Order o order by o.number' },
  ];
  const { id } = await rest('POST', '/entities/report_Report', {
    name: 'Orders of the test',
    restAccess: true,
    definition: JSON.stringify({ bands: [{ name: 'Orders', dataSets }] }),
    templates: [{ code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'orders.csv', content: fileRef }],
  });
  const headers = { authorization: `Bearer ${token}` };
  await eventually(async () =>
    expect((await fetch(`${system.url}/rest/reports/report/${id}`, { headers })).status).toBe(200),
  );
  await open(`reports/${id}`);
  await content().getByText('orders.csv').waitFor();
  await page.setInputFiles('input[type=file]', {
    name: 'new.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(templateOf('Order number')),
  });
  await content().getByRole('columnheader', { name: 'Order number' }).waitFor();
  await content().getByRole('cell', { name: 'A-00001' }).waitFor();
}, 300_000);

test('a webhook gets a test message, and a delivery is sent again', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await rest('POST', '/entities/sys_Webhook', {
    name: 'To the test',
    url,
    entityName: 'sales_Customer',
    secret: SECRET,
  });
  await open('running/webhooks');
  await content().getByRole('link', { name: 'To the test' }).click();
  await content().getByRole('button', { name: 'Send a test message' }).click();
  await content().getByText('The receiver accepted the test message').waitFor();
  const [customer] = await rest('GET', '/entities/sales_Customer?limit=1');
  await rest('PUT', `/entities/sales_Customer/${customer.id}`, { name: `${customer.name} & Co` });
  await eventually(() => expect(received).toBe(2), { timeoutMs: PATIENCE_MS });
  await page.reload();
  await content().getByRole('button', { name: 'Send again' }).first().click();
  await eventually(() => expect(received).toBe(3), { timeoutMs: PATIENCE_MS });
}, 300_000);

test('a caption is changed in the list, and reset', async () => {
  await open('texts');
  await content().getByRole('textbox', { name: 'Find a caption' }).fill('sales_Order.number');
  await content().getByRole('button', { name: 'Edit sales_Order.number' }).click();
  await content().getByLabel('Text of sales_Order.number').fill('Order no.');
  await content().getByRole('button', { name: 'Save' }).click();
  await content().getByRole('cell', { name: 'database' }).waitFor();
  await content().getByRole('button', { name: 'Reset sales_Order.number' }).click();
  await content().getByRole('cell', { name: 'file of the application' }).waitFor();
}, 300_000);

const PAGES = [
  ['reports', 'Reports'],
  ['reports/runs', 'Runs in the background'],
  ['running', 'Running system'],
  ['running/health', 'Health'],
  ['running/dead-letters', 'Dead letters'],
  ['running/webhooks', 'Webhooks'],
  ['running/configuration', 'Configuration'],
  ['running/statements', 'Slow statements'],
  ['running/schema', 'Database schema'],
  ['texts', 'Texts'],
  ['model', 'Model'],
  ['model/sales_Order', 'Order'],
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
        await page.screenshot({ path: join(PICTURES, `${path.replaceAll('/', '-')}-${width}-${scheme}.png`) });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.evaluate(AXE);
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect(violations).toEqual([]);
    }
  },
  300_000,
);
