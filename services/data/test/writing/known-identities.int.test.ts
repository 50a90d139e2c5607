import sales from '@lintel/example-sales';
import { entityPolicy, modifyAttributes, resourceRole } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

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
});
afterAll(() => data?.close());

const selects = () => data.statements.filter((text) => /^SELECT (?!(FROM )?set_config)/.test(text));
const create = async (user: string, entity: string, body: unknown) => {
  data.statements.length = 0;
  const response = await data.send(user, 'POST', `/entities/${entity}`, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response;
};
const IDENTITY = encodeURIComponent('{"entity":"sales_Customer","properties":[]}');
const stored = (id: string) => data.send('admin', 'GET', `/entities/sales_Customer/${id}?fetchPlan=${IDENTITY}`);

test.each([
  ['plain', 'Amsel'],
  ['quoted', 'A "B" \\ C'],
  ['with control characters', 'a\tb\nc\u0001d\u007f'],
  ['beyond the basic plane', 'Ünïcode 😀 \u2028'],
])('an instance name of texts is returned without reading it: %s', async (_, name) => {
  const response = await create('admin', 'sales_Customer', { name });
  expect(selects()).toEqual([]);
  const again = await stored(response.json().id);
  expect(response.text).toBe(again.text);
  expect(response.headers.get('etag')).toBe(again.headers.get('etag'));
});

test('an update returns the stored name and version', async () => {
  const { id } = (await create('admin', 'sales_Customer', { name: 'before' })).json();
  data.statements.length = 0;
  const response = await data.send('admin', 'PUT', `/entities/sales_Customer/${id}`, { name: 'after' });
  expect(selects()).toHaveLength(1);
  const again = await stored(id);
  expect([response.status, response.text, response.headers.get('etag')]).toEqual([
    200,
    again.text,
    again.headers.get('etag'),
  ]);
  expect(response.json()).toMatchObject({ _instanceName: 'after' });
});

test('an update of other attributes does not return an instance name that the caller may not view', async () => {
  const { id } = (await create('admin', 'sales_Customer', { name: 'secret' })).json();
  const response = await data.send('writer', 'PUT', `/entities/sales_Customer/${id}`, { email: 'a@b.example' });
  expect(response.json()).toEqual({ _entityName: 'sales_Customer', _instanceName: '', id });
});

test('an instance name with a reference is read', async () => {
  const product = await create('admin', 'sales_Product', { name: 'Teapot', sku: 'T-1', price: '10.00' });
  const customer = await create('admin', 'sales_Customer', { name: 'Amsel' });
  const line = { product: { id: product.json().id }, quantity: '1', price: '1.00', position: 1 };
  const order = await create('admin', 'sales_Order', {
    number: 'K-1',
    date: '2026-11-21',
    customer: { id: customer.json().id },
  });
  const response = await create('admin', 'sales_OrderLine', { ...line, order: { id: order.json().id } });
  expect(response.json()).toMatchObject({ _instanceName: 'Teapot' });
  expect(selects()).not.toEqual([]);
});
