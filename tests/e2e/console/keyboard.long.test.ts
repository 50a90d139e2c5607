import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS, openConsole } from './console-of-tests.ts';
import type { ConsoleSystem } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';
import { walkPage } from './walk-page.ts';

/** The console with the keyboard alone: no test of this file uses a pointer. */
const MAX_STEPS = 250;
const ORDER = '0d000000-0000-4000-8000-000000000002';

const opened = consoleOfTests('one process');
let system: ConsoleSystem;
let page: Page;
const content = (): Locator => contentOf(page);
beforeAll(() => {
  ({ system, page } = opened());
});

const focusedOf = (target: Locator): Locator => target.and(page.locator(':focus'));
/** Waits until the element has the focus. */
const focused = (target: Locator): Promise<void> => focusedOf(target).waitFor();

/** Presses a key until the element has the focus. */
async function pressUntil(target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let step = 0; (await focusedOf(target).count()) === 0; step++) {
    if (step === MAX_STEPS) throw new Error(`${step} times ${key} do not lead to ${String(target)}`);
    await page.keyboard.press(key);
  }
}

const PAGES = [
  ['data', 'Data'],
  ['data/sales_Order?page=1', 'Order'],
  [`data/sales_Order/${ORDER}`, 'A-00002'],
  ['people/users', 'Users'],
  ['people/roles/sales-clerk', 'Sales clerk'],
  ['reports', 'Reports'],
  ['running/configuration', 'Configuration'],
  ['texts', 'Texts'],
  ['model/diagram', 'Diagram of the entities'],
] as const;

test(
  'the login needs no pointer; the first stop of the console leads to the content',
  async () => {
    const { context, page: login } = await openConsole(opened().browser, system.url, 'data');
    await login.locator('input[name=username]:focus').waitFor();
    await login.keyboard.type('admin');
    await login.keyboard.press('Tab');
    await login.keyboard.type('admin');
    await login.keyboard.press('Enter');
    await login.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
    await login.keyboard.press('Tab');
    await login.getByRole('button', { name: 'To the content' }).and(login.locator(':focus')).waitFor();
    await login.keyboard.press('Enter');
    await login.locator('#content:focus').waitFor();
    await login.keyboard.press('Tab');
    await login.locator('#content').locator(':focus').waitFor();
    await context.close();
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'an order is found in its list, opened, changed and saved; its customer is found by words',
  async () => {
    await page.goto(`${system.url}/console/data/sales_Order`);
    await content().getByRole('table').getByRole('link').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('A-00002');
    await page.waitForURL(({ searchParams }) => searchParams.get('words') === 'A-00002');
    await content().locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'A-00002' }).waitFor();
    // The link is gone: the next stop is in the page that it opened.
    await focused(content());

    const customer = content().getByRole('combobox', { name: /^Customer/ });
    await pressUntil(customer);
    const before = await customer.inputValue();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Jansen GmbH');
    const option = page.getByRole('option', { name: 'Jansen GmbH' }).first();
    await option.waitFor();
    const name = (await option.textContent()) ?? '';
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await option.waitFor({ state: 'hidden' });
    expect([before, await customer.inputValue()]).toEqual([expect.not.stringMatching(name), name]);
    await focused(customer);

    const notes = content().getByLabel('Notes');
    await pressUntil(notes);
    const words = `by keyboard ${randomUUID()}`;
    await page.keyboard.type(words);
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await focused(notes);
    expect(await system.rest('GET', `/entities/sales_Order/${ORDER}?fetchPlan=_local`)).toMatchObject({
      notes: expect.stringContaining(words),
    });
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'a list whose texts are searchable finds words without accents, marks them, and selects all that match',
  async () => {
    await page.goto(`${system.url}/console/data/sales_Product`);
    await content().getByRole('table').getByRole('link').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('lámp DÉS');
    await content().locator('mark').first().waitFor();
    await content().locator('table[aria-busy=false]').waitFor();
    const names = await content().getByRole('table').getByRole('link').allTextContents();
    expect(new Set(names.map((name) => name.slice(0, 9)))).toEqual(new Set(['Desk lamp']));
    expect(new Set(await content().locator('mark').allTextContents())).toEqual(new Set(['Desk', 'lamp']));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await pressUntil(page.getByRole('button', { name: 'Select all that match', exact: true }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText(`All ${names.length} records that match are selected`).waitFor();
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'a dialog keeps the focus until Escape closes it, and gives it back to the button that opened it',
  async () => {
    await page.goto(`${system.url}/console/data/sales_Order/${ORDER}`);
    for (const name of [/^Delete$/, /^Open Lines, 1/]) {
      const button = content().getByRole('button', { name });
      await pressUntil(button);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await dialog.locator(':focus').waitFor();
      const stops = await dialog.locator('button, input, select, textarea, a, [tabindex="0"]').count();
      for (let step = 0; step <= stops; step++) {
        await page.keyboard.press('Tab');
        expect(await dialog.locator(':focus').count()).toBe(1);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await focused(button);
    }
    await page.goto(`${system.url}/console/model/sales_Order`);
    const translate = content().getByRole('button', { name: 'Translate number' });
    await pressUntil(translate);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await focused(translate);
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'the command palette opens pages by their names; Escape gives the focus back',
  async () => {
    await page.goto(`${system.url}/console/texts`);
    const find = content().getByRole('textbox', { name: 'Find a text' });
    await pressUntil(find);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.locator('input:focus').waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
    await focused(find);

    await page.keyboard.press('Control+k');
    await palette.locator('input:focus').waitFor();
    await page.keyboard.type('Health');
    await palette
      .getByRole('button', { name: /Health/ })
      .or(palette.getByText('Health'))
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await palette.waitFor({ state: 'hidden' });
    await focused(content());
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'the command palette finds instances by their words, and opens them',
  async () => {
    await page.goto(`${system.url}/console/texts`);
    await content().getByRole('textbox', { name: 'Find a text' }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.locator('input:focus').waitFor();
    await page.keyboard.type('brant gmbh');
    await palette.getByText('Brandt GmbH').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Brandt GmbH' }).waitFor();
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'the menu of the user is opened, used and left',
  async () => {
    const menu = page.getByRole('button', { name: /^User/ });
    await pressUntil(menu, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const dark = page.getByRole('menuitemradio', { name: 'Dark' });
    await dark.waitFor();
    await inspectPage(page, 'user-menu');
    await pressUntil(dark, 'ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('[data-mantine-color-scheme=dark]').waitFor();
    await focused(menu);
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await focused(menu);
  },
  JOURNEY_PATIENCE_MS,
);

test.each(PAGES)(
  'each stop of the page %s is visible and has a name, and none is a trap',
  async (path, title) => {
    await page.goto(`${system.url}/console/${path}`);
    await content().getByRole('heading', { level: 1, name: title }).waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    // What is loaded later moves what has the focus.
    if (path.startsWith('data')) await page.getByRole('navigation').getByRole('link', { name: 'Warehouse' }).waitFor();
    expect(await walkPage(page)).toEqual([]);
  },
  JOURNEY_PATIENCE_MS,
);
