import { randomUUID } from 'node:crypto';
import { type Client, createClient, createSession } from '@lintel/client';
import { eventually } from '@lintel/testkit';
import type { Locator, Page } from 'playwright-core';
import { consoleOfTests, JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

/**
 * Forms of the console: an order is found and changed with its lines, a colleague changes it meanwhile, mistakes are at
 * their fields, files are uploaded and shown, input that is not saved stays, and the order is deleted.
 */
const FEED_PATIENCE_MS = 5_000;

let client: Client;
let url: string;
let page: Page;
let products: readonly { readonly id: string; readonly _instanceName: string }[];
let customer: { readonly id: string };

/** An order with two lines; the first one has a discount. */
async function createOrder() {
  const number = `F-${randomUUID().slice(0, 8)}`;
  const [first, second] = products;
  const { id } = await client.create('sales_Order', {
    ...{ number, date: '2026-11-26', customer: { id: customer.id } },
    lines: [
      { product: { id: first?.id }, quantity: 1, price: '10.50', discounts: [{ reason: 'Friend', percent: 5 }] },
      { product: { id: second?.id }, quantity: 2 },
    ],
  });
  const plan = {
    number: true,
    notes: true,
    lines: { quantity: true, price: true, discounts: { percent: true } },
  } as const;
  return { id: String(id), number, read: () => client.load('sales_Order', id as string, { fetchPlan: plan }) };
}

const openOrder = async ({ id, number }: { readonly id: string; readonly number: string }): Promise<void> => {
  await page.goto(`${url}/console/data/sales_Order/${id}`);
  await page.getByRole('heading', { name: number }).waitFor();
};
/** The input of a caption, which has an asterisk where a value is needed; a list of a combobox has the same name. */
const field = (name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`)).first();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

/** Saves, and waits for the response. */
async function save(how: () => Promise<void> = () => button('Save').click()): Promise<number> {
  const written = page.waitForResponse((response) => {
    const isWrite = ['PATCH', 'PUT', 'POST'].includes(response.request().method());
    return isWrite && /\/entities\/sales_\w+(\/[^/]+)?(\?|$)/.test(response.url()) && !/\/search/.test(response.url());
  });
  await how();
  return (await written).status();
}

const isWell = (name: string): Promise<void> => inspectPage(page, `form-${name}`);

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode);
  beforeAll(async () => {
    page = opened().page;
    ({ url } = opened().system);
    const session = createSession({ baseUrl: url, clientId: 'client', clientSecret: 'secret' });
    await session.logIn('admin', 'admin');
    client = createClient({ baseUrl: url, token: session });
    products = (await client.list('sales_Product', { fetchPlan: '_instance_name', limit: 3 })) as typeof products;
    [customer] = (await client.list('sales_Customer', { limit: 1 })) as unknown as [typeof customer];
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
      await page.getByText('Somebody else has changed this instance.').waitFor();
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
      const foreign = page.getByText('Somebody else has changed this instance.');
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
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('It was not deleted').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Show: Order · Customer' }).waitFor();
      await isWell('refused');

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
