import { type DataFixture, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    shop,
    {
      admin: { resourceRoles: ['system-full-access'] },
      small: { resourceRoles: ['system-full-access'], rowLevelRoles: ['small-orders'] },
    },
    { 'svc.rest.optimistic-locking-enabled': 'true', 'svc.rest.response-fetch-plan-enabled': 'false' },
  );
});
afterAll(() => data.close());

const send = (user: string, method: string, path: string, body?: unknown) =>
  data.send(user, method, `/entities/${path}`, body);
const create = async (user: string, entity: string, body: unknown): Promise<string> => {
  const response = await send(user, 'POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const newOrder = async (number: string, lines: unknown[] = []) =>
  create('small', 't_Order', { number, lines, customer: { id: await create('admin', 't_Customer', { name: 'x' }) } });
const quantities = (order: string) =>
  data.query<{ quantity: string }>('SELECT quantity FROM t.line WHERE order_id = $1 ORDER BY quantity', [order]);

describe('row-level predicates on writing (contract/row-policies.md#writing)', () => {
  // Asserts contract/errors.md#catalogue, contract/row-policies.md#merge, contract/row-policies.md#policies,
  // contract/writing.md#rights.
  test('are evaluated on the values after the merge; a refused write changes nothing', async () => {
    const order = await newOrder('P1', [{ quantity: 10 }]);
    const refused = await send('small', 'PUT', `t_Order/${order}`, { notes: 'lost', lines: [{ quantity: 11 }] });
    expect([refused.status, refused.json()]).toEqual([
      403,
      {
        error: 'Forbidden',
        details: expect.stringMatching(/^resource: t_Line-[0-9a-f-]{36}, type: entity, action: create$/),
      },
    ]);
    expect(await quantities(order)).toEqual([{ quantity: '10.00' }]);
    const stored = (await send('admin', 'GET', `t_Order/${order}`)).json();
    expect([stored.notes, stored.version]).toEqual([undefined, 1]);
    expect((await send('admin', 'POST', 't_Line', { quantity: 11, order: { id: order } })).status).toBe(201);
  });

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('can read references', async () => {
    const order = await newOrder('BIG', [{ quantity: 99 }]);
    expect(await quantities(order)).toEqual([{ quantity: '99.00' }]);
  });

  // Asserts contract/errors.md#catalogue, contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('on deleting are evaluated on the stored values', async () => {
    const order = await newOrder('P2', [{ quantity: 1 }]);
    await send('admin', 'PUT', `t_Order/${order}`, { state: 'CLOSED' });
    const refused = await send('small', 'DELETE', `t_Order/${order}`);
    expect([refused.status, refused.json().details]).toEqual([
      403,
      `resource: t_Order-${order}, type: entity, action: delete`,
    ]);
    expect((await send('small', 'DELETE', 't_Order', [order])).status).toBe(403);
    expect((await send('admin', 'DELETE', `t_Order/${order}`)).status).toBe(204);
  });
});

describe('svc.rest.optimistic-locking-enabled', () => {
  // Asserts contract/errors.md#catalogue, contract/roles.md#attributes-write, contract/writing.md#versions.
  test('an outdated version in the body returns 400 and changes nothing; the current one or none is accepted', async () => {
    const id = await create('admin', 't_Category', { code: 'LOCK', version: 5 });
    expect((await send('admin', 'PUT', `t_Category/${id}`, { name: 'a', version: 1 })).status).toBe(200);
    const stale = await send('admin', 'PUT', `t_Category/${id}`, { name: 'b', version: 1 });
    expect([stale.status, stale.json().error]).toEqual([400, 'Optimistic lock']);
    const batch = await send('admin', 'PUT', 't_Category', [{ id, name: 'b', version: '1' }]);
    expect([batch.status, batch.json().error]).toEqual([400, 'Optimistic lock']);
    expect((await send('admin', 'PUT', `t_Category/${id}`, { name: 'c' })).status).toBe(200);
    expect((await send('admin', 'GET', `t_Category/${id}`)).json()).toMatchObject({ name: 'c', version: 3 });
    const wrong = await send('admin', 'PUT', `t_Category/${id}`, { version: 'x' });
    expect([wrong.status, wrong.json().details]).toEqual([400, "Attribute 'version' must be a 32-bit integer"]);
  });
});

describe('svc.rest.response-fetch-plan-enabled=false', () => {
  // Asserts contract/fetch-plans.md#fetch-plans, contract/writing.md#response.
  test('the loaded attributes are returned without the instance name, for any requested plan', async () => {
    const response = await send('admin', 'POST', 't_Category?responseFetchPlan=_instance_name', {
      code: 'FLAG',
      name: 'n',
    });
    expect(response.json()).toMatchObject({ _entityName: 't_Category', code: 'FLAG', name: 'n', version: 1 });
    expect(response.json()).not.toHaveProperty('_instanceName');
    expect((await send('admin', 'POST', 't_Category?responseFetchPlan=nope', { code: 'F2' })).status).toBe(400);
  });
});
