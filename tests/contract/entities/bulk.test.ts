import { as, query, unique } from '../api.ts';

const ENTITY = '/entities/sales_Product';
const PATCH = 'application/merge-patch+json';
const named = (name: string) => query({ filter: { conditions: [{ property: 'name', operator: '=', value: name }] } });
const limitedTo = (count: number, ...more: readonly string[]) => ({
  headers: { 'content-type': PATCH, prefer: [`max-affected=${count}`, ...more].join(', ') },
});
const pricesOf = async (name: string): Promise<readonly number[]> =>
  (await as('admin', 'GET', `${ENTITY}/search${named(name)}&sort=sku`))
    .json()
    .map(({ price }: { price: unknown }) => Number(price));

async function createProducts(...prices: readonly string[]): Promise<string> {
  const name = unique('bulk');
  const body = prices.map((price, at) => ({ name, sku: `${name}-${at}`, price }));
  expect((await as('admin', 'POST', ENTITY, { body })).status).toBe(201);
  return name;
}

// Asserts contract/writing.md#bulk.
test('instances of a filter are changed and deleted, or none if there are more than the maximum', async () => {
  const name = await createProducts('1.00', '2.00', '3.00');
  const body = { price: '9.00' };
  for (const method of ['PATCH', 'DELETE']) {
    const sent = method === 'PATCH' ? { body } : {};
    const refused = await as('admin', method, `${ENTITY}${named(name)}`, { ...sent, ...limitedTo(2) });
    expect([refused.status, refused.json().error]).toEqual([409, 'Too many instances affected']);
    expect(refused.json().details).toContain('finds 3 instances');
    for (const prefer of ['return=minimal', 'max-affected=0', 'max-affected=10001'])
      expect(
        (await as('admin', method, `${ENTITY}${named(name)}`, { ...sent, headers: { 'content-type': PATCH, prefer } }))
          .status,
      ).toBe(400);
    const rehearsed = await as('admin', method, `${ENTITY}${named(name)}`, { ...sent, ...limitedTo(3, 'tx=rollback') });
    expect(rehearsed.json().changes).toHaveLength(3);
    expect((await as('viewer', method, `${ENTITY}${named(name)}`, { ...sent, ...limitedTo(3) })).status).toBe(403);
  }
  // A filter and an array exclude each other, and one of them is needed.
  expect((await as('admin', 'PATCH', `${ENTITY}${named(name)}`, { body: [body], ...limitedTo(3) })).status).toBe(400);
  expect((await as('admin', 'DELETE', `${ENTITY}${named(name)}`, { body: [], ...limitedTo(3) })).status).toBe(400);
  expect((await as('admin', 'PATCH', ENTITY, { body, ...limitedTo(3) })).status).toBe(400);
  expect((await as('admin', 'DELETE', ENTITY, limitedTo(3))).status).toBe(400);
  expect(await pricesOf(name)).toEqual([1, 2, 3]);
  const patched = await as('admin', 'PATCH', `${ENTITY}${named(name)}`, { body, ...limitedTo(3) });
  expect([patched.status, patched.headers.get('x-total-count'), patched.headers.get('preference-applied')]).toEqual([
    ...[200, '3', 'max-affected=3'],
  ]);
  expect(await pricesOf(name)).toEqual([9, 9, 9]);
  const deleted = await as('admin', 'DELETE', `${ENTITY}${named(name)}`, limitedTo(3));
  expect([deleted.status, deleted.headers.get('x-total-count')]).toEqual([204, '3']);
  expect(await pricesOf(name)).toEqual([]);
});

// Asserts contract/writing.md#bulk-expressions.
test('an expression computes the value of each instance, or refuses all', async () => {
  const name = await createProducts('10.00', '20.00');
  const patch = (body: Readonly<Record<string, unknown>>) =>
    as('admin', 'PATCH', `${ENTITY}${named(name)}`, { body, ...limitedTo(2) });
  const of = (expression: string) => ({ price: { expression } });
  expect((await patch(of('{E}.price * 1.05'))).status).toBe(200);
  expect(await pricesOf(name)).toEqual([10.5, 21]);
  for (const expression of ['{E}.none', '{E}.internalNote', 'sum({E}.price)', '{E}.price -', '{E}.price - 100'])
    expect([expression, (await patch(of(expression))).status]).toEqual([expression, 400]);
  expect(await pricesOf(name)).toEqual([10.5, 21]);
  expect((await as('admin', 'DELETE', `${ENTITY}${named(name)}`, limitedTo(2))).status).toBe(204);
});
