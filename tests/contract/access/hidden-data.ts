import { as, createOrder, demo, unique } from '../api.ts';

/** Instances with values that can be found again in any response. */
export interface HiddenData {
  /** Outside the region of the clerk, like the order. */
  readonly hiddenCustomer: string;
  readonly hiddenOrder: string;
  /** In the region of the clerk; its `creditLimit` is hidden from them all the same. */
  readonly shownCustomer: string;
  readonly shownOrder: string;
  readonly fileRef: string;
  /** What no response to the clerk may contain. */
  readonly hiddenValues: readonly string[];
  /** What the clerk may see, but nobody without rights. */
  readonly shownValues: readonly string[];
}

const digits = (): string => String(1_000_000 + Math.floor(Math.random() * 8_999_999));

async function createCustomer(name: string, country: string, creditLimit: string): Promise<string> {
  const body = { name, creditLimit, address: { country, city: `City of ${name}` }, email: `${name}@example.org` };
  const response = await as('admin', 'POST', '/entities/sales_Customer', { body });
  if (response.status !== 201) throw new Error(response.text);
  return String(response.json().id);
}

/** A customer that may be deleted. */
export const createVictim = (): Promise<string> => createCustomer(unique('victim'), 'DE', '1.00');

/** A customer in the bin. */
export async function createDeleted(): Promise<string> {
  const id = await createVictim();
  await as('admin', 'DELETE', `/entities/sales_Customer/${id}`);
  return id;
}

export async function createHiddenData(): Promise<HiddenData> {
  const [hiddenName, shownName] = [unique('hid'), unique('shown')];
  const [hiddenNumber, shownNumber] = [unique('H'), unique('S')];
  const [hiddenLimit, shownLimit] = [`${digits()}.17`, `${digits()}.19`];
  const hiddenCustomer = await createCustomer(hiddenName, 'FR', hiddenLimit);
  const shownCustomer = await createCustomer(shownName, 'DE', shownLimit);
  const lines = [{ product: { id: demo.product(1) }, quantity: 1, price: 7 }];
  const hiddenOrder = await createOrder({ number: hiddenNumber, customer: { id: hiddenCustomer }, lines });
  const shownOrder = await createOrder({ number: shownNumber, customer: { id: shownCustomer }, lines });
  const file = await as('admin', 'POST', '/files?name=matrix.txt', { body: `content of ${hiddenName}` });
  return {
    hiddenCustomer,
    hiddenOrder,
    shownCustomer,
    shownOrder,
    fileRef: String(file.json().fileRef),
    hiddenValues: [hiddenName, hiddenNumber, hiddenLimit, shownLimit, hiddenCustomer, hiddenOrder],
    shownValues: [shownName, shownNumber, shownCustomer, shownOrder],
  };
}
