import sales from '@lintel/example-sales';
import { entityPolicy, modifyAttributes, resourceRole } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

// Needs a database: createTestDatabase.

let data: DataFixture;
beforeAll(async () => {
  const writer = resourceRole('writer', {
    name: 'Writes what it may not view all of',
    policies: [
      { kind: 'specific', name: 'rest.enabled' },
      entityPolicy('sales_Customer', 'all'),
      modifyAttributes('sales_Customer', 'email'),
    ],
  });
  const application = { ...sales, resourceRoles: new Map([...sales.resourceRoles, [writer.code, writer]]) };
  data = await startData(application, {
    admin: { resourceRoles: ['system-full-access'] },
    writer: { resourceRoles: ['writer'] },
  });
}, 60_000);
afterAll(() => data?.close());

const selects = () => data.statements.filter((text) => text.startsWith('SELECT'));
const create = async (user: string, entity: string, body: unknown) => {
  data.statements.length = 0;
  const answer = await data.send(user, 'POST', `/entities/${entity}`, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer;
};
const IDENTITY = encodeURIComponent('{"entity":"sales_Customer","properties":[]}');
const stored = (id: string) => data.send('admin', 'GET', `/entities/sales_Customer/${id}?fetchPlan=${IDENTITY}`);

test.each([
  ['plain', 'Amsel'],
  ['quoted', 'A "B" \\ C'],
  ['with control characters', 'a\tb\nc\u0001d\u007f'],
  ['beyond the basic plane', 'Ünïcode 😀 \u2028'],
])('a name of texts is answered without being read: %s', async (_, name) => {
  const answer = await create('admin', 'sales_Customer', { name });
  expect(selects()).toEqual([]);
  const again = await stored(answer.json().id);
  expect(answer.text).toBe(again.text);
  expect(answer.headers.get('etag')).toBe(again.headers.get('etag'));
});

test('an update answers the name and the version that are stored now', async () => {
  const { id } = (await create('admin', 'sales_Customer', { name: 'before' })).json();
  data.statements.length = 0;
  const answer = await data.send('admin', 'PUT', `/entities/sales_Customer/${id}`, { name: 'after' });
  expect(selects()).toHaveLength(1);
  const again = await stored(id);
  expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([
    200,
    again.text,
    again.headers.get('etag'),
  ]);
  expect(answer.json()).toMatchObject({ _instanceName: 'after' });
});

test('a name that the caller may not view is not told to who changes something else', async () => {
  const { id } = (await create('admin', 'sales_Customer', { name: 'secret' })).json();
  const answer = await data.send('writer', 'PUT', `/entities/sales_Customer/${id}`, { email: 'a@b.example' });
  expect(answer.json()).toEqual({ _entityName: 'sales_Customer', _instanceName: '', id });
});

test('a name that is made of a reference is read', async () => {
  const product = await create('admin', 'sales_Product', { name: 'Teapot', sku: 'T-1', price: '10.00' });
  const customer = await create('admin', 'sales_Customer', { name: 'Amsel' });
  const line = { product: { id: product.json().id }, quantity: '1', price: '1.00', position: 1 };
  const order = await create('admin', 'sales_Order', {
    number: 'K-1',
    date: '2026-11-21',
    customer: { id: customer.json().id },
  });
  const answer = await create('admin', 'sales_OrderLine', { ...line, order: { id: order.json().id } });
  expect(answer.json()).toMatchObject({ _instanceName: 'Teapot' });
  expect(selects()).not.toEqual([]);
});
