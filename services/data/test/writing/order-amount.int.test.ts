import sales from '@lintel/example-sales';
import { type DataFixture, startData } from '../data-fixture.ts';

let data: DataFixture;
let customer = '';
let product = '';
beforeAll(async () => {
  data = await startData(sales, { admin: { resourceRoles: ['system-full-access'] } });
  customer = await create('sales_Customer', { name: 'Amsel' });
  product = await create('sales_Product', { name: 'Teapot', sku: 'T-1', price: '10.00' });
});
afterAll(() => data?.close());

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);
async function create(entity: string, body: unknown): Promise<string> {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
}
let number = 0;
const newOrder = (values: object): Promise<string> => {
  number += 1;
  return create('sales_Order', { number: `A-${number}`, date: '2026-11-21', customer: { id: customer }, ...values });
};
const line = (quantity: number, price: string, values: object = {}) => ({
  id: crypto.randomUUID(),
  product: { id: product },
  quantity,
  price,
  ...values,
});
const order = async (id: string): Promise<{ amount: string; version: number }> => {
  const [row] = await data.query<{ amount: string; version: number }>(
    'SELECT amount, version FROM sales."order" WHERE id = $1',
    [id],
  );
  return row ?? { amount: 'none', version: 0 };
};
const changed = async (response: Promise<{ readonly status: number; readonly text: string }>): Promise<void> => {
  const { status, text } = await response;
  expect([status < 300, text]).toEqual([true, text]);
};

test('a new order has the amount of its lines, even if another amount is sent, with one statement per table', async () => {
  const percent = { discounts: [{ reason: 'x', percent: '10' }] };
  data.statements.length = 0;
  // Without ids, since the service would check whether they are in use.
  const lines = [line(3, '10.00', percent), line(1, '3.00')].map((each) => ({ ...each, id: null }));
  const id = await newOrder({ amount: 5, discount: '0.5', lines });
  expect(await order(id)).toEqual({ amount: '15.00', version: 1 });
  expect(data.statements.filter((text) => !text.startsWith('INSERT') && !text.startsWith('events'))).toEqual([]);
  expect(await order(await newOrder({ amount: 5 }))).toEqual({ amount: '0.00', version: 1 });
});

// Asserts contract/decisions.md#54.
test('the amount follows every change of a line or of its discounts, by every route, and the version is incremented once', async () => {
  const [first, second] = [line(1, '10.00'), line(2, '5.00')];
  const [id, other] = [await newOrder({ lines: [first, second] }), await newOrder({})];
  expect(await order(id)).toEqual({ amount: '20.00', version: 1 });
  await changed(send('PUT', `sales_OrderLine/${first.id}`, { quantity: 2 }));
  expect(await order(id)).toEqual({ amount: '30.00', version: 2 });
  const discount = await create('sales_LineDiscount', { line: { id: first.id }, reason: 'x', percent: 50 });
  expect(await order(id)).toEqual({ amount: '20.00', version: 3 });
  await changed(send('PUT', `sales_LineDiscount/${discount}`, { percent: 25 }));
  expect(await order(id)).toEqual({ amount: '25.00', version: 4 });
  await changed(send('DELETE', `sales_LineDiscount/${discount}`));
  expect(await order(id)).toEqual({ amount: '30.00', version: 5 });
  await changed(
    send('PUT', 'sales_OrderLine', [
      { id: first.id, quantity: 1 },
      { id: second.id, quantity: 1 },
    ]),
  );
  expect(await order(id)).toEqual({ amount: '15.00', version: 6 });
  await changed(send('PUT', `sales_OrderLine/${first.id}`, { order: { id: other } }));
  expect([await order(id), await order(other)]).toEqual([
    { amount: '5.00', version: 7 },
    { amount: '10.00', version: 2 },
  ]);
  await changed(send('DELETE', `sales_OrderLine/${second.id}`));
  expect(await order(id)).toEqual({ amount: '0.00', version: 8 });
});

test('the amount follows a replaced collection, the discount and an amount that a client sets', async () => {
  const kept = line(1, '10.00');
  const id = await newOrder({ lines: [kept, line(1, '1.00')] });
  await changed(send('PUT', `sales_Order/${id}`, { lines: [{ ...kept, quantity: 3 }, line(1, '2.00')] }));
  expect(await order(id)).toEqual({ amount: '32.00', version: 2 });
  await changed(send('PUT', `sales_Order/${id}`, { notes: 'x', discount: '0.25', lines: [kept] }));
  expect(await order(id)).toEqual({ amount: '7.50', version: 3 });
  await changed(send('PUT', `sales_Order/${id}`, { amount: 1 }));
  expect((await order(id)).amount).toBe('7.50');
  await changed(send('PUT', `sales_Order/${id}`, { lines: [] }));
  expect((await order(id)).amount).toBe('0.00');
});
