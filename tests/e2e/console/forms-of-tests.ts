import { randomUUID } from 'node:crypto';
import { type Client, createClient, createSession } from '@lintel/client';
import type { Page } from 'playwright-core';
import { consoleOfTests } from './console-of-tests.ts';
import type { MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

/** Forms of the console in a mode: a page, a client of the API, and what journeys do with them. */
export function formsOfTests(mode: (typeof MODES)[number]) {
  const opened = consoleOfTests(mode);
  let client: Client;
  let url: string;
  let page: Page;
  let products: readonly { readonly id: string; readonly _instanceName: string }[];
  let customer: { readonly id: string };
  beforeAll(async () => {
    page = opened().page;
    ({ url } = opened().system);
    const session = createSession({ baseUrl: url, clientId: 'client', clientSecret: 'secret' });
    await session.logIn('admin', 'admin');
    client = createClient({ baseUrl: url, token: session });
    products = (await client.list('sales_Product', { fetchPlan: '_instance_name', limit: 3 })) as typeof products;
    [customer] = (await client.list('sales_Customer', { limit: 1 })) as unknown as [typeof customer];
  });

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
      return (
        isWrite && /\/entities\/sales_\w+(\/[^/]+)?(\?|$)/.test(response.url()) && !/\/search/.test(response.url())
      );
    });
    await how();
    return (await written).status();
  }

  const isWell = (name: string): Promise<void> => inspectPage(page, `form-${name}`);

  return {
    ...{ createOrder, openOrder, field, button, save, isWell },
    get browser() {
      return opened().browser;
    },
    get client() {
      return client;
    },
    get page() {
      return page;
    },
    get products() {
      return products;
    },
    get url() {
      return url;
    },
  };
}
