import sales from '@lintel/example-sales';
import { type DataFixture, startData } from '../data-fixture.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(sales, { admin: { resourceRoles: ['system-full-access'] } }, { 'svc.demo.enabled': 'true' });
});
afterAll(() => data.close());

const count = async (table: string): Promise<number> =>
  Number((await data.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

test('the demo data is loaded completely, only once, and with hashed passwords', async () => {
  const instances = sales.demoData?.instances ?? [];
  await data.service.start();
  const expected = (entity: string) => instances.filter((instance) => instance.entity === entity).length;
  expect(await count('sales."order"')).toBe(expected('sales_Order'));
  expect(await count('sales.order_line')).toBe(expected('sales_OrderLine'));
  expect(await count('sec."user"')).toBe(expected('sec_User'));
  expect(await count('sec."user" WHERE password IS NOT NULL AND password NOT LIKE \'hashed %\'')).toBe(0);
  expect(await count('sales.customer_tags')).toBeGreaterThan(0);
  expect(await count('sales.product_tags_link')).toBeGreaterThan(0);
  expect(await count('events.outbox')).toBe(0);
  // The planner has statistics of the rows.
  expect(await count("pg_class WHERE relname IN ('order', 'customer', 'order_line') AND reltuples > 10")).toBe(3);
  // Not one statement per row.
  expect(data.statements.length).toBeLessThan(instances.length / 5);

  await Promise.all([data.service.start(), data.service.start()]);
  expect(await count('sales."order"')).toBe(expected('sales_Order'));
});

test('loaded instances are read like all others', async () => {
  const response = await data.send('admin', 'GET', '/entities/sales_Order?limit=1&sort=number&fetchPlan=_local');
  expect(response.json()[0]).toMatchObject({ number: 'A-00001', version: 1, createdBy: 'system' });
});
