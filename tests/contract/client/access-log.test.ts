import { createClient, ForbiddenError } from '@lintel/client';
import { eventually } from '@lintel/testkit';
import { as, baseUrl, tokenOf, unique } from '../api.ts';

const client = createClient({ baseUrl, token: () => tokenOf('admin') });

// Asserts contract/access-log.md#recorded, contract/access-log.md#list, contract/access-log.md#written.
test('who has read an instance is listed within a second, with the operation, page by page', async () => {
  const { id } = await client.create('sales_Person', { name: unique('read') });
  await client.load('sales_Person', id);
  await client.list('sales_Party', { filter: { conditions: [{ property: 'id', operator: '=', value: id }] } });
  const plan = { entity: 'sales_Party', properties: ['name'] };
  await as('admin', 'GET', `/entities/sales_Party/${id}?fetchPlan=${encodeURIComponent(JSON.stringify(plan))}`);
  const entity = 'sales_Party';
  const about = { entity, id: String(id), user: 'admin' };
  await eventually(async () => {
    const { items } = await client.accessLog().page(about);
    expect(items.map(({ operation }) => operation)).toEqual(['read', 'search', 'read', 'write']);
  });
  const { items, cursor } = await client.accessLog().page({ ...about, limit: 1 });
  expect(items).toEqual([
    {
      ...{ time: expect.stringMatching(/Z$/), user: 'admin', client: expect.any(String), session: expect.any(String) },
      ...{ trace: expect.stringMatching(/^[0-9a-f]{32}$/), operation: 'read', entity, ids: [id], count: 1 },
    },
  ]);
  const rest = [];
  for await (const { operation } of client.accessLog().all({ ...about, cursor, limit: 2 })) rest.push(operation);
  expect(rest).toEqual(['search', 'read', 'write']);
  expect((await client.accessLog().page({ ...about, to: '2020-01-01T00:00:00Z' })).items).toEqual([]);
  const clerk = createClient({ baseUrl, token: () => tokenOf('clerk') });
  await expect(clerk.accessLog().page()).rejects.toBeInstanceOf(ForbiddenError);
});
