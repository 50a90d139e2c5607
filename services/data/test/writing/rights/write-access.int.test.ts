import { type DataFixture, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, {
    admin: { resourceRoles: ['system-full-access'] },
    clerk: { resourceRoles: ['clerk'] },
    local: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
    nobody: { resourceRoles: [] },
  });
});
afterAll(() => data.close());

const send = (user: string, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send(user, method, `/entities/${path}`, body, headers);
const put = (path: string, body: unknown, headers?: Record<string, string>) =>
  send('admin', 'PUT', path, body, headers);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('admin', 'POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const read = async (path: string, plan: unknown = '_base') => {
  const text = typeof plan === 'string' ? plan : JSON.stringify(plan);
  return (await send('admin', 'GET', `${path}?returnNulls=true&fetchPlan=${encodeURIComponent(text)}`)).json();
};
const events = () =>
  data.query<{ type: string; subject: string; envelope: { data: Record<string, unknown> } }>(
    'SELECT type, subject, envelope FROM events.outbox ORDER BY position',
  );
let number = 0;
const newOrder = async (values: object = {}) => {
  number += 1;
  return create('t_Order', {
    number: `U${number}`,
    customer: { id: await create('t_Customer', { name: 'x' }) },
    ...values,
  });
};

describe('the rights of the caller', () => {
  // Asserts contract/errors.md#catalogue, contract/roles.md#operations, contract/writing.md#rights.
  test.each([
    ['POST', 't_Product', {}, 'Creation forbidden', 'Creation of the t_Product is forbidden'],
    ['PUT', `t_Product/${crypto.randomUUID()}`, {}, 'Updating forbidden', 'Updating of the t_Product is forbidden'],
    ['PUT', 't_Product', [], 'Updating forbidden', 'Updating of the t_Product is forbidden'],
    ['DELETE', 't_Product/x', undefined, 'Deletion forbidden', 'Deletion of the t_Product is forbidden'],
    ['DELETE', 't_Product', [], 'Deletion forbidden', 'Deletion of the t_Product is forbidden'],
  ])('%s %s without the right: 403', async (method, path, body, error, details) => {
    const response = await send('clerk', method, path, body);
    expect([response.status, response.json()]).toEqual([403, { error, details }]);
  });

  // Asserts contract/decisions.md#39, contract/roles.md#rest-enabled.
  test('without rest.enabled everything returns 403, before any other check', async () => {
    const response = await send('nobody', 'PUT', 't_No/1', '{');
    expect([response.status, response.json()]).toEqual([
      403,
      { error: 'Forbidden', details: 'User is not allowed to use the REST API' },
    ]);
  });

  // Asserts contract/conventions.md#nothing-leaks, contract/roles.md#attributes-read,
  // contract/roles.md#attributes-write, contract/writing.md#rights.
  test('attributes without the right to modify are ignored without an error, inner ones of embedded objects too', async () => {
    const created = await send('clerk', 'POST', 't_Customer', {
      name: 'x',
      grade: 'GOLD',
      address: { city: 'Ulm', country: 'DE' },
    });
    expect(created.status).toBe(201);
    const { id } = created.json();
    const response = await send('clerk', 'PUT', `t_Customer/${id}?responseFetchPlan=_base`, {
      email: 'a@example.com',
      limit: 5,
    });
    expect(response.json()).toEqual({
      _entityName: 't_Customer',
      _instanceName: 'x',
      id,
      name: 'x',
      email: 'a@example.com',
    });
    expect(await read(`t_Customer/${id}`)).toMatchObject({
      grade: null,
      limit: null,
      email: 'a@example.com',
      address: { city: 'Ulm', country: null },
    });
  });

  test('a value of an attribute that the caller may not view has no type', async () => {
    const id = await create('t_Customer', { name: 'x' });
    expect((await send('clerk', 'PUT', `t_Customer/${id}`, { limit: 'x' })).status).toBe(200);
    expect((await send('clerk', 'PUT', `t_Customer/${id}`, { email: 1 })).status).toBe(400);
  });

  // Asserts contract/errors.md#catalogue, contract/writing.md#rights.
  test('children need their own rights', async () => {
    const customer = { id: await create('t_Customer', { name: 'x' }) };
    const response = await send('clerk', 'POST', 't_Order', { number: 'C1', customer, lines: [{ quantity: 1 }] });
    expect([response.status, response.json()]).toEqual([
      403,
      { error: 'Forbidden', details: 'resource: t_Line, type: entity, action: create' },
    ]);
    const id = await newOrder({ lines: [{ quantity: 1 }] });
    const removal = await send('clerk', 'PUT', `t_Order/${id}`, { lines: [] });
    expect([removal.status, removal.json().details]).toEqual([403, 'resource: t_Line, type: entity, action: update']);
  });

  // Asserts contract/roles.md#operations.
  test('a caller who may not read an instance may not change it either: 404', async () => {
    const id = await create('t_Category', { code: 'UNREAD' });
    expect((await send('clerk', 'PUT', `t_Category/${id}`, { name: 'x' })).status).toBe(404);
    expect((await send('clerk', 'DELETE', `t_Category/${id}`)).status).toBe(404);
  });

  // Asserts contract/roles.md#operations.
  test('a caller who may create but not read gets the id of the new instance, for any requested plan', async () => {
    const response = await send('clerk', 'POST', 't_Category?responseFetchPlan=_local', { code: 'BLIND' });
    expect([response.status, Object.keys(response.json()).sort()]).toEqual([201, ['_entityName', 'id']]);
    expect(await read(`t_Category/${response.json().id}`)).toMatchObject({ code: 'BLIND' });
  });

  // Asserts contract/roles.md#attributes-write.
  test('an id may be sent without a right on the attribute', async () => {
    const id = crypto.randomUUID();
    const response = await send('clerk', 'POST', 't_Category', { id, code: 'CHOSEN' });
    expect([response.status, response.json().id]).toEqual([201, id]);
  });

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#reading, contract/row-policies.md#writing.
  test('rows hidden by a row-level policy do not exist for PUT and DELETE', async () => {
    const foreign = await create('t_Customer', { name: 'x', address: { country: 'FR' } });
    const own = await create('t_Customer', { name: 'x', address: { country: 'DE' } });
    expect((await send('local', 'PUT', `t_Customer/${foreign}`, { name: 'y' })).status).toBe(404);
    expect((await send('local', 'DELETE', `t_Customer/${foreign}`)).status).toBe(404);
    expect(
      (
        await send('local', 'PUT', 't_Customer', [
          { id: own, name: 'y' },
          { id: foreign, name: 'y' },
        ])
      ).status,
    ).toBe(404);
    expect((await read(`t_Customer/${own}`)).name).toBe('x');
    expect((await send('local', 'PUT', `t_Customer/${own}`, { name: 'y' })).status).toBe(200);
  });

  // Asserts contract/conventions.md#bad-input, contract/row-policies.md#merge, contract/row-policies.md#writing,
  // contract/writing.md#response.
  test('an instance that its creator cannot see is created; only its id is returned', async () => {
    const response = await send('local', 'POST', 't_Customer?responseFetchPlan=_local', {
      name: 'x',
      address: { country: 'FR' },
    });
    expect([response.status, Object.keys(response.json()).sort()]).toEqual([201, ['_entityName', 'id']]);
  });

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('a reference to a hidden instance is kept, even if another value is sent', async () => {
    const foreign = await create('t_Customer', { name: 'x', address: { country: 'FR' } });
    const id = await create('t_Product', { name: 'p', fan: { id: foreign } });
    expect((await send('local', 'PUT', `t_Product/${id}`, { name: 'q', fan: null })).status).toBe(200);
    expect(await read(`t_Product/${id}`, { entity: 't_Product', properties: ['name', 'fan'] })).toMatchObject({
      name: 'q',
      fan: { id: foreign },
    });
  });
});

describe('users', () => {
  test('a password is stored as a hash, changes the version and is in no response', async () => {
    const id = await create('sec_User', { username: 'new', password: 'clear text' });
    const stored = await data.query<{ password: string }>('SELECT password FROM sec."user" WHERE id = $1', [id]);
    expect(stored[0]?.password).toBe('hashed clear text');
    expect(await read(`sec_User/${id}`)).not.toHaveProperty('password');
    await data.query('DELETE FROM events.outbox');
    await put(`sec_User/${id}`, { password: 'another one', username: 'renamed' });
    const all = await events();
    expect(all.map(({ type, subject }) => [type, subject])).toEqual([
      ['data.entity.changed.v1', `sec_User/${id}`],
      ['data.user.changed.v1', 'new'],
      ['data.user.changed.v1', 'renamed'],
    ]);
    expect(all[1]?.envelope.data).toMatchObject({ attributes: expect.arrayContaining(['password']) });
    expect(JSON.stringify(all)).not.toMatch(/clear text|hashed|other/);
  });

  test('a refused password is not part of the response', async () => {
    const response = await send('admin', 'POST', 'sec_User', { username: 'long', password: 'pass word '.repeat(30) });
    expect([response.status, response.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'password', invalidValue: null })],
    ]);
    expect((await send('admin', 'POST', 'sec_User', { username: 'long', password: 12345 })).text).not.toContain(
      '12345',
    );
  });

  // Asserts contract/operations.md#security-events.
  test('the event of a changed assignment has the name of the user', async () => {
    await create('sec_User', { username: 'new' });
    await data.query('DELETE FROM events.outbox');
    const id = await create('sec_RoleAssignment', { username: 'new', roleCode: 'clerk', roleType: 'resource' });
    await send('admin', 'DELETE', `sec_RoleAssignment/${id}`);
    const assignments = (await events()).filter(({ type }) => type === 'data.assignment.changed.v1');
    expect(assignments.map(({ subject }) => subject)).toEqual(['new', 'new']);
    const actor = { by: 'admin', byClientId: 'c', address: expect.any(String) };
    expect(assignments.map(({ envelope }) => envelope.data)).toEqual([
      { username: 'new', role: 'clerk', change: 'given', actor },
      { username: 'new', role: 'clerk', change: 'taken', actor },
    ]);
  });

  // Asserts contract/operations.md#security-events.
  test('the event of changed roles has codes, and policies before and after; conditions of rows are not in it', async () => {
    const changesOf = async () =>
      (await events())
        .filter(({ type }) => type === 'data.roles.changed.v1')
        .map(({ envelope }) => (envelope.data as { roles: object[] }).roles);
    const policy = (action: string) => ({ type: 'entity', resource: 't_Product', action });
    await data.query('DELETE FROM events.outbox');
    const role = { name: 'R', code: 'r1', scopes: ['API'], resourcePolicies: [policy('read')] };
    const id = await create('sec_ResourceRole', role);
    await put(`sec_ResourceRole/${id}`, { code: 'r2', childRoles: ['clerk'], resourcePolicies: [policy('delete')] });
    await send('admin', 'DELETE', `sec_ResourceRole/${id}`);
    const rule = { type: 'query', entityName: 't_Product', whereClause: "{E}.name = 'secret'" };
    await create('sec_RowLevelRole', { name: 'W', code: 'w1', rowLevelPolicies: [rule] });
    const changes = await changesOf();
    expect(changes).toEqual([
      [{ role: 'r1', change: 'created', lines: expect.arrayContaining(['+ code r1', '+ entity t_Product read']) }],
      [
        {
          role: 'r2',
          change: 'updated',
          lines: expect.arrayContaining([
            ...['- code r1', '+ code r2', '+ childRoles clerk'],
            ...['- entity t_Product read', '+ entity t_Product delete'],
          ]),
        },
      ],
      [{ role: 'r2', change: 'deleted', lines: expect.arrayContaining(['- code r2', '- entity t_Product delete']) }],
      [
        {
          role: 'row_level_role:w1',
          change: 'created',
          lines: expect.arrayContaining(['+ code w1', '+ query t_Product read']),
        },
      ],
    ]);
    expect(JSON.stringify(changes)).not.toContain('secret');
  });
});
