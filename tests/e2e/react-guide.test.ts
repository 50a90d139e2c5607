import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, createSession } from '@lintel/client';
import { build } from 'esbuild';
import { browserOfTests, PATIENCE_MS } from './browser-of-tests.ts';

/** The examples of docs/guide/react.md, as one page of an application, in a browser. */
const baseUrl = (process.env['LINTEL_BASE_URL'] ?? '').replace(/\/$/, '');
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs', 'guide', 'react.md'), 'utf8');

const browser = browserOfTests();

/** All components of the guide for one order; what its types need is left out. */
const programOf = (orderId: string): string =>
  `${[...GUIDE.matchAll(/^```tsx\n(.*?)^```$/gms)]
    .map(([, text = '']) => text)
    .filter((text) => !text.includes('declare module'))
    .join('\n')
    .replaceAll('http://localhost:8080', baseUrl)
    .replace('<Orders />', '<Page />')}
  function Page() {
    return <><Orders /><OrderPage id=${JSON.stringify(orderId)} /><LiveOrders /><OrdersByStatus /><Total orderId=${JSON.stringify(orderId)} />
      <CustomerSelect onChange={(customer) => (document.title = customer._instanceName)} /></>;
  }
  void start(document.body.appendChild(document.createElement('main')));`;

let folder: string;
let server: Server;
let script = '';
beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, 'tests', 'e2e', '.typed-client-'));
  server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(
      isScript ? script : '<!doctype html><title>Guide</title><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function createOrder() {
  const session = createSession({ baseUrl, clientId: 'client', clientSecret: 'secret' });
  await session.logIn('admin', 'admin');
  const client = createClient({ baseUrl, token: session });
  const [customer] = await client.list('sales_Customer', { limit: 1 });
  const number = `GUIDE-${randomUUID().slice(0, 12)}`;
  const { id } = await client.create('sales_Order', { number, date: '2026-11-21', customer: { id: customer?.['id'] } });
  return { client, id: String(id), customer: String(customer?.['_instanceName']) };
}

test('the components of the guide of React work together, and a form keeps what was typed', async () => {
  const { client, id, customer } = await createOrder();
  await writeFile(join(folder, 'page.tsx'), programOf(id));
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(folder, 'page.tsx')],
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  script = outputFiles[0]?.text ?? '';
  const context = await browser().newContext({ locale: 'en' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.locator('input[name=username]').fill('admin');
  await page.locator('input[name=password]').fill('admin');
  await page.locator('button[value=login]').click();

  const notes = page.locator('textarea');
  const changed = page.getByRole('button', { name: 'Somebody else has changed it' });
  await notes.fill('typed');
  // A window that gets the focus, and a list that is live, read again.
  const read = page.waitForResponse((response) => response.url().includes(id) && response.request().method() === 'GET');
  await client.update('sales_Order', id, { notes: 'theirs' });
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await read;
  await changed.waitFor();
  expect(await notes.inputValue()).toBe('typed');
  await changed.click();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  const written = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await written).status()).toBe(200);
  expect(await client.load('sales_Order', id, { fetchPlan: { notes: true } })).toMatchObject({ notes: 'typed' });
  // Without input, the form shows what others have saved.
  await client.update('sales_Order', id, { notes: 'theirs again' });
  await page.getByText('theirs again').waitFor();

  await page
    .locator('input')
    .last()
    .fill(customer.split(' ')[0] ?? '');
  await page.getByRole('button', { name: customer, exact: true }).first().click();
  expect(await page.title()).toBe(customer);
  await page.getByRole('button', { name: 'Total', exact: true }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('table', { name: 'Orders by status' }).getByText('NEW').waitFor();
  expect(problems).toEqual([]);
  await context.close();
  await client.remove('sales_Order', id);
}, 180_000);
