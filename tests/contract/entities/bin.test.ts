import { as, unique } from '../api.ts';

const CUSTOMERS = '/entities/sales_Customer';

async function deletedCustomer(name: string): Promise<string> {
  const created = await as('admin', 'POST', CUSTOMERS, { body: { name } });
  const { id } = created.json();
  expect((await as('admin', 'DELETE', `${CUSTOMERS}/${id}`)).status).toBe(204);
  return id;
}

// Asserts contract/bin.md#reading, contract/bin.md#restore.
test('a deleted customer is in the bin until it is restored', async () => {
  const name = unique('bin');
  const id = await deletedCustomer(name);
  const body = { filter: { conditions: [{ property: 'name', operator: '=', value: name }] }, deleted: 'only' };
  const ids = async (members: object) => {
    const found = await as('admin', 'POST', `${CUSTOMERS}/search`, { body: { ...body, ...members } });
    return found.json().map((customer: { id: string }) => customer.id);
  };
  expect([await ids({}), await ids({ deleted: 'with' }), await ids({ deleted: '' })]).toEqual([[id], [id], []]);
  expect((await as('admin', 'POST', `${CUSTOMERS}/search/count`, { body })).text).toBe('1');
  const restored = await as('admin', 'POST', `${CUSTOMERS}/${id}/restore?responseFetchPlan=_local`);
  expect([restored.status, restored.json().name]).toEqual([200, name]);
  expect([await ids({}), await ids({ deleted: '' })]).toEqual([[], [id]]);
  expect((await as('admin', 'POST', `${CUSTOMERS}/${id}/restore`)).status).toBe(404);
});

// Asserts contract/bin.md#rights, contract/bin.md#purge.
test('a customer is removed for good by callers with the specific policy, from the bin alone', async () => {
  const id = await deletedCustomer(unique('bin'));
  expect((await as('clerk', 'GET', `${CUSTOMERS}?deleted=only`)).status).toBe(403);
  expect((await as('clerk', 'POST', `${CUSTOMERS}/${id}/restore`)).status).toBe(403);
  expect((await as('admin', 'GET', `${CUSTOMERS}?deleted=yes`)).status).toBe(400);
  expect((await as('admin', 'DELETE', `${CUSTOMERS}/${id}?deleted=with`)).status).toBe(400);
  expect((await as('admin', 'DELETE', `${CUSTOMERS}/${id}?deleted=only`)).status).toBe(204);
  expect((await as('admin', 'GET', `${CUSTOMERS}/${id}?deleted=with`)).status).toBe(404);
  const live = (await as('admin', 'POST', CUSTOMERS, { body: { name: unique('live') } })).json().id;
  expect((await as('admin', 'DELETE', `${CUSTOMERS}/${live}?deleted=only`)).status).toBe(404);
});
