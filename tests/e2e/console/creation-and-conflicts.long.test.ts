import { randomUUID } from 'node:crypto';
import type { Client } from '@lintel/client';
import { eventually } from '@lintel/testkit';
import type { Locator, Page } from 'playwright-core';
import { JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { MODES } from './console-system.ts';
import { formsOfTests } from './forms-of-tests.ts';

/** The feed of changes is connected within this time, or the change is made again. */
const FEED_PATIENCE_MS = 5_000;

/**
 * Forms of the console: a colleague changes an order meanwhile, an order is created together with what it refers to,
 * and it is deleted.
 */
describe.each(MODES)('in %s', (mode) => {
  const forms = formsOfTests(mode);
  const { createOrder, openOrder, field, button, save, isWell } = forms;
  let client: Client;
  let page: Page;
  let url: string;
  beforeAll(() => {
    ({ client, page, url } = forms);
  });

  test(
    'a change of a colleague is shown, and a save compares what both have changed, in lines too',
    async () => {
      const order = await createOrder();
      await openOrder(order);
      await field('Notes').fill('mine');
      await field('Quantity, 1').fill('4');
      const stored = (await order.read()) as { readonly lines: readonly { readonly id: string }[] };
      const [first, second] = stored.lines;
      await client.patch('sales_Order', order.id, {
        notes: 'theirs',
        lines: [
          { id: first?.id, quantity: 9 },
          { id: second?.id, quantity: 8 },
        ],
      });
      await page.getByText('Somebody else has changed this record.').waitFor();
      expect(await save()).toBe(412);
      const table = page.getByRole('table', { name: 'Somebody else has saved changes' });
      await table.waitFor();
      await isWell('conflict');
      await page.getByLabel('Keep of Notes').selectOption('theirs');
      await button('Continue with this').click();
      expect(await save()).toBe(200);
      await page.getByText('Saved', { exact: true }).first().waitFor();
      expect(await order.read()).toMatchObject({ notes: 'theirs', lines: [{ quantity: 4 }, { quantity: 8 }] });
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an own change is not shown as one of somebody else, and one of a colleague right after it is',
    async () => {
      const order = await createOrder();
      await openOrder(order);
      const foreign = page.getByText('Somebody else has changed this record.');
      // The feed is connected as soon as it shows a change; one that was made before is not shown.
      for (let change = 1; (await foreign.count()) === 0; change++) {
        await client.patch('sales_Order', order.id, { notes: `change ${change}` });
        await foreign.waitFor({ timeout: FEED_PATIENCE_MS }).catch(() => undefined);
      }
      await button('Show the new values').click();
      await foreign.waitFor({ state: 'detached' });
      await field('Notes').fill('mine');
      expect(await save()).toBe(200);
      await page.getByText('Saved', { exact: true }).first().waitFor();
      expect(await foreign.count()).toBe(0);
      await client.patch('sales_Order', order.id, { notes: 'theirs' });
      await foreign.waitFor();
      await button('Show the new values').click();
      await foreign.waitFor({ state: 'detached' });
      expect(await field('Notes').inputValue()).toBe('theirs');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'what a lookup does not find is created above the form, with the keyboard, and what that needs above it',
    async () => {
      const suffix = randomUUID().slice(0, 8);
      const names = { number: `F-${suffix}`, customer: `Customer ${suffix}`, category: `Category ${suffix}` };
      const dialog = (name: string) => page.getByRole('dialog', { name });
      /** Types into a lookup that finds nothing, and chooses to create it. */
      const createIn = async (lookup: Locator, caption: string, words: string): Promise<void> => {
        await lookup.fill(words);
        await page.getByRole('option', { name: `Create: ${caption} “${words}”` }).waitFor();
        await page.locator('[role=option]:visible').nth(1).waitFor({ state: 'detached' });
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await dialog(`New: ${caption}`).waitFor();
      };
      const isFocused = async (input: Locator, value: string): Promise<void> => {
        await input.and(page.locator(':focus')).waitFor();
        await eventually(async () => expect(await input.inputValue()).toBe(value));
      };
      await page.goto(`${url}/console/data/sales_Order/new`);
      await field('Number').fill(names.number);
      await field('Date').fill('2026-11-26');
      await createIn(field('Customer'), 'Customer', names.customer);
      const customerForm = dialog('New: Customer');
      const nameOfCustomer = customerForm.getByLabel(/^Name/).first();
      await isFocused(nameOfCustomer, names.customer);
      await isWell('creation');

      await nameOfCustomer.fill('');
      await page.keyboard.press('Control+s');
      await customerForm.getByText('A value is needed').waitFor();
      await nameOfCustomer.fill(names.customer);
      await customerForm.getByLabel(/^E-mail/).fill('no address');
      await customerForm.getByRole('button', { name: 'Save' }).click();
      await customerForm
        .getByText(/e-?mail/i)
        .nth(1)
        .waitFor();
      await customerForm.getByLabel(/^E-mail/).fill('new@example.org');

      // Escape asks, and then closes the question alone.
      await page.keyboard.press('Escape');
      await dialog('There is input that is not saved').waitFor();
      await page.keyboard.press('Escape');
      await dialog('There is input that is not saved').waitFor({ state: 'detached' });
      await isFocused(customerForm.getByLabel(/^E-mail/), 'new@example.org');
      expect(await nameOfCustomer.inputValue()).toBe(names.customer);

      await createIn(customerForm.getByLabel(/^Category/).first(), 'Customer category', names.category);
      await page.keyboard.press('Control+s');
      await dialog('New: Customer category').waitFor({ state: 'detached' });
      await isFocused(customerForm.getByLabel(/^Category/).first(), names.category);
      await page.keyboard.press('Control+s');
      await customerForm.waitFor({ state: 'detached' });
      await isFocused(field('Customer'), names.customer);
      expect(await field('Number').inputValue()).toBe(names.number);

      await button('Add: Order line').click();
      await field('Product, 1').click();
      await page.locator('[role=option]:visible').first().click();
      await field('Quantity, 1').fill('1');
      expect(await save()).toBe(201);
      await page.getByRole('heading', { name: names.number }).waitFor();
      const found = await client.list('sales_Order', {
        filter: { conditions: [{ property: 'number', operator: '=', value: names.number }] },
        fetchPlan: { customer: { name: true, category: { code: true } } },
      });
      expect(found).toMatchObject([{ customer: { name: names.customer, category: { code: names.category } } }]);
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a new order is created; a customer with orders is not deleted, and the form says why; the order is',
    async () => {
      const number = `F-${randomUUID().slice(0, 8)}`;
      await page.goto(`${url}/console/data/sales_Order/new`);
      await field('Number').fill(number);
      await field('Date').fill('2026-11-26');
      await field('Customer').click();
      await page.locator('[role=option]:visible').first().click();
      await button('Add: Order line').click();
      await field('Product, 1').click();
      await page.locator('[role=option]:visible').first().click();
      await field('Quantity, 1').fill('1');
      expect(await save()).toBe(201);
      await page.getByRole('heading', { name: number }).waitFor();

      await page.getByRole('link', { name: 'Open Customer' }).click();
      await page.getByLabel('Phone').waitFor();
      await button('Find').click();
      await page.getByRole('link', { name: /^Order · Customer/ }).waitFor();
      await button('Delete').click();
      await page.getByText('It cannot be deleted').waitFor();
      await page.getByRole('dialog').getByRole('link', { name: 'Show: Order · Customer' }).waitFor();
      await isWell('refused');
      await page.keyboard.press('Escape');

      await page.goBack();
      await page.getByRole('heading', { name: number }).waitFor();
      await button('Delete').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText(`${number} was deleted`).waitFor();
      const found = await client.list('sales_Order', {
        filter: { conditions: [{ property: 'number', operator: '=', value: number }] },
      });
      expect(found).toEqual([]);
    },
    JOURNEY_PATIENCE_MS,
  );
});
