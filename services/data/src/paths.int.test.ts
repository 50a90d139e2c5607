import sales from '@lintel/example-sales';
import { type DataFixture, startData } from '../test/data-fixture.ts';

let data: DataFixture;

beforeAll(async () => {
  data = await startData(
    sales,
    { admin: { resourceRoles: ['system-full-access'] } },
    { 'svc.rest.base-path': '/api/v1', 'svc.rest.entities-path': '/objects' },
  );
  await data.query("INSERT INTO sales.warehouse (code, name) VALUES ('A1', 'x')");
});
afterAll(() => data?.close());

// Asserts contract/conventions.md#endpoints.
test('the base path and the path of the entities are configurable', async () => {
  const get = (path: string) => fetch(`${data.url}${path}`, { headers: { authorization: 'Bearer admin' } });
  expect(await (await get('/api/v1/objects/sales_Warehouse/A1')).json()).toMatchObject({ id: 'A1' });
  expect(await (await get('/api/v1/objects/sales_Warehouse')).json()).toHaveLength(1);
  for (const path of ['/rest/entities/sales_Warehouse', '/api/v1/entities/sales_Warehouse', '/objects/sales_Warehouse'])
    expect((await get(path)).status).toBe(404);
});
