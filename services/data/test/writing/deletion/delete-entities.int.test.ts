import { type DataFixture, NOW, startData } from '../../data-fixture.ts';
import { SEEN, shop } from '../../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);
const remove = (path: string) => send('DELETE', path);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const rows = (table: string, id: string) =>
  data.query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = $1`, [id]);
const changes = async () =>
  (
    await data.query<{ envelope: { data: { entity: string; change: string } } }>(
      "SELECT envelope FROM events.outbox WHERE type = 'data.entity.changed.v1' ORDER BY position",
    )
  ).map(({ envelope }) => `${envelope.data.entity} ${envelope.data.change}`);
const newOrder = async (values: object) =>
  create('t_Order', { customer: { id: await create('t_Customer', { name: 'x' }) }, ...values });

// Asserts contract/decisions.md#47, contract/writing.md#audit, contract/writing.md#delete,
// contract/writing.md#routes, contract/writing.md#soft-deletion, contract/writing.md#update,
// contract/writing.md#validation, contract/writing.md#versions.
test('a soft-deleted row stays in the table, no request finds it, and its unique value can be used again', async () => {
  const id = await newOrder({ number: 'D1', notes: 'x' });
  SEEN.length = 0;
  const response = await remove(`t_Order/${id}`);
  expect([response.status, response.text]).toEqual([204, '']);
  expect(SEEN).toEqual(['beforeDelete', 'afterSave deleted']);
  expect((await rows('t."order"', id))[0]).toMatchObject({ deleted_by: 'admin', version: 2, last_modified_by: null });
  expect(
    (
      await data.query(
        `SELECT to_char(deleted_date, 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS at FROM t."order" WHERE id = $1`,
        [id],
      )
    )[0],
  ).toEqual({ at: NOW });
  for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
    expect((await send(method, `t_Order/${id}`, body)).status).toBe(404);
  await newOrder({ number: 'D1' });
});

// Asserts contract/writing.md#delete.
test('any other row is removed, with its rows of ancestors, elements and links', async () => {
  const company = await create('t_Company', { name: 'ACME' });
  await remove(`t_Company/${company}`);
  expect([...(await rows('t.company', company)), ...(await rows('t.party', company))]).toEqual([]);
  const other = await create('t_Company', { name: 'ACME' });
  await remove(`t_Party/${other}`);
  expect([...(await rows('t.company', other)), ...(await rows('t.party', other))]).toEqual([]);
});

// Asserts contract/errors.md#catalogue, contract/writing.md#delete, contract/writing.md#soft-deletion.
test('DENY: 409 with the text of the contract, and nothing is deleted', async () => {
  const customer = await create('t_Customer', { name: 'x' });
  const order = await create('t_Order', { number: 'D2', customer: { id: customer } });
  const response = await remove(`t_Customer/${customer}`);
  expect([response.status, response.json()]).toEqual([
    409,
    {
      error: 'Delete policy violation',
      details: 'Unable to delete t_Customer because there are references from t_Order',
    },
  ]);
  expect((await send('GET', `t_Customer/${customer}`)).status).toBe(200);
  await remove(`t_Order/${order}`);
  expect((await remove(`t_Customer/${customer}`)).status).toBe(204);
});

// Asserts contract/writing.md#delete.
test('UNLINK: references are set to null, which changes the referring instances', async () => {
  const customer = await create('t_Customer', { name: 'x' });
  const product = await create('t_Product', { name: 'p', fan: { id: customer } });
  await data.query('DELETE FROM events.outbox');
  await remove(`t_Customer/${customer}`);
  expect((await rows('t.product', product))[0]).toMatchObject({ fan_id: null, version: 2, last_modified_by: 'admin' });
  expect((await changes()).sort()).toEqual(['t_Customer deleted', 't_Product updated']);
});

// Asserts contract/writing.md#delete, contract/writing.md#soft-deletion.
test('CASCADE: the instances that refer to a removed row are removed with it', async () => {
  const company = await create('t_Company', { name: 'ACME' });
  const product = await create('t_Product', { name: 'p', owner: { id: company } });
  await data.query('DELETE FROM events.outbox');
  expect((await remove(`t_Company/${company}`)).status).toBe(204);
  expect(await rows('t.product', product)).toEqual([]);
  expect((await changes()).sort()).toEqual(['t_Company deleted', 't_Product deleted']);
});

test('composition children of a removed row are removed at every depth; the owner of the row gets a new version', async () => {
  const order = await newOrder({ number: 'D3', lines: [{ quantity: 1, discounts: [{ percent: 1 }, { percent: 2 }] }] });
  const [line] = await data.query<{ id: string }>('SELECT id FROM t.line WHERE order_id = $1', [order]);
  expect((await remove(`t_Line/${line?.id}`)).status).toBe(204);
  expect(await data.query('SELECT 1 FROM t.discount WHERE line_id = $1', [line?.id])).toEqual([]);
  expect((await rows('t."order"', order))[0]).toMatchObject({ version: 2 });
});

// Asserts contract/decisions.md#47, contract/writing.md#soft-deletion.
test('children without soft deletion are kept with a soft-deleted owner, so that it can be restored', async () => {
  const order = await newOrder({ number: 'D4', lines: [{ quantity: 1 }], delivery: { carrier: 'c' } });
  expect((await remove(`t_Order/${order}`)).status).toBe(204);
  expect(await data.query('SELECT 1 FROM t.line WHERE order_id = $1', [order])).toHaveLength(1);
  expect((await rows('t."order"', order))[0]?.['delivery_id']).not.toBeNull();
});

// Asserts contract/decisions.md#17, contract/errors.md#catalogue, contract/writing.md#database-errors,
// contract/writing.md#file-attributes, contract/writing.md#soft-deletion.
test('a row that others refer to without a policy: 409 of the database, which names the referring entity', async () => {
  const category = await create('t_Category', { code: 'D5' });
  await create('t_Customer', { name: 'x', category: { id: category } });
  const response = await remove(`t_Category/${category}`);
  expect([response.status, response.json()]).toEqual([
    409,
    {
      error: 'Referential integrity violation',
      details: 'Entity t_Customer: a reference of attribute category would point at nothing',
    },
  ]);
  expect((await send('GET', `t_Category/${category}`)).status).toBe(200);
});

describe('batches', () => {
  // Asserts contract/decisions.md#18, contract/roles.md#operations, contract/writing.md#delete,
  // contract/writing.md#routes.
  test('accept ids and objects with ids, and delete all or nothing', async () => {
    const ids = [await create('t_Category', { code: 'E1' }), await create('t_Category', { code: 'E2' })];
    const missing = crypto.randomUUID();
    const refused = await send('DELETE', 't_Category', [...ids, missing]);
    expect([refused.status, refused.json().details]).toEqual([404, `Entity t_Category with id ${missing} not found`]);
    expect((await send('GET', `t_Category/${ids[0]}`)).status).toBe(200);
    expect((await send('DELETE', 't_Category', [ids[0], { id: ids[1], code: 'ignored' }])).status).toBe(204);
    expect((await send('GET', `t_Category/${ids[1]}`)).status).toBe(404);
  });

  // Asserts contract/writing.md#delete.
  test('accept composite and numeric keys', async () => {
    await create('t_Rate', { id: { currency: 'EUR', validOn: '2026-02-01' }, rate: 1 });
    await create('t_Rate', { id: { currency: 'EUR', validOn: '2026-02-02' }, rate: 1 });
    const response = await send('DELETE', 't_Rate', [
      { currency: 'EUR', validOn: '2026-02-01' },
      { id: { currency: 'EUR', validOn: '2026-02-02' } },
    ]);
    expect(response.status).toBe(204);
    await create('t_Warehouse', { code: 'D6', name: 'x' });
    const movement = await create('t_Movement', { warehouse: { id: 'D6' }, quantity: 1 });
    expect((await send('DELETE', 't_Movement', [movement])).status).toBe(204);
  });

  // Asserts contract/decisions.md#18, contract/decisions.md#60, contract/writing.md#delete.
  test('accept keys by the name of the attribute, and composite ones in the form of a path', async () => {
    for (const code of ['D7', 'D8', 'D9']) await create('t_Warehouse', { code, name: 'x' });
    const byName = [{ code: 'D7' }, { id: null, code: 'D8' }, { id: 'D9', code: 'ignored' }];
    expect((await send('DELETE', 't_Warehouse', byName)).status).toBe(204);
    for (const code of ['D7', 'D8', 'D9']) expect((await send('GET', `t_Warehouse/${code}`)).status).toBe(404);
    const ids = ['2026-03-01', '2026-03-02'].map((validOn) => ({ currency: 'EUR', validOn }));
    for (const id of ids) await create('t_Rate', { id, rate: 1 });
    const [first, second] = ids.map((id) => Buffer.from(JSON.stringify(id)));
    const twice = [{ id: ids[0] }, first?.toString('base64')];
    expect((await send('DELETE', 't_Rate', twice)).status).toBe(400);
    const texts = [first?.toString('base64'), { id: second?.toString('base64url') }];
    expect((await send('DELETE', 't_Rate', texts)).status).toBe(204);
    const wrong = await send('DELETE', 't_Rate', [first?.toString('base64'), 'e30']);
    expect([wrong.status, wrong.json().error]).toEqual([400, 'Invalid entity ID']);
    const without = await send('DELETE', 't_Rate', [{ id: null }]);
    expect([without.status, without.json().error]).toEqual([400, 'Required attribute id is not presented']);
  });

  // Asserts contract/decisions.md#18, contract/decisions.md#51, contract/decisions.md#8,
  // contract/errors.md#catalogue, contract/writing.md#batches, contract/writing.md#delete.
  test.each<[string, unknown, number, string]>([
    ['no array', {}, 400, 'The body of bulk delete request should be an array'],
    ['no body', undefined, 400, 'The body of bulk delete request should be an array'],
    ['no JSON', '[', 400, 'Malformed request JSON data structure'],
    ['no id', [{ code: 'x' }], 400, 'Required attribute id is not presented'],
    ['null', [null], 400, 'Required attribute id is not presented'],
    ['an invalid id', ['x'], 400, 'Invalid entity ID'],
    [
      'the same id twice',
      ['6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11', { id: '6B1B36C2-2F0E-4A54-8F0E-0D0F5F3D7A11' }],
      400,
      'Cannot deserialize an entity from JSON',
    ],
    ['nothing', [], 204, ''],
  ])('%s', async (_case, body, status, error) => {
    const response = await send('DELETE', 't_Category', body);
    expect([response.status, status === 204 ? '' : response.json().error]).toEqual([status, error]);
  });
});

test.each([
  ['a missing row', `t_Category/${crypto.randomUUID()}`, 404],
  ['an invalid id', 't_Category/x', 400],
  ['an unknown entity', 't_No/x', 404],
])('%s', async (_case, path, status) => {
  expect((await remove(path)).status).toBe(status);
});
