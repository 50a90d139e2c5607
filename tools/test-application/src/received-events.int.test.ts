import { startApplication, type TestApplication } from './index.ts';

let sales: TestApplication;
beforeAll(async () => {
  sales = await startApplication({ application: '@lintel/example-sales' });
});
afterAll(() => sales.stop());

// Asserts contract/events.md#other-applications.
test('a test gives the application events of another one, each of which is handled once', async () => {
  const [order] = await sales.data.loadList('sales_Order', {
    filter: { conditions: [{ property: 'status', operator: '=', value: 'CONFIRMED' }] },
  });
  const subject = `sales_Order/${order?.id}`;
  const shipped = { source: '/dispatch', type: 'dispatch.shipment-changed.v1', subject, data: { state: 'SHIPPED' } };
  await sales.receive({ ...shipped, id: 'once' });
  await sales.receive({ ...shipped, id: 'once' });
  const attempt = { handler: 'shipments', type: shipped.type, subject, attempt: 1 };
  const news = { handler: 'shipped-orders', type: 'data.entity.changed.v1', subject, attempt: 1 };
  expect(await sales.handled()).toEqual([attempt, news]);
  expect(await sales.data.load('sales_Order', order?.id)).toMatchObject({ status: 'SHIPPED' });
  await sales.receive({ ...shipped, data: {} });
  expect(await sales.handled()).toEqual([{ ...attempt, error: expect.stringContaining('data must have') }]);
  await expect(sales.receive({ ...shipped, source: '/mallory' })).rejects.toThrow(
    'No handler is for events dispatch.shipment-changed.v1 of /mallory',
  );
});
