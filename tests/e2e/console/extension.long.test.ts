import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from '../browser-of-tests.ts';

/** The extension of `examples/garage` in the console, with one process; and extensions that fail. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = process.env['LINTEL_TEST_PICTURES'];

const browser = browserOfTests();
let system: { readonly url: string; stop(): Promise<unknown> };
let context: BrowserContext;
let page: Page;
let problems: string[];

beforeAll(async () => {
  const tools = new URL('../../../tools/test/system.mjs', import.meta.url).href;
  const { startStandalone } = (await import(tools)) as {
    startStandalone(more: Readonly<Record<string, string>>): Promise<typeof system>;
  };
  system = await startStandalone({ SVC_APPLICATION: '@lintel/example-garage' });
  context = await browser().newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' });
  page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== system.url)
      problems.push(`requests ${request.url()}`);
  });
  await page.goto(`${system.url}/console/app/workshop`);
  await page.fill('input[name=username]', 'desk');
  await page.fill('input[type=password]', 'desk');
  await page.keyboard.press('Enter');
  await page.locator('#content h1').waitFor();
}, 300_000);
afterAll(async () => {
  await context?.close();
  await system?.stop();
}, 60_000);

const content = () => page.locator('#content');
const open = (path: string) => page.goto(`${system.url}/console/${path}`);

async function inspect(name: string): Promise<void> {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 375],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    if (PICTURES !== undefined)
      await page.screenshot({ path: join(PICTURES, `extension-${name}-${width}-${scheme}.png`) });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.evaluate(AXE);
    const found = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))';
    expect(await page.evaluate(found)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('a page of the extension shows the open jobs, with the login and the rights of the user', async () => {
  await content().getByRole('heading', { level: 1, name: 'Workshop' }).waitFor();
  await content().getByRole('link', { name: 'J-1001' }).waitFor();
  await page.getByRole('link', { name: 'Workshop' }).waitFor();
  await inspect('page');
}, 300_000);

test('a list has the column of the extension', async () => {
  await open('data/garage_Job');
  await content().getByRole('columnheader', { name: 'Waiting' }).waitFor();
  expect(
    await content()
      .getByRole('row', { name: /J-1002/ })
      .locator('td')
      .last()
      .textContent(),
  ).toMatch(/^\d+ d$/);
  await inspect('list');
}, 300_000);

test('a form has the field of the extension, and actions that call the service', async () => {
  await content().getByRole('link', { name: 'J-1001' }).click();
  for (const wheel of ['Front left', 'Front right', 'Rear left', 'Rear right'])
    await content().getByLabel(wheel).fill('4.5');
  await inspect('form');
  await content().getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  await content().getByLabel('Rear right').waitFor();
  expect(await content().getByLabel('Rear right').inputValue()).toBe('4.5');
  // The service refuses first: the job is not done.
  await content().getByRole('button', { name: 'Create the invoice' }).click();
  await page.getByText('The job J-1001 is IN_PROGRESS, not DONE').waitFor();
  await content().getByRole('button', { name: 'Finish' }).click();
  await page.getByText('The job is done').waitFor();
  await content().getByRole('button', { name: 'Create the invoice' }).click();
  await page.getByText('Invoice I-J-1001').waitFor();
}, 300_000);

test('a list is filtered by a value inside of JSON, with its type', async () => {
  await open('data/garage_Job');
  await content().getByRole('link', { name: 'J-1002' }).waitFor();
  await content().getByRole('button', { name: 'Filter', exact: true }).click();
  const filter = content().getByRole('form', { name: 'Filter' });
  await filter.getByLabel('Attribute').selectOption({ label: 'Measurements' });
  await filter.getByLabel('Path inside the JSON').fill('tyreTread.0');
  await filter.getByLabel('Type of the value').selectOption({ label: 'Number' });
  await filter.getByLabel('Value', { exact: true }).fill('four');
  await filter.getByRole('button', { name: 'Apply' }).click();
  await filter.getByText('The value is not of this type.').waitFor();
  await filter.getByLabel('Value', { exact: true }).fill('4.5');
  await inspect('json-filter');
  await filter.getByRole('button', { name: 'Apply' }).click();
  await content().getByRole('link', { name: 'J-1002' }).waitFor({ state: 'detached' });
  await content().getByRole('link', { name: 'J-1001' }).waitFor();
  // The address has the number as a number.
  await page.reload();
  await content().getByRole('button', { name: 'Filter: 1 condition' }).click();
  expect(await filter.getByLabel('Type of the value').inputValue()).toBe('number');
  expect(await filter.getByLabel('Path inside the JSON').inputValue()).toBe('tyreTread.0');
});

test('an extension that cannot be loaded shows its error, and the console works on', async () => {
  await page.route('**/console/extension/index.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export default () => ({ page: [] });' }),
  );
  await open('app/workshop');
  await content().getByText('The console knows no "page"').waitFor();
  await open('data/garage_Job');
  await content().getByRole('link', { name: 'J-1001' }).waitFor();
  expect(await content().getByRole('columnheader', { name: 'Waiting' }).count()).toBe(0);
  await page.unroute('**/console/extension/index.js');
}, 300_000);

test('a page, a cell and an action that fail show their errors in their own area', async () => {
  const failing = `export default () => ({
    pages: [{ path: 'workshop', title: 'Workshop', component: () => { throw new Error('The page fails'); } }],
    columns: [{ entity: 'garage_Job', name: 'x', title: 'X', component: () => { throw new Error('The cell fails'); } }],
    actions: [{ entity: 'garage_Job', on: 'list', name: 'a', title: 'Act', run: () => { throw new Error('It fails'); } }],
  });`;
  await page.route('**/console/extension/index.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: failing }),
  );
  await open('app/workshop');
  await content().getByText('The page fails').waitFor();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await open('data/garage_Job');
  await content().getByText('The cell fails').first().waitFor();
  await content()
    .getByRole('checkbox', { name: /J-1001/ })
    .check();
  await content().getByRole('button', { name: 'Act' }).click();
  await page.getByText('It fails').waitFor();
  await page.unroute('**/console/extension/index.js');
}, 300_000);

test('no page has asked another server for anything', () => {
  expect(problems.filter((problem) => !/The (?:page|cell) fails/.test(problem))).toEqual([]);
});
