import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { eventually, partOfDocument } from '@lintel/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { consoleOfTests, JOURNEY_PATIENCE_MS, logIn, openConsole } from './console-of-tests.ts';
import { type ConsoleSystem, MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

/** The lists of the console, with the tags of products: the name of a tag is unique. */
const ENTITY = 'sales_ProductTag';
const TAGS = 60;

let browser: Browser;
let system: ConsoleSystem;

interface Tag {
  readonly id: string;
  readonly _instanceName: string;
}

const createTags = async (names: readonly string[]): Promise<readonly Tag[]> =>
  await system.rest(
    'POST',
    `/entities/${ENTITY}`,
    names.map((name) => ({ name })),
  );

async function open(username: string): Promise<Page> {
  const { page } = await openConsole(browser, system.url);
  await logIn(page, username);
  return page;
}

/** Opens the list of an entity, with parameters of the address. */
async function openList(
  page: Page,
  entity: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<Locator> {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  await page.goto(`${system.url}/console/data/${entity}?${new URLSearchParams(texts)}`);
  await page.getByRole('button', { name: 'Columns', exact: true }).waitFor();
  return page.getByRole('table').getByRole('link');
}

const selection = (page: Page): Locator => page.getByRole('region', { name: 'Selection' });
const button = (inside: Page | Locator, name: string | RegExp): Locator =>
  inside.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode);
  beforeAll(() => {
    ({ browser, system } = opened());
  });

  test(
    'dynamic attributes are columns, which sort',
    async () => {
      const page = await open('admin');
      await openList(page, 'sales_Customer', { columns: 'name' });
      await button(page, 'Columns').click();
      const columns = page.getByRole('region', { name: 'Columns' });
      await columns.getByLabel('Attribute', { exact: true }).selectOption({ label: 'Loyalty points' });
      await button(columns, 'Add column').click();
      const header = page.getByRole('columnheader', { name: 'Loyalty points' });
      for (const [sort, order] of [
        ['++loyaltyPoints', 'ascending'],
        ['-+loyaltyPoints', 'descending'],
      ] as const) {
        await button(page, 'Loyalty points').click();
        await header.and(page.locator(`[aria-sort=${order}]`)).waitFor();
        const [first] = await system.rest<readonly { readonly name: string; readonly '+loyaltyPoints'?: number }[]>(
          'POST',
          '/entities/sales_Customer/search',
          { filter: { conditions: [] }, sort, limit: 1, fetchPlan: '_base', dynamicAttributes: true },
        );
        const row = page.getByRole('row').nth(1);
        await row.getByRole('link', { name: first?.name ?? '', exact: true }).waitFor();
        const points = first?.['+loyaltyPoints'];
        const shown = points === undefined ? '' : new Intl.NumberFormat('en').format(points);
        expect(await row.getByRole('cell').last().textContent()).toBe(shown);
      }
      await inspectPage(page, 'lists-dynamic');
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user finds orders by attributes of any depth, chooses columns, and finds the same list again',
    async () => {
      const page = await open('admin');
      await openList(page, 'sales_Order');
      await button(page, 'Filter').click();
      await page.getByLabel('Attribute').selectOption({ label: 'Customer' });
      await page.getByLabel('of Customer').selectOption({ label: 'Name' });
      await page.getByLabel('Value').fill('a');
      await button(page, 'Add group').click();
      const inner = page.getByRole('group', { name: 'Group of conditions' }).nth(1);
      await inner.getByLabel('Match').selectOption({ label: 'none of' });
      await inner.getByLabel('Attribute').selectOption({ label: 'Status' });
      await button(page, 'Apply').click();
      await page.getByText('Enter a value.').waitFor();
      await inner.getByLabel('Value').selectOption({ label: 'New' });
      await inspectPage(page, 'lists-filter');
      await button(page, 'Apply').click();
      await button(page, 'Filter: 2 conditions').waitFor();
      await page.getByRole('cell', { name: 'New', exact: true }).first().waitFor({ state: 'detached' });

      await button(page, 'Columns').click();
      const columns = page.getByRole('region', { name: 'Columns' });
      await columns.getByLabel('Attribute', { exact: true }).selectOption({ label: 'Customer' });
      await columns.getByLabel('of Customer').selectOption({ label: 'Category' });
      await button(columns, 'Add column').click();
      await page.getByRole('columnheader', { name: 'Customer › Category' }).waitFor();
      await button(columns, 'Move Customer › Category up').click();
      await button(columns, 'Remove Number').click();
      await page.getByRole('columnheader', { name: 'Number' }).waitFor({ state: 'detached' });
      await inspectPage(page, 'lists-columns');
      await button(page, 'Date').click();
      await page.getByRole('columnheader', { name: 'Date' }).and(page.locator('[aria-sort=ascending]')).waitFor();

      // The address has all of it: a reload, Back, and a saved view.
      await page.reload();
      await page.getByRole('columnheader', { name: 'Customer › Category' }).waitFor();
      await button(page, 'Filter: 2 conditions').waitFor();
      await button(page, 'Views').click();
      await page.getByLabel('Name of a new view').fill('Not new');
      await page.getByLabel('Share').check();
      await button(page, 'Save view').click();
      await page.getByRole('link', { name: 'Not new' }).waitFor();
      await inspectPage(page, 'lists-views');
      await openList(page, 'sales_Order');
      await button(page, 'Filter').waitFor();
      await page.goBack();
      await button(page, 'Filter: 2 conditions').waitFor();

      // A colleague opens the shared view, with the rights of the colleague.
      const colleague = await open('clerk');
      await openList(colleague, 'sales_Order');
      await button(colleague, 'Views').click();
      await colleague.getByText('of admin · shared with all').waitFor();
      await colleague.getByRole('link', { name: 'Not new' }).click();
      await button(colleague, 'Filter: 2 conditions').waitFor();
      await colleague.context().close();
      await button(page, 'Views').click();
      await button(page, 'Delete the view Not new').click();
      await page.getByText('There are no saved views yet.').waitFor();
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'conditions that cannot be edited are shown in words and stay, and one line has to meet several conditions',
    async () => {
      const page = await open('admin');
      const kept = [
        { count: 'lines', operator: '>=', value: 1 },
        { property: 'date', operator: '>=', value: { startOf: 'year', plus: '-P30Y' } },
      ];
      await openList(page, 'sales_Order', { filter: { conditions: kept } });
      await button(page, 'Filter: 2 conditions').click();
      await page.getByText('Lines: number at least 1').waitFor();
      await page.getByText('Date at least start of the year -P30Y').waitFor();
      await button(page, 'Add group for a collection').click();
      await button(page, 'Apply').click();
      await page.getByText('Choose an attribute.').waitFor();
      const inner = page.getByRole('group', { name: 'Group of conditions' }).nth(1);
      await inner.getByLabel('Attribute').selectOption({ label: 'Quantity' });
      await inner.getByLabel('Operator').selectOption('>=');
      await inner.getByLabel('Value').fill('1');
      await inspectPage(page, 'lists-filter-members');
      const searched = page.waitForRequest((request) => request.postData()?.includes('"some"') === true);
      await button(page, 'Apply').click();
      const { filter } = (await searched).postDataJSON() as { readonly filter: unknown };
      const some = { some: 'lines', conditions: [{ property: 'quantity', operator: '>=', value: '1' }] };
      expect(filter).toEqual({ conditions: [...kept, some] });
      await button(page, 'Filter: 3 conditions').waitFor();
      await page.getByRole('table').getByRole('link').first().waitFor();
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user finds orders by a dynamic attribute of their customer',
    async () => {
      const page = await open('admin');
      await openList(page, 'sales_Order');
      await button(page, 'Filter').click();
      await page.getByLabel('Attribute').selectOption({ label: 'Customer' });
      await page.getByLabel('of Customer').selectOption({ label: 'Loyalty points' });
      await page.getByLabel('Operator').selectOption({ label: 'at least' });
      await page.getByLabel('Value').fill('125');
      await button(page, 'Apply').click();
      await button(page, 'Filter: 1 condition').waitFor();
      await page.getByRole('table', { name: 'Order' }).getByRole('link').first().waitFor();
      await inspectPage(page, 'lists-dynamic');
      await page.reload();
      await button(page, 'Filter: 1 condition').click();
      expect(await page.getByLabel('Value').inputValue()).toBe('125');
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a reference is found by words, and its name is shown again after a reload',
    async () => {
      const page = await open('admin');
      await openList(page, 'sales_Order');
      await button(page, 'Filter').click();
      await page.getByLabel('Attribute').selectOption({ label: 'Customer' });
      await page.getByLabel('Operator').selectOption({ label: 'is one of' });
      await page.getByRole('combobox', { name: 'Value' }).fill('duarte gmbh');
      await page.getByRole('option', { name: 'Duarte GmbH' }).first().click();
      await button(page, 'Apply').click();
      await button(page, 'Filter: 1 condition').waitFor();
      await page.reload();
      await button(page, 'Filter: 1 condition').click();
      await page.getByRole('form', { name: 'Filter' }).getByText('Duarte GmbH').first().waitFor();

      await button(page, 'Columns').click();
      const columns = page.getByRole('region', { name: 'Columns' });
      await columns.getByLabel('A prepared set of columns').selectOption('order-list');
      await page.waitForURL(({ searchParams }) => searchParams.get('columns') !== null);
      await page.getByRole('columnheader', { name: 'Customer › Name' }).waitFor();
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a row under the pointer, the menu of a new instance and a page without content have no violation of axe',
    async () => {
      const page = await open('admin');
      const rows = await openList(page, 'sales_Party');
      await inspectPage(page, 'lists-pointed', undefined, rows.first());
      await button(page, 'New').click();
      await page.getByRole('menuitem', { name: 'Person' }).waitFor();
      await inspectPage(page, 'lists-new', undefined, page.getByRole('menuitem', { name: 'Person' }));
      await page.goto(`${system.url}/console/data/${ENTITY}/${randomUUID()}`);
      await page.getByText(/^This .* does not exist/).waitFor();
      await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
      await inspectPage(page, 'lists-missing');
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an instance that is opened from a sorted list does not make the page read another list',
    async () => {
      const page = await open('admin');
      const rows = await openList(page, 'sales_Order', { sort: '-date' });
      await rows.first().waitFor();
      const lists: string[] = [];
      page.on('request', (request) => {
        if (/\/rest\/entities\/sales_Order(\/search)?(\?|$)/.test(request.url())) lists.push(request.url());
      });
      await rows.first().click();
      await page.getByLabel('Notes').waitFor();
      expect(lists).toEqual([]);
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an address that was written by hand is explained',
    async () => {
      const page = await open('clerk');
      await openList(page, 'sales_Order', { filter: '{"cond' });
      await page.getByText('The filter in the address of this page cannot be read').waitFor();
      await openList(page, 'sales_Order', {
        columns: 'number,none',
        filter: { conditions: [{ property: 'none.at.all', operator: '=', value: 1 }] },
      });
      await page.getByText('Property for sales_Order not found: none.at.all').waitFor();
      await page.getByText('These columns do not exist, or you may not see them: none').waitFor();
      await button(page, /^Filter/).click();
      await page.getByText('There is no attribute none.at.all that you may filter by.').waitFor();
      await inspectPage(page, 'lists-wrong-address');
      await button(page, /without filter, order and columns/).click();
      await page.getByRole('table', { name: 'Order' }).getByRole('link').first().waitFor();
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'changes of others are shown in their cells, and new and deleted instances are counted, while no row moves',
    async () => {
      const page = await open('admin');
      const prefix = `live-${randomUUID().slice(0, 8)}`;
      const [first, second] = await createTags([`${prefix} a`, `${prefix} b`]);
      const rows = await openList(page, ENTITY, { words: prefix, sort: 'name' });
      await page.getByRole('link', { name: `${prefix} a` }).waitFor();
      // The feed is connected some time after the list is shown: a change is repeated until it arrives.
      const changed = page.getByRole('link', { name: new RegExp(`^${prefix} z`) });
      for (let count = 0; (await changed.count()) === 0; count++) {
        await system.rest('PUT', `/entities/${ENTITY}/${first?.id}`, { name: `${prefix} z${count}` });
        await changed.waitFor({ timeout: 5_000 }).catch(() => undefined);
      }
      expect(await rows.allTextContents()).toEqual([expect.stringContaining(`${prefix} z`), `${prefix} b`]);
      await page.getByText('(just changed)').waitFor();
      await createTags([`${prefix} c`]);
      await page.getByText('1 change by others').waitFor();
      await system.rest('DELETE', `/entities/${ENTITY}/${second?.id}`);
      await page.getByText('2 changes by others').waitFor();
      await page.getByText('(no longer there)').waitFor();
      await inspectPage(page, 'lists-live');
      await button(page, 'Refresh').click();
      await page.getByText('changes by others').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: `${prefix} c` }).waitFor();
      expect(await rows.allTextContents()).toEqual([`${prefix} c`, expect.stringContaining(`${prefix} z`)]);
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an import in the background is found after a reload, is cancelled, and has its refused rows at the end',
    async () => {
      const page = await open('admin');
      const name = `run-${randomUUID().slice(0, 8)}`;
      const dialog = page.getByRole('dialog');
      const openImport = async () => {
        await openList(page, ENTITY);
        await button(page, 'Import').click();
      };
      /** Starts an import of two rows that have one name, while the table is locked; returns what unlocks it. */
      const startLocked = async () => {
        const table = 'sales.product_tag';
        const lock = `DO $$ BEGIN LOCK TABLE ${table} IN SHARE MODE; PERFORM pg_sleep(600); END $$`;
        const held = system.query(lock).then(
          () => 'over',
          () => 'unlocked',
        );
        const holder = `FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'ShareLock' AND granted`;
        await eventually(async () => expect(await system.query(`SELECT pid ${holder}`)).toHaveLength(1));
        const csv = { 'content-type': 'text/csv' };
        const { fileRef } = await system.rest<{ fileRef: string }>(
          'POST',
          '/files?name=t.csv',
          `name\n${name}\n${name}\n`,
          csv,
        );
        const json = { 'content-type': 'application/json' };
        await system.rest('POST', `/imports/${ENTITY}?refused=skip`, { file: fileRef, type: 'text/csv' }, json);
        return async () => {
          await system.query(`SELECT pg_cancel_backend(pid) ${holder}`);
          expect(await held).toBe('unlocked');
        };
      };
      const unlockCancelled = await startLocked();
      await openImport();
      await button(dialog, 'Cancel the import').click();
      await dialog.getByText('The run was cancelled').waitFor();
      await unlockCancelled();

      const unlock = await startLocked();
      await openImport();
      await dialog.getByText('The rows are imported').waitFor();
      await page.reload();
      await button(page, 'Import').click();
      await button(dialog, 'Cancel the import').waitFor();
      await inspectPage(page, 'lists-import');
      await unlock();
      await dialog.getByText('1 created').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(dialog, 'Save the refused rows as CSV').click(),
      ]);
      expect(await readFile(await download.path(), 'utf8')).toMatch(/\n"?2"?,/);
      await page.getByRole('link', { name }).first().waitFor();
      await openImport();
      await button(dialog, 'Choose a file').waitFor();
      expect(await button(dialog, 'Cancel the import').count()).toBe(0);
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user selects instances with the keyboard, downloads, changes and deletes them; refusals are named',
    async () => {
      const page = await open('admin');
      const prefix = `bulk-${randomUUID().slice(0, 8)}`;
      await createTags(Array.from({ length: TAGS }, (_, index) => `=${prefix} ${index}`));
      const rows = await openList(page, ENTITY);
      await rows.first().waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type(prefix);
      await page.waitForURL(({ searchParams }) => searchParams.get('words') === prefix);
      await page.getByRole('link', { name: `=${prefix} 0` }).waitFor();
      await page.locator('table[aria-busy=false]').waitFor();
      await rows.first().focus();
      for (const key of ['Space', 'ArrowDown', 'Space', 'End', 'ArrowUp', 'Space']) await page.keyboard.press(key);
      await page.getByText('3 records selected').waitFor();
      await button(page, 'Select all that match').click();
      await page.getByText(`All ${TAGS} records that match are selected`).waitFor();

      await button(selection(page), 'Download').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(page, `Download ${TAGS} rows as CSV`).click(),
      ]);
      const lines = (await readFile(await download.path(), 'utf8')).split('\n');
      expect([download.suggestedFilename(), lines.length, lines[0]]).toEqual([
        `${ENTITY}.csv`,
        TAGS + 2,
        expect.stringContaining('Name'),
      ]);
      expect(lines[1]).toContain(`'=${prefix}`);
      await page.getByText('Saved:').waitFor();
      const [workbook] = await Promise.all([
        page.waitForEvent('download'),
        button(page, `Download ${TAGS} rows as XLSX`).click(),
      ]);
      expect(workbook.suggestedFilename()).toBe(`${ENTITY}.xlsx`);
      const sheet = partOfDocument(await readFile(await workbook.path()), 'xl/worksheets/sheet1.xml');
      expect([sheet.match(/<row /g)?.length, sheet.includes('<f')]).toEqual([TAGS + 1, false]);
      expect(sheet).toContain(`xml:space="preserve">=${prefix} 0</t>`);

      // The name is unique, so only one tag can have the new one.
      await button(selection(page), 'Change').click();
      await page.getByLabel('Attribute to change').selectOption({ label: 'Name' });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${prefix} same`);
      await inspectPage(page, 'lists-change');
      await button(page, `Change ${TAGS} records`).click();
      await page.getByText(`${TAGS - 1} refused`).waitFor();
      await page.getByText('1 record changed').waitFor();
      await page
        .getByRole('row', { name: /Unique constraint violation/ })
        .first()
        .waitFor();
      await inspectPage(page, 'lists-refusals');
      await button(selection(page), 'Close').click();

      await page.getByRole('checkbox', { name: 'Select all rows of the page' }).check();
      await button(page, 'Select all that match').click();
      await button(selection(page), 'Delete').click();
      await page.getByText(`Delete ${TAGS} records? This cannot be undone.`).waitFor();
      await inspectPage(page, 'lists-delete');
      await button(page, `Delete ${TAGS} records`).click();
      await page.getByText(`${TAGS} records deleted`).waitFor();
      await button(selection(page), 'Close').click();
      await page.getByText('Nothing matches. Change the filter or the search.').waitFor();
      await page.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );
});
