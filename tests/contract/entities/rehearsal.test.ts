import { as, baseUrl, tokenOf } from '../api.ts';
import { sendRaw } from '../send-raw.ts';

const headers = { Prefer: 'tx=rollback' };

// Asserts contract/writing.md#rehearsal.
test('a write with the preference tx=rollback changes nothing and returns what it would change', async () => {
  const body = { name: `rehearsed ${crypto.randomUUID()}` };
  const rehearsed = await as('admin', 'POST', '/entities/sales_ProductTag', { body, headers });
  expect([rehearsed.status, rehearsed.headers.get('preference-applied')]).toEqual([201, 'tx=rollback']);
  const { result, changes } = rehearsed.json();
  expect(changes).toEqual([expect.objectContaining({ entity: 'sales_ProductTag', id: result.id, change: 'created' })]);
  expect((await as('admin', 'GET', `/entities/sales_ProductTag/${result.id}`)).status).toBe(404);
  const byParameter = await as('admin', 'POST', '/entities/sales_ProductTag?dryRun=true', { body });
  expect([byParameter.status, byParameter.headers.get('x-ignored')]).toEqual([201, null]);
  expect(byParameter.json().changes).toHaveLength(1);
});

// Asserts contract/writing.md#rehearsal.
test.each([
  ['POST', '/files?name=a.txt'],
  ['POST', '/reports/run/none'],
  ['POST', '/entities/sales_ProductTag/search'],
  ['PUT', '/user/password'],
  ['POST', '/messages'],
])('%s %s cannot be rehearsed and is refused', async (method, path) => {
  const response = await as('admin', method, path, { body: {}, headers });
  expect([response.status, response.text]).toEqual([400, expect.stringContaining('cannot be rehearsed')]);
});

// Asserts contract/writing.md#rehearsal.
test('the gateway leaves the decision to the service, also for a target in absolute form', async () => {
  const { id } = (
    await as('admin', 'POST', '/entities/sales_ProductTag', { body: { name: `kept ${crypto.randomUUID()}` } })
  ).json();
  const path = `/entities/sales_ProductTag/${id}`;
  const authorization = `Bearer ${await tokenOf('admin')}`;
  const deleted = await sendRaw({
    method: 'DELETE',
    target: `${baseUrl}/rest${path}`,
    headers: { ...headers, authorization },
  });
  expect([deleted.status, JSON.parse(deleted.text).changes]).toEqual([
    200,
    [expect.objectContaining({ id, change: 'deleted' })],
  ]);
  expect((await as('admin', 'GET', path)).status).toBe(200);
});
