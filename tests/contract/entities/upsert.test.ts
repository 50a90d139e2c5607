import { as, query, unique } from '../api.ts';

const put = (entity: string, key: string, body: unknown, headers = {}) =>
  as('admin', 'PUT', `/entities/${entity}${query({ key, responseFetchPlan: '_base' })}`, { body, headers });

// Asserts contract/writing.md#upsert.
test('an upsert creates an instance, changes it by its key, and leaves it unchanged', async () => {
  const sku = unique('U');
  const product = (price: number) => put('sales_Product', 'sku', { sku, name: 'Upserted', price });
  const [created, updated, unchanged] = [await product(1), await product(2), await product(2)];
  expect([created.status, updated.status, unchanged.status]).toEqual([201, 200, 200]);
  const statuses = [created, updated, unchanged].map((response) => response.json()._status);
  expect(statuses).toEqual(['created', 'updated', 'unchanged']);
  expect([updated.json().id, unchanged.json().version]).toEqual([created.json().id, 2]);
  expect(created.headers.get('location')).toMatch(new RegExp(`/rest/entities/sales_Product/${created.json().id}$`));
  const wrong = await put('sales_Product', 'name', { name: 'x' });
  expect([wrong.status, wrong.json().details]).toEqual([400, expect.stringContaining("Parameter 'key'")]);
});

// Asserts contract/writing.md#upsert, contract/writing.md#upsert-references.
test('concurrent upserts through the gateway end as one instance, whose references are named by keys', async () => {
  const [name, sku] = [unique('tag'), unique('U')];
  expect((await put('sales_ProductTag', 'name', [{ name }])).status).toBe(201);
  const body = { sku, name: 'Upserted', price: 1, tags: [{ name }] };
  const responses = await Promise.all(Array.from({ length: 20 }, () => put('sales_Product', 'sku', body)));
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(responses.map((response) => response.json().id)).size).toBe(1);
  const preferred = { prefer: 'resolution=ignore-duplicates' };
  const kept = await as('admin', 'POST', '/entities/sales_Product?key=sku', { body, headers: preferred });
  expect([kept.status, kept.headers.get('preference-applied')]).toEqual([200, 'resolution=ignore-duplicates']);
});
