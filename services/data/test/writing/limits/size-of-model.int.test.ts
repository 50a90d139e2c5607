import sales from '@lintel/example-sales';
import { type DataFixture, startData } from '../../data-fixture.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(sales, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data?.close());

const send = async (method: string, path: string, body?: unknown) => {
  const response = await data.send('admin', method, `/entities/${path}`, body);
  expect([response.status < 300, response.text]).toEqual([true, expect.any(String)]);
  return response.json();
};

/** The methods that iterate over the whole model; a lookup of one entity by its name does not. */
const WALKS = ['keys', 'values', 'entries', 'forEach', Symbol.iterator] as const;

test('after the first request of its kind, no request iterates over all entities of the model', async () => {
  const customer = await send('POST', 'sales_Customer', { name: 'Amsel' });
  const product = await send('POST', 'sales_Product', { name: 'Teapot', sku: 'T-1', price: '10.00' });
  const line = () => ({ product: { id: product.id }, quantity: '1', price: '1.00', position: 1 });
  let number = 0;
  const everything = async (): Promise<void> => {
    number += 1;
    const body = { number: `S-${number}`, date: '2026-11-21', customer: { id: customer.id }, lines: [line()] };
    const { id } = await send('POST', 'sales_Order', body);
    await send('GET', `sales_Order/${id}`);
    await send('GET', 'sales_Order?sort=-date&limit=5&fetchPlan=_local');
    await send('POST', 'sales_Order/search', {
      filter: { conditions: [{ property: 'customer.name', operator: 'startsWith', value: 'A' }] },
      fetchPlan: '_base',
    });
    await send('PUT', `sales_Order/${id}`, { notes: `changed ${number}`, lines: [line(), line()] });
  };
  await everything();
  await everything();
  const { entities } = sales.model;
  const walks: string[] = [];
  for (const name of WALKS) {
    const walk = (...given: unknown[]): unknown => {
      walks.push(`${String(name)} ${new Error().stack?.split('\n')[2]?.trim()}`);
      return Reflect.apply(Map.prototype[name as 'keys'], entities, given);
    };
    Object.defineProperty(entities, name, { value: walk, configurable: true });
  }
  try {
    expect([...entities.keys()]).toContain('sales_Order');
    expect(walks).toHaveLength(1);
    walks.length = 0;
    await everything();
    expect(walks).toEqual([]);
  } finally {
    for (const name of WALKS) Reflect.deleteProperty(entities, name);
  }
});
