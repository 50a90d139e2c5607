import { readFileSync } from 'node:fs';
import { defineApplication } from '@lintel/application';
import { runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';
import { ENTITIES, ENUMS } from './shop/index.ts';

// The model is the output of `lintel introspect` for `shop.sql` (tools/lintel/test/introspected).

const application = defineApplication({ id: 'shop', name: 'Shop', entities: ENTITIES, enums: ENUMS });

let database: TestDatabase;
let data: Awaited<ReturnType<typeof startDataOn>>;
beforeAll(async () => {
  database = await createTestDatabase('existing');
  await database.query(readFileSync(new URL('./shop.sql', import.meta.url), 'utf8'));
  await runMigrations({ url: database.url, migrations: [] });
  data = await startDataOn(database, application, { ada: { resourceRoles: ['system-full-access'] } });
});
afterAll(async () => {
  await data.close();
  await database.drop();
});

const send = (method: string, path: string, body?: unknown) =>
  data.send('ada', method, path, body, { 'content-type': 'application/json' });

const create = async (entity: string, values: object) => {
  const { status, text, json } = await send('POST', `/entities/shop_${entity}`, values);
  expect([status, text]).toEqual([201, expect.stringContaining('"id"')]);
  return json();
};
const list = async (path: string) => (await send('GET', `/entities/shop_${path}`)).json();
const planOf = (entity: string, ...properties: readonly (string | object)[]): string =>
  encodeURIComponent(JSON.stringify({ entity: `shop_${entity}`, properties }));
const encoded = (conditions: readonly object[]): string => encodeURIComponent(JSON.stringify({ conditions }));

test('rows of existing tables are written, with their types, their enums and their audit columns', async () => {
  await create('Region', { code: 'N', name: 'North' });
  const values = {
    name: 'Ada',
    grade: 'IT_S_C',
    level: 'VALUE_MINUS_3',
    region: { id: 'N' },
    lastLogin: '2026-02-03T04:05:06.007',
  };
  const customer = await create('Customer', values);
  const columns = 'grade, level, active, region_code, created_at::text, "lastLogin"::text AS login';
  expect(await database.query(`SELECT ${columns} FROM customers`)).toEqual([
    {
      grade: `it's C`,
      level: -3,
      active: true,
      region_code: 'N',
      created_at: expect.stringMatching(/^2026-11-21 10:20:30.4/),
      login: '2026-02-03 04:05:06.007',
    },
  ]);
  const names = [
    'name',
    'grade',
    'level',
    'lastLogin',
    'createdDate',
    { name: 'region', fetchPlan: { properties: ['name'] } },
  ];
  expect(await list(`Customer/${customer.id}?fetchPlan=${planOf('Customer', ...names)}`)).toMatchObject({
    ...values,
    createdDate: '2026-11-21T10:20:30.400',
    region: { id: 'N', name: 'North' },
  });
});

test('an enum of PostgreSQL is written, and usable in filters, sort keys and pages', async () => {
  const customer = await create('Customer', { name: 'Eve' });
  const rows = [
    ['1', 'SHIPPED', 'CARD'],
    ['2', 'IN_PROGRESS', 'CASH'],
    ['3', undefined, undefined],
  ];
  for (const [number, status, payment] of rows)
    await create('Order', { number, status, payment, total: 1.5, customer: { id: customer.id } });
  const filter = encoded([{ property: 'status', operator: 'in', value: ['SHIPPED', 'NEW'] }]);
  const plan = planOf('Order', 'number', 'status', 'payment', 'total', 'version');
  const found = await list(`Order/search?filter=${filter}&sort=-status&fetchPlan=${plan}`);
  expect(found).toMatchObject([
    { number: '1', status: 'SHIPPED', payment: 'CARD', total: 1.5, version: 1 },
    { number: '3', status: 'NEW' },
  ]);
  const first = await send('GET', '/entities/shop_Order?sort=status,number&limit=1&fetchPlan=_local&keyset=true');
  expect(first.json()).toMatchObject([{ number: '2' }]);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const path = `${new URL(next, 'http://x').pathname.replace(/^\/rest/, '')}${new URL(next, 'http://x').search}`;
  expect((await send('GET', path)).json()).toMatchObject([{ number: '3' }]);
  const changed = await send('PUT', `/entities/shop_Order/${found[0].id}`, {
    status: 'CALL_BACK',
    placed: '2026-01-01T00:00:00Z',
  });
  expect(changed.status).toBe(200);
  expect(await database.query(`SELECT status, version FROM orders WHERE number = '1'`)).toEqual([
    { status: 'call-back', version: 2 },
  ]);
  const again = await send('POST', '/entities/shop_Order', { number: '1', customer: { id: customer.id } });
  expect(again.status).toBe(409);
});

test('keys, links, children and references of several columns', async () => {
  const customer = await create('Customer', { name: 'Kim' });
  const order = await create('Order', { number: '9', customer: { id: customer.id } });
  const tag = await create('Tag', { label: 'small' });
  const product = await create('Product', { title: 'Nut', tags: [{ id: tag.id }] });
  expect(await database.query('SELECT product_id FROM product_tags')).toEqual([{ product_id: product.id }]);
  const products = { name: 'products', fetchPlan: { properties: ['title'] } };
  expect(await list(`Tag?fetchPlan=${planOf('Tag', 'label', products)}`)).toMatchObject([
    { label: 'small', products: [{ title: 'Nut' }] },
  ]);
  await create('OrderItem', {
    id: { orderId: order.id, lineNo: 7 },
    product: { id: product.id },
    quantity: 2,
    itemNotes: [{ note: 'soon' }],
  });
  expect(await database.query('SELECT item_line, note FROM item_notes')).toEqual([{ item_line: 7, note: 'soon' }]);
  const filter = encoded([{ property: 'orderItem.quantity', operator: '=', value: 2 }]);
  expect(await list(`ItemNote/search?filter=${filter}`)).toMatchObject([{ note: 'soon' }]);
});

test('children whose key begins with that of their parent are written with it', async () => {
  const customer = await create('Customer', { name: 'Liv' });
  const product = await create('Product', { title: 'Bolt' });
  const bolts = { product: { id: product.id }, quantity: 3 };
  const orderItems = [
    { lineNo: 1, ...bolts },
    { id: { lineNo: 2 }, ...bolts },
  ];
  const order = await create('Order', { number: '31', customer: { id: customer.id }, orderItems });
  const changed = await send('PUT', `/entities/shop_Order/${order.id}`, {
    orderItems: [{ lineNo: 2, ...bolts, quantity: 5 }],
  });
  expect(changed.status).toBe(200);
  expect(await database.query(`SELECT line_no, quantity FROM order_items WHERE order_id = ${order.id}`)).toEqual([
    { line_no: 2, quantity: 5 },
  ]);
  const filter = encoded([{ property: 'order.customer.name', operator: '=', value: 'Liv' }]);
  expect(await list(`OrderItem/search?filter=${filter}`)).toMatchObject([{ id: { orderId: order.id, lineNo: 2 } }]);
});

test('a unique foreign key is a 1:1 association, readable from both ends', async () => {
  const customer = await create('Customer', { name: 'Ina' });
  const [first, second] = [
    await create('Order', { number: '21', customer: { id: customer.id } }),
    await create('Order', { number: '22', customer: { id: customer.id } }),
  ];
  const invoice = await create('Invoice', { id: 1, order: { id: first.id } });
  const refused = await send('POST', '/entities/shop_Invoice', { id: 2, order: { id: first.id } });
  expect(refused.status).toBe(409);
  const moved = await send('PUT', `/entities/shop_Order/${second.id}`, { invoice: { id: invoice.id } });
  expect(moved.status).toBe(200);
  const filter = encoded([{ property: 'invoice', operator: 'notEmpty' }]);
  expect(await list(`Order/search?fetchPlan=${planOf('Order', 'invoice')}&filter=${filter}`)).toMatchObject([
    { id: second.id, invoice: { id: invoice.id } },
  ]);
});

test('rows are soft-deleted if the table has a column for it, and referenced rows are kept', async () => {
  const customer = await create('Customer', { name: 'Lea' });
  const bare = await create('Customer', { name: 'Moe' });
  await create('Order', { number: '10', customer: { id: customer.id } });
  const remove = async (id: number) => (await send('DELETE', `/entities/shop_Customer/${id}`)).status;
  expect([await remove(customer.id), await remove(bare.id)]).toEqual([409, 204]);
  const marked = await database.query(`SELECT name FROM customers WHERE deleted_at IS NOT NULL`);
  expect(marked).toEqual([{ name: 'Moe' }]);
  // The name can be used again: it is unique among rows that are not deleted.
  await create('Customer', { name: 'Moe' });
  expect((await send('POST', '/entities/shop_Customer', { name: 'Moe' })).status).toBe(409);
});

const deviceOf = async (id: number) => list(`Device/${id}?fetchPlan=_local`);

test('what the database gives is read, never written, and part of the response to a write', async () => {
  const device = await send('POST', '/entities/shop_Device?responseFetchPlan=_local', {
    id: 1,
    name: 'one',
    address: '10.0.0.1',
    ticket: 77,
    serialNo: 77,
    label: 'mine',
    words: 'mine',
    found: 'mine',
  });
  expect([device.status, device.text]).toEqual([201, device.text]);
  const given = { serialNo: 1, ticket: 1, label: 'ONE!', words: "'one':1", found: '', flags: '00000000', up: 'PT0S' };
  expect(device.json()).toMatchObject(given);
  const renamed = await send('PUT', '/entities/shop_Device/1?responseFetchPlan=_local', { name: 'two', label: 'x' });
  expect(renamed.json()).toMatchObject({ ...given, label: 'TWO!', words: "'two':1" });
  const more = [2, 3].map((id) => ({ id, name: `d${id}`, address: `10.0.0.${id}`, up: 'P1D' }));
  expect((await send('POST', '/entities/shop_Device', more)).status).toBe(201);
  expect(await deviceOf(3)).toMatchObject({ serialNo: 3, ticket: 3, label: 'D3!', up: 'P1D' });
  const filter = encoded([{ property: 'label', operator: '=', value: 'D2!' }]);
  expect(await list(`Device/search?filter=${filter}`)).toMatchObject([{ id: 2 }]);
});

test('domains are compared as their base types, and their rules name the attribute', async () => {
  const filter = encoded([{ property: 'up', operator: '>', value: '23 hours' }]);
  expect(await list(`Device/search?filter=${filter}&sort=id`)).toMatchObject([{ id: 2 }, { id: 3 }]);
  for (const up of ['-1 day', 'soon', null]) {
    const { status, json } = await send('PUT', '/entities/shop_Device/2', { up });
    expect(status).toBe(400);
    expect(json()).toMatchObject([{ path: 'up' }]);
  }
});

test('values that a constraint excludes are a conflict', async () => {
  expect((await send('PUT', '/entities/shop_Device/2', { served: '[2026-01-01,2026-01-03)' })).status).toBe(200);
  const { status, json } = await send('PUT', '/entities/shop_Device/3', { served: '[2026-01-02,2026-01-05)' });
  expect([status, json()]).toEqual([
    409,
    expect.objectContaining({
      details: 'Entity shop_Device: the values of served and those of another instance exclude each other',
    }),
  ]);
});

test('metadata says what clients cannot write', async () => {
  const { json } = await send('GET', '/metadata/entities/shop_Device');
  const properties = json().properties as { name: string }[];
  expect(properties.find(({ name }) => name === 'ticket')).toMatchObject({ type: 'long', readOnly: true });
});

test('arrays of existing tables are read, written and tested by their elements', async () => {
  const values = {
    tags: ['a', 'b'],
    codes: ['12345'],
    readings: [1.5],
    seen: ['2026-02-03T04:05:06.700Z'],
    kinds: ['card', 'cash'],
    hosts: ['10.0.0.1'],
  };
  await create('Device', { id: 10, name: 'ten', address: '10.1.0.10', ...values });
  await create('Device', { id: 11, name: 'eleven', address: '10.1.0.11' });
  const plan = planOf('Device', ...Object.keys(values));
  expect(await list(`Device/10?fetchPlan=${plan}`)).toMatchObject(values);
  expect(await list(`Device/11?fetchPlan=${plan}`)).toMatchObject({ tags: [], kinds: [] });
  const batch = [10, 11].map((id) => ({ id, kinds: ['cash'], hosts: ['::1'], tags: [`t${id}`] }));
  expect((await send('PUT', '/entities/shop_Device', batch)).status).toBe(200);
  const conditions = [
    { property: 'kinds', operator: '=', value: 'cash' },
    { property: 'tags', operator: 'in', value: ['t11'] },
  ];
  expect(await list(`Device/search?filter=${encoded(conditions)}`)).toMatchObject([{ id: 11 }]);
  const refused = await send('PUT', '/entities/shop_Device/10', { kinds: ['cheque'] });
  expect([refused.status, refused.json()]).toEqual([400, [expect.objectContaining({ path: 'kinds' })]]);
  const both = await send(
    'PUT',
    '/entities/shop_Device',
    batch.map((each) => ({ ...each, kinds: ['cheque'] })),
  );
  expect(both.status).toBe(400);
});
