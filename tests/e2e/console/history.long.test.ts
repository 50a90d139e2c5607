import { randomUUID } from 'node:crypto';
import type { Client } from '@lintel/client';
import { eventually } from '@lintel/testkit';
import type { Page } from 'playwright-core';
import { JOURNEY_PATIENCE_MS, logIn, openConsole } from './console-of-tests.ts';
import { MODES } from './console-system.ts';
import { formsOfTests } from './forms-of-tests.ts';
import { inspectPage } from './inspect-page.ts';

/** Histories, the bin and undo in the console, with customers, which have a history, and orders, which have none. */
describe.each(MODES)('in %s', (mode) => {
  const forms = formsOfTests(mode);
  const { field, button, save } = forms;
  let client: Client;
  let page: Page;
  let url: string;
  beforeAll(() => {
    ({ client, page, url } = forms);
  });

  async function createCustomer() {
    const name = `Customer ${randomUUID().slice(0, 8)}`;
    const { id } = await client.create('sales_Customer', { name, address: { city: 'Ulm' }, creditLimit: '10.50' });
    return { id: String(id), name, read: () => client.load('sales_Customer', String(id), { fetchPlan: '_base' }) };
  }

  test(
    'a user sees who has changed a customer, reads a former state, restores a part of it and takes a change back',
    async () => {
      const { id, name, read } = await createCustomer();
      await client.update('sales_Customer', id, { grade: 'GOLD', creditLimit: '99.00' }, { reason: 'good customer' });
      await client.update('sales_Customer', id, { address: { city: 'Bonn' }, name: `${name} & Co` });
      await page.goto(`${url}/console/data/sales_Customer/${id}`);
      await page.getByRole('link', { name: 'History' }).click();
      const changes = page.getByRole('list', { name: 'Changes, the newest first' }).getByRole('listitem');
      await eventually(async () => expect(await changes.count()).toBe(3));
      const [newest, second, first] = [changes.nth(0), changes.nth(1), changes.nth(2)];
      await newest.getByRole('row', { name: /Address › City Ulm Bonn/ }).waitFor();
      await second.getByText('Reason: good customer').waitFor();
      await second.getByRole('row', { name: /Credit limit 10\.50 99\.00/ }).waitFor();
      await inspectPage(page, 'history');

      await page.getByLabel('Attribute', { exact: true }).selectOption({ label: 'Grade' });
      await eventually(async () => expect(await changes.count()).toBe(1));
      await page.getByLabel('Attribute', { exact: true }).selectOption({ label: 'All' });
      await eventually(async () => expect(await changes.count()).toBe(3));

      await first.getByRole('button', { name: 'As it was' }).press('Enter');
      const state = page.getByRole('dialog');
      await state.getByRole('row', { name: 'City Ulm' }).waitFor();
      await inspectPage(page, 'history-state');
      await page.keyboard.press('Escape');

      await first.getByRole('button', { name: /^Restore/ }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').uncheck();
      await dialog.getByRole('row', { name: /Credit limit 99\.00 10\.50/ }).waitFor();
      await inspectPage(page, 'history-restore');
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await read()).toMatchObject({ name: `${name} & Co`, creditLimit: 10.5, address: { city: 'Ulm' } });
      await eventually(async () => expect(await changes.count()).toBe(4));

      // What was changed since is named instead of being overwritten.
      await changes.nth(2).getByRole('button', { name: /^Undo/ }).click();
      await dialog.getByText('Something has changed since:').waitFor();
      await dialog.getByText(/Customer: .*Credit limit/).waitFor();
      await inspectPage(page, 'history-conflict');
      await page.keyboard.press('Escape');
      await newest.getByRole('button', { name: /^Undo/ }).click();
      await dialog.getByRole('row', { name: /Address › City Ulm Bonn/ }).waitFor();
      await dialog.getByRole('button', { name: 'Undo this change' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await read()).toMatchObject({ creditLimit: 99, address: { city: 'Bonn' } });
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a save, a deletion and a change of several customers are taken back from their messages, by keyboard too',
    async () => {
      const { id, name, read } = await createCustomer();
      const other = await createCustomer();
      await page.goto(`${url}/console/data/sales_Customer/${id}`);
      await field('Phone').fill('0123');
      expect(await save()).toBe(200);
      const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      await inspectPage(page, 'undo');
      await undo.focus();
      await page.keyboard.press('Enter');
      await page.getByText('The change was undone').first().waitFor();
      await eventually(async () => expect(await field('Phone').inputValue()).toBe(''));
      expect(await read()).not.toHaveProperty('phone');

      // Where something else has changed since, the message names it.
      await field('Phone').fill('0456');
      expect(await save()).toBe(200);
      await undo.waitFor();
      await client.update('sales_Customer', id, { phone: '0789' });
      await undo.click();
      await page.getByText(/Something has changed since: Customer: Phone/).waitFor();
      expect(await read()).toMatchObject({ phone: '0789' });

      await page.goto(`${url}/console/data/sales_Customer/${id}`);
      await button('Delete').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Nothing else is affected.').waitFor();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText(`${name} was deleted`).waitFor();
      expect(await read()).toBeUndefined();
      await page.locator('#content').focus();
      await page.keyboard.press('Control+z');
      await eventually(async () => expect(await read()).toMatchObject({ name }));

      const conditions = [{ property: 'id', operator: 'in', value: [id, other.id] }];
      const filter = encodeURIComponent(JSON.stringify({ conditions }));
      await page.goto(`${url}/console/data/sales_Customer?filter=${filter}`);
      await page.getByRole('checkbox', { name: 'Select all rows of the page' }).check();
      await button('Change').click();
      await page.getByLabel('Attribute to change').selectOption({ label: 'Phone' });
      await page.getByRole('textbox', { name: 'Phone' }).fill('0999');
      await button('Change 2 records').click();
      await undo.waitFor();
      expect(await other.read()).toMatchObject({ phone: '0999' });
      await undo.click();
      await eventually(async () => expect(await other.read()).not.toHaveProperty('phone'));
      expect(await read()).toMatchObject({ phone: '0789' });
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'where a change needs a reason the user is asked for it, once for several instances, and it is recorded',
    async () => {
      const { id } = await createCustomer();
      const other = await createCustomer();
      const history = client.history('sales_Customer', id);
      const reasonsOf = async () => (await history.page({ limit: 10 })).items.map(({ reason }) => reason);
      // No entity of the example needs reasons: the page gets the refusal of one that does.
      const details = "Header 'X-Change-Reason' is required: changes of sales_Customer have a reason";
      const headers = { 'x-error-code': 'REQ_REASON_REQUIRED' };
      const body = { error: 'Reason required', details };
      await page.route('**/rest/entities/sales_Customer**', (route, request) =>
        !['PATCH', 'DELETE'].includes(request.method()) || request.headers()['x-change-reason'] !== undefined
          ? route.continue()
          : route.fulfill({ status: 400, headers, contentType: 'application/json', body: JSON.stringify(body) }),
      );
      await page.goto(`${url}/console/data/sales_Customer/${id}`);
      await field('Phone').fill('0123');
      await button('Save').click();
      const question = page.getByRole('dialog', { name: 'Reason for the change' });
      const reason = question.getByLabel('Reason');
      await reason.waitFor();
      await inspectPage(page, 'reason');
      await page.keyboard.press('Escape');
      await page.getByRole('alert').getByText(details).waitFor();
      await button('Save').click();
      await reason.waitFor();
      await eventually(async () => expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT'));
      await page.keyboard.type('Müller called');
      await page.keyboard.press('Enter');
      await page.getByText('Saved', { exact: true }).waitFor();
      expect(await reasonsOf()).toEqual(['Müller called', undefined]);

      // Escape closes the question alone, and the deletion says why nothing was deleted.
      await button('Delete').click();
      const deletion = page.getByRole('dialog', { name: 'Delete' });
      await deletion.getByText('Nothing else is affected.').waitFor();
      await deletion.getByRole('button', { name: 'Delete', exact: true }).click();
      await reason.waitFor();
      await page.keyboard.press('Escape');
      await deletion.getByRole('alert').getByText(details).waitFor();
      await page.keyboard.press('Escape');
      await deletion.waitFor({ state: 'detached' });

      const conditions = [{ property: 'id', operator: 'in', value: [id, other.id] }];
      const filter = encodeURIComponent(JSON.stringify({ conditions }));
      await page.goto(`${url}/console/data/sales_Customer?filter=${filter}`);
      await page.getByRole('checkbox', { name: 'Select all rows of the page' }).check();
      await button('Delete').click();
      await deletion.getByRole('button', { name: 'Delete 2 records' }).click();
      await reason.fill('left');
      await page.keyboard.press('Enter');
      await page.getByText('2 records deleted').first().waitFor();
      expect((await reasonsOf())[0]).toBe('left');
      await page.unroute('**/rest/entities/sales_Customer**');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user is asked with what a deletion takes along, finds it in the bin, restores it, and removes for good',
    async () => {
      const name = `Category ${randomUUID().slice(0, 8)}`;
      const attribute = { name: 'Height', code: `height${randomUUID().slice(0, 8)}`, dataType: 'INTEGER' };
      const category = await client.create('dynat_Category', {
        ...{ name, entityType: 'sales_Product', categoryAttrs: [attribute] },
      });
      const read = () => client.load('dynat_Category', String(category['id']), { fetchPlan: { categoryAttrs: true } });
      await page.goto(`${url}/console/data/dynat_Category/${category['id']}`);
      await button('Delete').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^Dynamic attribute: 1 record \(Height/).waitFor();
      await inspectPage(page, 'deletion');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText(`${name} was deleted`).waitFor();

      await page.getByRole('link', { name: 'Bin' }).click();
      await page.getByRole('heading', { name: /^Bin:/ }).waitFor();
      await page.getByLabel('Search by name').fill(name);
      const rowOf = (text: string) => page.getByRole('row', { name: text });
      await rowOf(name)
        .getByRole('button', { name: `Show ${name}` })
        .click();
      await dialog.getByRole('row', { name: `Name ${name}` }).waitFor();
      await page.keyboard.press('Escape');
      await inspectPage(page, 'bin');
      await rowOf(name)
        .getByRole('button', { name: `Restore ${name}` })
        .click();
      await dialog.getByText(/^Dynamic attribute: 1 record \(Height/).waitFor();
      await inspectPage(page, 'bin-restore');
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
      await page.getByText('Nothing matches. Change the filter or the search.').waitFor();
      expect(await read()).toMatchObject({ categoryAttrs: [{ _instanceName: `Height (${attribute.code})` }] });
      await client.remove('dynat_Category', String(category['id']));

      // A unique value that was taken meanwhile is named.
      const order = await forms.createOrder();
      const row = rowOf(order.number);
      await client.remove('sales_Order', order.id);
      const [customer] = await client.list('sales_Customer', { limit: 1 });
      const taken = await client.create('sales_Order', {
        ...{ number: order.number, date: '2026-11-26', customer: { id: customer?.['id'] } },
      });
      await page.goto(`${url}/console/data/sales_Order/bin`);
      await page.getByLabel('Search by name').fill(order.number);
      await row.getByRole('button', { name: `Restore ${order.number}` }).click();
      await dialog
        .getByRole('alert')
        .getByText(/[Uu]nique/)
        .waitFor();
      await inspectPage(page, 'bin-taken');
      await page.keyboard.press('Escape');
      await row.getByRole('button', { name: `Remove for good: ${order.number}` }).click();
      await dialog.getByText(/^Order line: 2 records/).waitFor();
      await dialog.getByRole('button', { name: 'Remove for good' }).click();
      await page.getByText(`${order.number} was removed for good`).waitFor();
      expect(await client.load('sales_Order', order.id, { deleted: 'with' })).toBeUndefined();
      await client.remove('sales_Order', String(taken['id']));
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user restores several instances of the bin, sees which ones were refused, and removes the others for good',
    async () => {
      const prefix = `B-${randomUUID().slice(0, 8)}`;
      const [customer] = await client.list('sales_Customer', { limit: 1 });
      const create = async (number: string) => {
        const order = { number: `${prefix}-${number}`, date: '2026-11-26', customer: { id: customer?.['id'] } };
        return String((await client.create('sales_Order', order))['id']);
      };
      const [first, second] = [await create('1'), await create('2')];
      await client.removeMany('sales_Order', [first, second]);
      const taken = await create('2');
      await page.goto(`${url}/console/data/sales_Order/bin`);
      // Another search ends the selection.
      const found = page.waitForResponse((response) =>
        `${response.url()} ${response.request().postData()}`.includes(prefix),
      );
      await page.getByLabel('Search by name').fill(prefix);
      await found;
      const all = page.getByRole('checkbox', { name: 'Select all rows of the page' });
      await eventually(async () => expect(await page.getByRole('checkbox').count()).toBe(3));
      await all.check();
      const selection = page.getByRole('region', { name: 'Selection' });
      await selection.getByText('2 records selected').waitFor();
      await inspectPage(page, 'bin-selection');
      await selection.getByRole('button', { name: 'Restore' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Restore 2 records from the bin?').waitFor();
      await dialog
        .getByRole('alert')
        .getByText(/[Uu]nique/)
        .waitFor();
      await inspectPage(page, 'bin-selection-question');
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
      await selection.getByText('1 record restored').waitFor();
      await selection.getByRole('row', { name: new RegExp(`${prefix}-2 .*[Uu]nique`) }).waitFor();
      await inspectPage(page, 'bin-selection-results');
      expect(await client.load('sales_Order', first)).toMatchObject({ number: `${prefix}-1` });
      await selection.getByRole('button', { name: 'Close' }).click();

      // All that match are counted and removed.
      await eventually(async () => expect(await page.getByRole('checkbox').count()).toBe(2));
      await all.check();
      await selection.getByRole('button', { name: 'Select all that match' }).click();
      await selection.getByText('1 record that matches is selected').waitFor();
      await selection.getByRole('button', { name: 'Remove for good' }).click();
      await dialog.getByText('Remove 1 record for good? This cannot be undone.').waitFor();
      await dialog.getByText('Nothing else is affected.').waitFor();
      await dialog.getByRole('button', { name: 'Remove for good' }).click();
      await selection.getByText('1 record removed for good').waitFor();
      expect(await client.load('sales_Order', second, { deleted: 'with' })).toBeUndefined();
      await client.removeMany('sales_Order', [first, taken]);
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user without the permissions sees neither the bin nor buttons for it',
    async () => {
      const { id } = await createCustomer();
      const { page: other } = await openConsole(forms.browser, url);
      await logIn(other, 'clerk');
      await other.goto(`${url}/console/data/sales_Order`);
      await other.getByRole('button', { name: 'Columns', exact: true }).waitFor();
      expect(await other.getByRole('link', { name: 'Bin' }).count()).toBe(0);
      await other.goto(`${url}/console/data/sales_Order/bin`);
      await other.getByText('There is no bin here that you may read.').waitFor();
      await other.goto(`${url}/console/data/sales_Product/${id}/history`);
      await other.getByText('There is no history here that you may read.').waitFor();
      await other.context().close();
    },
    JOURNEY_PATIENCE_MS,
  );
});
