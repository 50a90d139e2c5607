import { randomUUID } from 'node:crypto';
import type { Client } from '@lintel/client';
import type { Page } from 'playwright-core';
import { JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { MODES } from './console-system.ts';
import { formsOfTests } from './forms-of-tests.ts';

/**
 * Forms of the console: an order is found and changed with its lines, mistakes are at their fields, input that is not
 * saved stays, and files are uploaded and shown.
 */
describe.each(MODES)('in %s', (mode) => {
  const forms = formsOfTests(mode);
  const { createOrder, openOrder, field, button, save, isWell } = forms;
  let client: Client;
  let page: Page;
  let products: typeof forms.products;
  let url: string;
  beforeAll(() => {
    ({ client, page, products, url } = forms);
  });

  test(
    'an order is found and changed with its lines, at any depth, in one request',
    async () => {
      const order = await createOrder();
      await page.goto(`${url}/console/data/sales_Order`);
      await page.getByRole('table', { name: 'Order' }).getByRole('link').first().waitFor();
      await openOrder(order);
      await isWell('order');

      await field('Quantity, 2').fill('3.5');
      await button('Open Lines, 1').click();
      await page.getByRole('dialog').waitFor();
      await field('Percent, 1').fill('7.25');
      await isWell('line');
      await button('Done').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await button('Add: Order line').click();
      await field('Product, 3').click();
      await page.getByRole('option', { name: products[2]?._instanceName ?? '' }).click();
      await field('Quantity, 3').fill('1000000000000.125');
      // Removed and restored, before it is saved.
      await button('Remove Lines, 2').click();
      await button('Restore Lines, 2').click();
      expect(await save(() => page.keyboard.press('Control+s'))).toBe(200);
      await page.getByText('Saved', { exact: true }).first().waitFor();
      expect(await order.read()).toMatchObject({
        lines: [
          { quantity: 1, price: 10.5, discounts: [{ percent: 7.25 }] },
          { quantity: 3.5 },
          { quantity: expect.anything() },
        ],
      });
      expect(await field('Quantity, 3').inputValue()).toBe('1000000000000.125');

      await button('Remove Lines, 3').click();
      expect(await save()).toBe(200);
      await button('Remove Lines, 3').waitFor({ state: 'detached' });
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'mistakes are at their fields: those that the page finds, and those of the server, inside of lines too',
    async () => {
      const order = await createOrder();
      await openOrder(order);
      await field('Number').fill('');
      await field('Quantity, 2').fill('-1');
      await button('Open Lines, 1').click();
      await field('Percent, 1').fill('100.5');
      await button('Done').click();
      await button('Save').click();
      await page.getByText('A value is needed').waitFor();
      await page.getByText('Greater than 0').waitFor();
      await button('Open Lines, 1: 1 message').waitFor();
      expect(await page.evaluate('document.activeElement.value')).toBe('');
      await isWell('mistakes');

      await field('Number').fill(order.number);
      await field('Quantity, 2').fill('2');
      await button('Open Lines, 1: 1 message').click();
      await page.getByText('At most 100').waitFor();
      await field('Percent, 1').fill('5');
      await button('Done').click();
      // A rule in code of the application: the server alone knows it.
      await field('Status').selectOption('CLOSED');
      await button('Remove Lines, 1').click();
      await button('Remove Lines, 2').click();
      expect(await save()).toBe(400);
      await page
        .getByRole('alert')
        .getByText(/closed/i)
        .waitFor();
      await button('Restore Lines, 2').click();
      expect(await save()).toBe(200);
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'input that is not saved stays: when the page is left, and when it is loaded again',
    async () => {
      const order = await createOrder();
      await openOrder(order);
      await field('Notes').fill('not saved');
      await field('Notes').press('Escape');
      await page.getByRole('dialog', { name: 'There is input that is not saved' }).waitFor();
      await isWell('leaving');
      await button('Stay').click();
      await field('Notes').press('Escape');
      await button('Leave').click();
      await page.getByRole('table', { name: 'Order' }).waitFor();
      await page.goBack();
      await button('Restore').click();
      expect(await field('Notes').inputValue()).toBe('not saved');
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await page.getByText('There is input that was not saved').waitFor();
      await isWell('kept');
      await button('Restore').click();
      expect(await save()).toBe(200);
      await page.getByText('Saved', { exact: true }).first().waitFor();
      expect(await order.read()).toMatchObject({ notes: 'not saved' });
      await page.reload();
      await page.getByRole('heading', { name: order.number }).waitFor();
      expect(await page.getByText('There is input that was not saved').count()).toBe(0);
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a file is uploaded, shown and removed',
    async () => {
      const order = await createOrder();
      await openOrder(order);
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({
          name: 'note.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from('A note for the order'),
        });
      await page.getByText('note.txt').waitFor();
      await button('Show').click();
      await page.getByText('A note for the order').waitFor();
      await isWell('file');
      await page.keyboard.press('Escape');
      expect(await save()).toBe(200);
      await button('Remove file').click();
      expect(await save()).toBe(200);
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'associations, embedded objects, elements and dynamic attributes of a customer are changed',
    async () => {
      const { id } = await client.create('sales_Customer', { name: `Forms ${randomUUID().slice(0, 8)}` });
      await page.goto(`${url}/console/data/sales_Customer/${String(id)}`);
      await field('City').fill('Lisboa');
      await button('Add to Tags').click();
      await field('Tags, 1').fill('new');
      await field('Loyalty points').fill('12');
      await isWell('customer');
      expect(await save()).toBe(200);
      await page.getByText('Saved', { exact: true }).first().waitFor();
      expect(
        await client.load('sales_Customer', id as string, {
          fetchPlan: { address: { city: true }, tags: true },
          dynamicAttributes: true,
        }),
      ).toMatchObject({ address: { city: 'Lisboa' }, tags: ['new'], '+loyaltyPoints': 12 });

      const tag = await client.create(
        'sales_ProductTag',
        { name: `forms-${randomUUID().slice(0, 8)}` },
        { fetchPlan: '_base' },
      );
      await page.goto(`${url}/console/data/sales_Product/${products[0]?.id ?? ''}`);
      await field('Add to Tags').fill(String(tag['name']));
      await page.getByRole('option', { name: String(tag['name']), exact: true }).click();
      expect(await save()).toBe(200);
      await button(`Remove ${String(tag['name'])}`).click();
      expect(await save()).toBe(200);
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an order is duplicated with its lines, the next new one follows, and the first page has what was opened last',
    async () => {
      const order = await createOrder();
      await openOrder(order);
      await button('Duplicate').click();
      await page.getByRole('heading', { level: 1, name: 'New: Order' }).waitFor();
      const copied = `${order.number}-2`;
      await field('Number').fill(copied);
      expect(await field('Quantity, 2').inputValue()).toBe('2');
      expect(await save(() => button('Save and new').click())).toBe(201);
      // The form of the next one is empty.
      await button('Remove Lines, 2').waitFor({ state: 'detached' });
      expect(await field('Number').inputValue()).toBe('');
      const stored = await client.list('sales_Order', {
        filter: { conditions: [{ property: 'number', operator: '=', value: copied }] },
        fetchPlan: { lines: { quantity: true, discounts: { percent: true } } },
      });
      expect(stored).toMatchObject([{ lines: [{ quantity: 1, discounts: [{ percent: 5 }] }, { quantity: 2 }] }]);
      await page.goto(`${url}/console/data`);
      const recent = page.getByRole('region', { name: 'Opened last' });
      await recent.getByRole('link', { name: order.number, exact: true }).waitFor();
      // Entities of the system are apart.
      expect(await page.locator('details').getByRole('link', { name: 'Role assignment' }).isVisible()).toBe(false);
      await isWell('home');
      await page.getByText('Of the system').click();
      await page.locator('details').getByRole('link', { name: 'Role assignment' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );
});
