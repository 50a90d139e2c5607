import { defineApplication, entityListener } from '@lintel/application';
import {
  compositionOfMany,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  long,
  string,
  toMany,
  toOne,
  toOneInverse,
  uuid,
} from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';
import { type DataFixture, startData, type TestResponse } from '../../data-fixture.ts';

/** References over columns of the key, whole or in part, and references that share a column with each other. */
const application = defineApplication({
  id: 's',
  name: 'Shared columns',
  entities: [
    keyedEntity('s_Customer', { key: 'id', generation: 'identity', attributes: { id: long(), name: string(20) } }),
    keyedEntity('s_Order', {
      key: 'id',
      generation: 'identity',
      attributes: {
        id: long(),
        customer: toOne('s_Customer'),
        lines: compositionOfMany('s_Line', 'order'),
      },
    }),
    keyedEntity('s_Product', { key: 'code', attributes: { code: string(10), lines: toMany('s_Line', 'product') } }),
    embeddable('s_LineKey', { attributes: { orderId: long().mandatory(), position: integer().mandatory() } }),
    keyedEntity('s_Line', {
      key: 'id',
      attributes: {
        id: embedded('s_LineKey').columnPrefix(''),
        order: toOne('s_Order').mandatory().column('order_id'),
        product: toOne('s_Product'),
        quantity: integer().default(1),
        notes: compositionOfMany('s_Note', 'line'),
      },
      instanceName: ['quantity'],
    }),
    keyedEntity('s_Note', {
      key: 'id',
      generation: 'uuid',
      attributes: { id: uuid(), line: toOne('s_Line'), text: string(20) },
    }),
    keyedEntity('s_Person', {
      key: 'id',
      generation: 'uuid',
      attributes: { id: uuid(), name: string(20), profile: toOneInverse('s_Profile', 'person') },
    }),
    keyedEntity('s_Profile', {
      key: 'personId',
      attributes: {
        personId: uuid(),
        person: toOne('s_Person').unique().mandatory().column('person_id'),
        text: string(20),
      },
    }),
    embeddable('s_DeskKey', { attributes: { tenant: integer().mandatory(), number: integer().mandatory() } }),
    keyedEntity('s_Desk', { key: 'id', attributes: { id: embedded('s_DeskKey'), name: string(20) } }),
    keyedEntity('s_Category', {
      key: 'id',
      attributes: {
        id: embedded('s_DeskKey'),
        name: string(20),
        parent: toOne('s_Category').column('id_tenant', 'parent_number').onTargetDelete('UNLINK'),
        children: toMany('s_Category', 'parent'),
      },
    }),
    keyedEntity('s_Move', {
      key: 'id',
      attributes: {
        id: integer(),
        tenant: integer(),
        from: toOne('s_Desk').column('tenant', 'from_number'),
        to: toOne('s_Desk').column('tenant', 'to_number').onTargetDelete('UNLINK'),
        owner: toOne('s_Customer').column('owner_id'),
        ownerId: long(),
      },
    }),
  ],
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('*', 'read', 'create', 'update'),
        viewAttributes('*', '*'),
        modifyAttributes('s_Line', 'id', 'quantity'),
        modifyAttributes('s_Move', 'tenant', 'to'),
      ],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('no-bea', { name: 'No Bea', policies: [queryPolicy('s_Customer', "{E}.name <> 'Bea'")] }),
  ],
  listeners: [
    entityListener({
      entity: 's_Move',
      async beforeSave({ after }) {
        const isHandedOver = after?.['ownerId'] === '2' && after['tenant'] === 77;
        return isHandedOver ? { ...after, owner: { id: 1 } } : undefined;
      },
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, {
    ada: { resourceRoles: ['system-full-access'] },
    modest: { resourceRoles: ['system-full-access'], rowLevelRoles: ['no-bea'] },
    clerk: { resourceRoles: ['clerk'] },
  });
  await post('Customer', { name: 'Ann' });
  await post('Customer', { name: 'Bea' });
  await post('Order', { customer: { id: 1 } });
  await post('Order', { customer: { id: 2 } });
  for (const code of ['nail', 'rope']) await post('Product', { id: code });
  for (const [tenant, number] of [
    [1, 1],
    [1, 2],
    [2, 1],
  ])
    await post('Desk', { id: { tenant, number }, name: `${tenant}-${number}` });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown, user = 'ada'): Promise<TestResponse> =>
  data.send(user, method, path, body, { 'content-type': 'application/json' });

async function post(entity: string, values: object) {
  const { status, text, json } = await send('POST', `/entities/s_${entity}`, values);
  expect([status, text]).toEqual([201, expect.stringContaining('"id"')]);
  return json();
}

async function put(entity: string, id: unknown, values: object) {
  const { status, text, json } = await send('PUT', `/entities/s_${entity}/${inPath(id)}`, values);
  expect([status, text]).toEqual([200, expect.stringContaining('"id"')]);
  return json();
}

const inPath = (id: unknown): string =>
  typeof id === 'object' ? Buffer.from(JSON.stringify(id)).toString('base64url') : String(id);

const refused = async (method: string, path: string, body: unknown) => {
  const { status, json } = await send(method, path, body);
  return [status, json()];
};

const disagreement = (path: string, other: string) => [
  400,
  [
    {
      message: `Must agree with ${other}: the database stores both in one column`,
      messageTemplate: '{lintel.validation.SharedColumn.message}',
      path,
      invalidValue: expect.anything(),
    },
  ],
];

const plan = (entity: string, ...properties: readonly (string | object)[]): string =>
  `fetchPlan=${encodeURIComponent(JSON.stringify({ entity: `s_${entity}`, properties }))}`;
const expand = (name: string, ...properties: readonly (string | object)[]) => ({ name, fetchPlan: { properties } });
const list = async (entity: string, query: string) => {
  const { status, text, json } = await send('GET', `/entities/s_${entity}${query}`);
  expect([status, text]).toEqual([200, expect.stringMatching(/^\[/)]);
  return json();
};

describe('a reference over columns of the key', () => {
  test.each([
    ['through the id', { id: { orderId: 1, position: 1 } }, { orderId: 1, position: 1 }],
    ['through the reference and the id', { order: { id: 1 }, id: { position: 2 } }, { orderId: 1, position: 2 }],
    ['through the reference and a member', { order: { id: 1 }, position: 3 }, { orderId: 1, position: 3 }],
    ['through all of them', { order: { id: 1 }, id: { orderId: 1, position: 4 } }, { orderId: 1, position: 4 }],
  ])('is set %s', async (_how, values, id) => {
    expect(await post('Line', { ...values, product: { id: 'nail' } })).toMatchObject({ id });
    const rows = 'SELECT order_id::int AS "orderId", position, product_code FROM s.line WHERE position = $1';
    expect(await data.query(rows.replace('$1', String(id.position)))).toEqual([{ ...id, product_code: 'nail' }]);
  });

  test('is read, filtered and sorted like any other, and so is its inverse', async () => {
    await post('Line', { id: { orderId: 2, position: 9 }, quantity: 5 });
    const filter = encodeURIComponent(
      JSON.stringify({ conditions: [{ property: 'order.customer.name', operator: '=', value: 'Bea' }] }),
    );
    const lines = plan('Line', 'quantity', expand('order', expand('customer', 'name')));
    expect(await list('Line/search', `?${lines}&filter=${filter}&sort=-order.customer.name`)).toMatchObject([
      { id: { orderId: 2, position: 9 }, order: { id: 2, customer: { name: 'Bea' } }, quantity: 5 },
    ]);
    expect(await list('Order', `?${plan('Order', expand('lines', 'quantity'))}&sort=-id&limit=1`)).toMatchObject([
      { id: 2, lines: [{ id: { orderId: 2, position: 9 } }] },
    ]);
  });

  test.each([
    ['POST', '', { id: { orderId: 1, position: 5 }, order: { id: 2 } }],
    ['PUT', `/${inPath({ orderId: 2, position: 9 })}`, { order: { id: 1 } }],
  ])('that disagrees with the key is refused: %s', async (method, path, values) => {
    expect(await refused(method, `/entities/s_Line${path}`, values)).toEqual(disagreement('order', 'id.orderId'));
  });

  test('may be sent with an update if it is the same', async () => {
    const id = { orderId: 2, position: 9 };
    expect(await put('Line', id, { id, order: { id: 2 }, quantity: 6 })).toMatchObject({ id });
    expect(await data.query('SELECT quantity FROM s.line WHERE order_id = 2')).toEqual([{ quantity: 6 }]);
  });

  test('cannot be set to null', async () => {
    const line = `/entities/s_Line/${inPath({ orderId: 2, position: 9 })}`;
    expect(await refused('PUT', line, { order: null })).toEqual([400, [expect.objectContaining({ path: 'order' })]]);
  });

  test('must lead to an instance that exists, however it is set', async () => {
    const [status, body] = await refused('POST', '/entities/s_Line', { id: { orderId: 99, position: 1 } });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ details: `Referenced entity for property 'order' is missing` }),
    ]);
  });

  test('leaves parts of the key that are missing to the rules', async () => {
    const [status, items] = await refused('POST', '/entities/s_Line', { order: { id: 1 } });
    expect([status, items]).toEqual([400, [expect.objectContaining({ path: 'id.position' })]]);
  });
});

describe('children whose key has that of their parent', () => {
  test('get it from a new and from a stored parent, and are matched by it', async () => {
    const { id } = await post('Order', {
      lines: [
        { position: 1, quantity: 2, notes: [{ text: 'fragile' }] },
        { id: { position: 2 }, quantity: 3 },
      ],
    });
    const lines = `${plan('Order', expand('lines', 'quantity', expand('notes', 'text')))}`;
    expect((await send('GET', `/entities/s_Order/${id}?${lines}`)).json().lines).toMatchObject([
      { id: { orderId: id, position: 1 }, quantity: 2, notes: [{ text: 'fragile' }] },
      { id: { orderId: id, position: 2 }, quantity: 3 },
    ]);
    await put('Order', id, {
      lines: [
        { position: 2, quantity: 30, order: { id } },
        { id: { orderId: id, position: 3 }, quantity: 4 },
      ],
    });
    const rows = `SELECT position, quantity FROM s.line WHERE order_id = ${id} ORDER BY position`;
    expect(await data.query(rows)).toEqual([
      { position: 2, quantity: 30 },
      { position: 3, quantity: 4 },
    ]);
  });

  test('cannot have the key of another parent, or one key twice', async () => {
    const other = { lines: [{ id: { orderId: 1, position: 8 } }] };
    expect(await refused('PUT', '/entities/s_Order/2', other)).toEqual(
      disagreement('lines[0].order', 'id.orderId').map((part) =>
        Array.isArray(part) ? part.map((item) => ({ ...item, invalidValue: null })) : part,
      ),
    );
    const [status, body] = await refused('PUT', '/entities/s_Order/2', { lines: [{ position: 1 }, { position: 1 }] });
    expect([status, body.details]).toEqual([400, `Attribute 'lines[1]' has the id of another member`]);
  });
});

test('a tree has a part of its key in common', async () => {
  const rows = () => data.query('SELECT id_tenant AS t, id_number AS n, parent_number AS p FROM s.category ORDER BY 2');
  const root = { tenant: 1, number: 1 };
  const batch = [
    { id: { number: 2 }, parent: { id: root } },
    { id: root, name: 'root' },
    { id: { tenant: 1, number: 3 }, parent: { id: { tenant: 1, number: 2 } } },
  ];
  expect((await send('POST', '/entities/s_Category', batch)).status).toBe(201);
  expect(await rows()).toEqual([
    { t: 1, n: 1, p: null },
    { t: 1, n: 2, p: 1 },
    { t: 1, n: 3, p: 2 },
  ]);
  const other = { id: { tenant: 2, number: 9 }, parent: { id: root } };
  expect(await refused('POST', '/entities/s_Category', other)).toEqual(disagreement('parent', 'id.tenant'));
  const children = plan('Category', expand('children', expand('parent', 'name')));
  expect(await list('Category', `?${children}&sort=id&limit=1`)).toMatchObject([
    { id: root, children: [{ id: { tenant: 1, number: 2 }, parent: { id: root } }] },
  ]);
  await put('Category', root, { children: [{ id: { tenant: 1, number: 3 } }] });
  expect((await send('DELETE', `/entities/s_Category/${inPath(root)}`)).status).toBe(204);
  expect(await rows()).toEqual([
    { t: 1, n: 2, p: null },
    { t: 1, n: 3, p: null },
  ]);
});

describe('a reference that is the key', () => {
  test('gives the instance its id, and is the other end of a 1:1 association', async () => {
    const { id } = await post('Person', { name: 'Cid' });
    expect(await post('Profile', { person: { id }, text: 'x' })).toMatchObject({ id });
    const people = await list('Person', `?${plan('Person', 'name', expand('profile', 'text'))}`);
    expect(people).toMatchObject([{ id, profile: { id, text: 'x' } }]);
  });
});

describe('references that share a column', () => {
  const rows = (id: number) =>
    data.query(
      `SELECT tenant, from_number AS "from", to_number AS "to", owner_id::int AS owner FROM s.move WHERE id = ${id}`,
    );
  const desk = (tenant: number, number: number) => ({ id: { tenant, number } });

  test('set it together, and a null in another column is no reference', async () => {
    await post('Move', { id: 1, from: desk(1, 1), to: desk(1, 2) });
    expect(await rows(1)).toEqual([{ tenant: 1, from: 1, to: 2, owner: null }]);
    await put('Move', 1, { from: null });
    expect(await rows(1)).toEqual([{ tenant: 1, from: null, to: 2, owner: null }]);
    const [move] = await list('Move', `?${plan('Move', 'tenant', expand('from', 'name'), expand('to', 'name'))}`);
    expect(move).toMatchObject({ tenant: 1, to: { name: '1-2' } });
    expect(move).not.toHaveProperty('from');
    await put('Move', 1, { to: desk(2, 1) });
    expect(await rows(1)).toEqual([{ tenant: 2, from: null, to: 1, owner: null }]);
    await put('Move', 1, { to: null, tenant: null });
    expect(await rows(1)).toEqual([{ tenant: null, from: null, to: null, owner: null }]);
  });

  test.each([
    ['two references', { from: desk(1, 1), to: desk(2, 1) }, 'from', 'to'],
    ['a reference and the attribute', { from: desk(1, 1), tenant: 2 }, 'from', 'tenant'],
    ['a reference and the attribute, which is null', { from: desk(1, 1), tenant: null }, 'from', 'tenant'],
  ])('with two values are refused: %s', async (_what, values, path, other) => {
    expect(await refused('POST', '/entities/s_Move', { id: 5, ...values })).toEqual(disagreement(path, other));
  });

  test('must agree with stored ones', async () => {
    await post('Move', { id: 6, from: desk(1, 1), to: desk(1, 2) });
    expect(await refused('PUT', '/entities/s_Move/6', { tenant: 2 })).toEqual([
      400,
      [expect.objectContaining({ path: 'tenant' }), expect.objectContaining({ path: 'tenant' })],
    ]);
    expect(await refused('PUT', '/entities/s_Move/6', { to: desk(2, 1) })).toEqual(disagreement('to', 'from'));
    await put('Move', 6, { from: desk(2, 1), to: desk(2, 1) });
    expect(await rows(6)).toEqual([{ tenant: 2, from: 1, to: 1, owner: null }]);
  });

  test('a reference without a column of its own follows from the attribute, and the attribute from it', async () => {
    const { id } = await post('Move', { id: 7, ownerId: 1 });
    const owner = async () =>
      (await send('GET', `/entities/s_Move/${id}?${plan('Move', 'ownerId', expand('owner', 'name'))}`)).json();
    expect(await owner()).toMatchObject({ ownerId: 1, owner: { id: 1, name: 'Ann' } });
    await put('Move', id, { owner: { id: 2 } });
    expect(await owner()).toMatchObject({ ownerId: 2, owner: { id: 2, name: 'Bea' } });
    await put('Move', id, { ownerId: 1 });
    expect(await owner()).toMatchObject({ ownerId: 1, owner: { id: 1, name: 'Ann' } });
    // A listener sets the owner.
    await put('Move', id, { ownerId: 2, tenant: 77 });
    expect(await owner()).toMatchObject({ ownerId: 1, owner: { id: 1, name: 'Ann' } });
    await put('Move', id, { owner: null, tenant: null });
    expect(await owner()).not.toHaveProperty('owner');
    expect(await rows(id)).toEqual([{ tenant: null, from: null, to: null, owner: null }]);
  });

  test('a deleted target leaves the shared column, and clears the others', async () => {
    await post('Desk', { id: { tenant: 3, number: 1 } });
    await post('Move', { id: 8, to: desk(3, 1) });
    expect((await send('DELETE', `/entities/s_Desk/${inPath({ tenant: 3, number: 1 })}`)).status).toBe(204);
    expect(await rows(8)).toEqual([{ tenant: 3, from: null, to: null, owner: null }]);
  });

  test('a reference to a hidden instance stays, with any value for its column', async () => {
    await post('Move', { id: 9, ownerId: 2 });
    expect((await send('PUT', '/entities/s_Move/9', { ownerId: 1 }, 'modest')).status).toBe(200);
    expect((await send('PUT', '/entities/s_Move/9', { owner: { id: 1 } }, 'modest')).status).toBe(200);
    expect(await rows(9)).toEqual([{ tenant: null, from: null, to: null, owner: 2 }]);
  });

  test('values that the caller may not set do not count', async () => {
    await post('Move', { id: 10, from: desk(1, 1) });
    expect((await send('PUT', '/entities/s_Move/10', { from: desk(2, 1), tenant: 1 }, 'clerk')).status).toBe(200);
    expect((await send('PUT', '/entities/s_Move/10', { to: desk(2, 1) }, 'clerk')).status).toBe(400);
    expect(await rows(10)).toEqual([{ tenant: 1, from: 1, to: null, owner: null }]);
    const line = { id: { orderId: 1, position: 50 }, order: { id: 2 } };
    expect((await send('POST', '/entities/s_Line', line, 'clerk')).status).toBe(201);
  });
});
