import type { Page } from 'playwright-core';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

/** The extension of `examples/garage` in the console, and extensions that fail. */
describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode, {
    username: 'desk',
    path: 'app/workshop',
    settings: { SVC_APPLICATION: '@lintel/example-garage' },
    caused: /The (?:page|cell) fails/,
  });
  let page: Page;
  const content = () => contentOf(page);
  const open = (path: string) => page.goto(`${opened().system.url}/console/${path}`);
  const inspect = (name: string) => inspectPage(page, `extension-${name}`);
  beforeAll(() => {
    ({ page } = opened());
  });

  test(
    'a page of the extension shows the open jobs, with the login and the rights of the user',
    async () => {
      await content().getByRole('heading', { level: 1, name: 'Workshop' }).waitFor();
      await content().getByRole('link', { name: 'J-1001' }).waitFor();
      await page.getByRole('link', { name: 'Workshop' }).waitFor();
      await inspect('page');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the command palette finds the pages of the extension by their titles',
    async () => {
      await open('data/garage_Car');
      await content().getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog');
      await palette.locator('input').fill('worksh');
      await palette.getByRole('button').filter({ hasText: 'Workshop' }).click();
      await page.waitForURL(/\/console\/app\/workshop$/);
      await content().getByRole('heading', { level: 1, name: 'Workshop' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a list has the column of the extension',
    async () => {
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
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a form has the field of the extension, and actions that call the service',
    async () => {
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
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a list is filtered by a value inside of JSON, with its type',
    async () => {
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
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an extension that cannot be loaded shows its error, and the console works on',
    async () => {
      await page.route('**/console/extension/index.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'export default () => ({ page: [] });' }),
      );
      await open('app/workshop');
      await content().getByText('The console knows no "page"').waitFor();
      await open('data/garage_Job');
      await content().getByRole('link', { name: 'J-1001' }).waitFor();
      expect(await content().getByRole('columnheader', { name: 'Waiting' }).count()).toBe(0);
      await page.unroute('**/console/extension/index.js');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a page, a cell and an action that fail show their errors in their own area',
    async () => {
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
    },
    JOURNEY_PATIENCE_MS,
  );
});
