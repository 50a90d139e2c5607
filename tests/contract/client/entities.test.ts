import {
  ConflictError,
  createClient,
  ForbiddenError,
  NotFoundError,
  patchMatching,
  removeMatching,
  tagOf,
  ValidationError,
} from '@lintel/client';
import { baseUrl, demo, tokenOf, unique } from '../api.ts';

/** The numbers of the example that a double would change; `lintel client` writes this table. */
const numbers = {
  sales_Order: { amount: true, discount: true },
  sales_OrderLine: { quantity: true, price: true },
  sales_Product: { price: true, barcode: true },
} as const;

const client = createClient({ baseUrl, token: () => tokenOf('admin') }, { numbers });

const lineOf = (product: number, quantity: unknown) => ({
  product: { id: demo.product(product) },
  quantity,
  price: '10.50',
});

test('a graph is created, changed under the tag of its last version, and removed', async () => {
  const order = await client.create(
    'sales_Order',
    {
      number: unique('JS'),
      date: '2026-02-03',
      customer: { id: demo.customer(1) },
      lines: [
        { ...lineOf(1, 2), position: 1 },
        { ...lineOf(2, '1.250'), position: 2 },
      ],
    },
    { fetchPlan: { amount: true, version: true, lines: { quantity: true, product: { name: true } } } },
  );
  expect(order.amount).toMatch(/^\d+\.\d\d$/);
  expect(order.lines.map((line: { quantity: unknown }) => line.quantity)).toEqual(['2.000', '1.250']);
  expect(order.lines[0].product.name).toEqual(expect.any(String));

  const read = await client.load('sales_Order', order.id, { fetchPlan: '_local' });
  expect(tagOf(read ?? {})).toMatch(/^"/);
  const options = { fetchPlan: '_local', ...(read !== undefined && { ifMatch: read }) };
  const changed = await client.update('sales_Order', order.id, { notes: 'Ring twice' }, options);
  expect(changed.notes).toBe('Ring twice');
  const late = await client
    .update('sales_Order', order.id, { notes: 'Ring' }, options)
    .catch((error: unknown) => error);
  expect(late).toBeInstanceOf(ConflictError);
  expect(late).toMatchObject({ status: 412, code: 'REQ_PRECONDITION_FAILED', traceId: expect.any(String) });

  const patched = await client.patch(
    'sales_Order',
    order.id,
    {
      lines: order.lines.map(({ id }: { id: string }, index: number) => ({ id, ...(index === 0 && { position: 9 }) })),
    },
    { fetchPlan: { lines: { position: true, quantity: true } }, ifMatch: changed },
  );
  expect(patched.lines).toMatchObject([
    { position: 9, quantity: '2.000' },
    { position: 2, quantity: '1.250' },
  ]);
  const operations = [
    { op: 'test', path: '/notes', value: 'Ring twice' },
    { op: 'replace', path: `/lines/${order.lines[0].id}/quantity`, value: '5' },
    { op: 'remove', path: `/lines/${order.lines[1].id}` },
  ] as const;
  const plan = { lines: { quantity: true }, version: true } as const;
  const single = await client.patch('sales_Order', order.id, operations, { fetchPlan: plan });
  expect(single.lines).toMatchObject([{ quantity: '5.000' }]);
  const failed = client.patch('sales_Order', order.id, [{ op: 'test', path: '/notes', value: 'Knock' }]);
  await expect(failed).rejects.toBeInstanceOf(ConflictError);
  await client.remove('sales_Order', order.id, { ifMatch: single });
  expect(await client.load('sales_Order', order.id)).toBeUndefined();
});

test('64-bit integers keep all digits in both directions', async () => {
  const barcode = 9007199254740993n;
  const product = { sku: unique('JS'), name: unique('Exact'), price: '10.50', barcode, available: true };
  const created = await client.create('sales_Product', product, { fetchPlan: { barcode: true, price: true } });
  expect(created).toMatchObject({ barcode: '9007199254740993', price: '10.50' });
  const found = await client.list('sales_Product', { filter: (each, { eq }) => eq(each.barcode, barcode) });
  expect(found.map(({ id }) => id)).toContain(created.id);
  await client.remove('sales_Product', created.id);
});

test('all pages of a list follow one another, with the number of all', async () => {
  const tags = await client.createMany(
    'sales_ProductTag',
    Array.from({ length: 5 }, (_, index) => ({ name: unique(`page${index}`) })),
    { fetchPlan: { name: true } },
  );
  const ids = tags.map(({ id }) => id);
  const filter = { conditions: [{ property: 'id', operator: 'in', value: ids }] };
  const read: unknown[] = [];
  for await (const tag of client.all('sales_ProductTag', { filter, sort: 'name', pageSize: 2 })) read.push(tag['id']);
  expect(read).toEqual(ids);
  const page = await client.page('sales_ProductTag', { filter, limit: 2, count: 'exact' });
  expect([page.items.length, page.total, typeof page.cursor]).toEqual([2, 5, 'string']);
  expect(await client.count('sales_ProductTag', filter)).toBe(5);
  expect(await client.count('sales_ProductTag', { filter }, { timeoutMs: 60_000 })).toBe(5);
  const misspelt: object = { filters: filter };
  await expect(client.count('sales_ProductTag', misspelt)).rejects.toThrow('count has no option filters');
  const noOptions: object = filter;
  await expect(client.list('sales_ProductTag', noOptions)).rejects.toThrow('Write { filter: … }');
  await client.updateMany('sales_ProductTag', [{ id: ids[0], name: unique('changed') }]);
  await client.removeMany('sales_ProductTag', ids);
  const name = unique('upserted');
  const statuses = async (options: object) => {
    const key = { key: 'name', ...options };
    const all = await client.upsertMany('sales_ProductTag', [{ name }, { name: `${name}2` }], key);
    return [(await client.upsert('sales_ProductTag', { name }, key))._status, ...all.map(({ _status }) => _status)];
  };
  expect(await statuses({})).toEqual(['unchanged', 'created', 'created']);
  expect(await statuses({ key: ['name'], ignoreDuplicates: true })).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect(await client.count('sales_ProductTag', filter)).toBe(0);
});

test('filters of typed paths, sorts of them, and inline plans find what their JSON would', async () => {
  const found = await client.list('sales_Order', {
    filter: (order, { and, or, gt, oneOf, startsWith }) =>
      and(
        oneOf(order.status, ['SHIPPED', 'CLOSED']),
        or(gt(order.amount, 10), startsWith(order.customer.name, 'du')),
        false,
      ),
    sort: (order, desc) => [desc(order.date), order.number],
    fetchPlan: { $extends: 'order-list', lines: { product: '_instance_name' } },
    limit: 3,
  });
  const same = await client.list('sales_Order', {
    filter: {
      conditions: [
        { property: 'status', operator: 'in', value: ['SHIPPED', 'CLOSED'] },
        {
          group: 'OR',
          conditions: [
            { property: 'amount', operator: '>', value: 10 },
            { property: 'customer.name', operator: 'startsWith', value: 'du' },
          ],
        },
      ],
    },
    sort: '-date,number',
    limit: 3,
  });
  expect(found.map(({ id }) => id)).toEqual(same.map(({ id }) => id));
  expect(found[0]?.lines[0].product).toMatchObject({ _entityName: 'sales_Product', name: expect.any(String) });
});

test('a write with one key is executed once', async () => {
  const values = { name: unique('once') };
  const idempotencyKey = unique('key');
  const first = await client.create('sales_ProductTag', values, { idempotencyKey });
  const second = await client.create('sales_ProductTag', values, { idempotencyKey });
  expect(second['id']).toBe(first['id']);
  await client.remove('sales_ProductTag', first['id']);
});

test('errors are of the classes that applications handle, with codes', async () => {
  const refused = await client.create('sales_ProductTag', {}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ValidationError);
  expect(refused).toMatchObject({
    status: 400,
    code: 'DATA_VALIDATION_FAILED',
    items: [{ path: 'name', message: 'may not be null' }],
    message: expect.stringContaining('name may not be null'),
  });
  const unknown = await client.list('sales_Nothing').catch((error: unknown) => error);
  expect(unknown).toBeInstanceOf(NotFoundError);
  expect(unknown).toMatchObject({ code: 'MODEL_ENTITY_NOT_FOUND', details: 'Entity sales_Nothing not found' });
  const clerk = createClient({ baseUrl, token: () => tokenOf('clerk') });
  await expect(clerk.list('sec_User')).rejects.toBeInstanceOf(ForbiddenError);
  const ended = AbortSignal.abort(new Error('left'));
  await expect(client.list('sales_Order', { signal: ended })).rejects.toThrow('left');
});

test('queries, services, metadata, messages and the user are a call each', async () => {
  const rows = await client.query('sales_Order', 'ordersByStatus', { status: 'NEW' }, { limit: 2 });
  expect(rows.map(({ status }: { status: string }) => status)).toEqual(['NEW', 'NEW']);
  expect(await client.queryCount('sales_Order', 'ordersByStatus', { status: 'NEW' })).toBeGreaterThan(1);
  expect(await client.call('sales_OrderService', 'calculateTotal', { orderId: demo.order(1) })).toMatch(/^\d+\.\d\d$/);
  const entity = await client.metadata.entity('sales_Order');
  expect(entity.properties.find(({ name }) => name === 'status')?.type).toBe('sales.OrderStatus');
  expect((await client.metadata.enum('sales.OrderStatus')).values[0]?.name).toBe('NEW');
  const german = createClient({ baseUrl, token: () => tokenOf('admin'), locale: 'de' });
  expect(await german.messages.entities('sales_Order')).not.toEqual(await client.messages.entities('sales_Order'));
  expect(await client.user.info()).toMatchObject({ username: 'admin' });
  const { entities } = await client.user.permissions();
  expect(entities).toContainEqual({ target: 'sales_Order:update', value: 1 });
});

// Asserts contract/writing.md#bulk.
test('all instances of a filter are patched or removed, up to a number', async () => {
  const prefix = unique('match');
  const names = ['a', 'b', 'c'].map((end) => ({ name: `${prefix}${end}` }));
  await client.createMany('sales_ProductTag', names);
  const filter = { conditions: [{ property: 'name', operator: 'startsWith', value: prefix }] } as const;
  const change = { name: `${prefix}d` };
  const one = {
    filter: { conditions: [{ property: 'name', operator: '=', value: `${prefix}a` }] } as const,
    maxAffected: 1,
  };
  expect(await patchMatching(client, 'sales_ProductTag', change, one)).toBe(1);
  await expect(removeMatching(client, 'sales_ProductTag', { filter, maxAffected: 2 })).rejects.toThrow(ConflictError);
  expect(await removeMatching(client, 'sales_ProductTag', { filter, maxAffected: 3 })).toBe(3);
});
