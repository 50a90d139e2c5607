import { bindApplication } from '@lintel/application';
import { type DataFixture, NOW, startData } from '../data-fixture.ts';
import { SEEN, shop } from '../shop-application.ts';

const PARTY_PLAN = { name: 'party', entity: 't_Party', properties: [{ name: 'name', plan: undefined }] };

let data: DataFixture;
beforeAll(async () => {
  data = await startData(bindApplication(shop, [PARTY_PLAN]), {
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

describe('a partial update', () => {
  // Asserts contract/writing.md#audit, contract/writing.md#routes, contract/writing.md#update,
  // contract/writing.md#validation, contract/writing.md#versions.
  test('changes the attributes that were sent, keeps the others and increments the version once', async () => {
    const id = await create('t_Customer', { name: 'Ada', email: 'a@example.com', tags: ['a'], limit: '10.50' });
    const before = await read(`t_Customer/${id}`);
    const response = await put(`t_Customer/${id}`, { name: 'Bea' });
    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
    expect(response.json()).toEqual({ _entityName: 't_Customer', _instanceName: 'Bea', id });
    expect(response.headers.get('etag')).toMatch(/^"2\./);
    expect(await read(`t_Customer/${id}`)).toEqual({
      ...before,
      _instanceName: 'Bea',
      name: 'Bea',
      version: 2,
      lastModifiedBy: 'admin',
      lastModifiedDate: NOW,
    });
  });

  // Asserts contract/roles.md#attributes-write, contract/writing.md#update, contract/writing.md#versions.
  test('without changes does not change version, audit attributes and outbox', async () => {
    const id = await create('t_Customer', {
      name: 'x',
      limit: '10.50',
      tags: ['a'],
      address: { city: 'Ulm' },
      grade: 'GOLD',
    });
    const before = await read(`t_Customer/${id}`);
    await data.query('DELETE FROM events.outbox');
    const bodies = [
      {},
      { name: 'x', limit: 10.5, tags: ['a'], address: { city: 'Ulm' }, grade: 'GOLD' },
      { limit: '10.5000' },
      { address: {} },
      { version: 99, lastModifiedBy: 'mallory', deletedDate: '2020-01-01T00:00:00' },
      { id: crypto.randomUUID() },
    ];
    for (const body of bodies) expect((await put(`t_Customer/${id}`, body)).status).toBe(200);
    expect(await read(`t_Customer/${id}`)).toEqual(before);
    expect(await events()).toEqual([]);
  });

  // Asserts contract/writing.md#update.
  test('null clears attributes, references and element collections', async () => {
    const id = await create('t_Customer', {
      name: 'x',
      email: 'a@example.com',
      category: { id: await create('t_Category', { code: 'NULL' }) },
      tags: ['a', 'b'],
    });
    expect((await put(`t_Customer/${id}`, { email: null, category: null, tags: null })).status).toBe(200);
    const plan = { entity: 't_Customer', properties: ['email', 'tags', 'category'] };
    expect(await read(`t_Customer/${id}`, plan)).toMatchObject({ email: null, category: null, tags: [] });
  });

  test('null clears all of an embedded attribute (contract/decisions.md#71)', async () => {
    const id = await create('t_Customer', { name: 'x', address: { city: 'Ulm', country: 'DE' } });
    expect((await put(`t_Customer/${id}`, { address: null })).status).toBe(200);
    expect(await read(`t_Customer/${id}`)).not.toHaveProperty('address.city');
    const created = await create('t_Customer', { name: 'y', address: null });
    expect(await read(`t_Customer/${created}`)).not.toHaveProperty('address.city');
  });

  // Asserts contract/writing.md#update.
  test('of an embedded attribute changes only the inner attributes that were sent', async () => {
    const id = await create('t_Customer', { name: 'x', address: { city: 'Ulm', country: 'DE' } });
    await put(`t_Customer/${id}`, { address: { city: 'Bonn' } });
    expect((await read(`t_Customer/${id}`)).address).toMatchObject({ city: 'Bonn', country: 'DE' });
  });

  // Asserts contract/roles.md#attributes-write, contract/writing.md#create.
  test('may set the audit attributes of creation, but not those of modification and deletion', async () => {
    const id = await create('t_Category', { code: 'AUDIT' });
    await put(`t_Category/${id}`, { createdBy: 'import', lastModifiedBy: 'import' });
    expect(await read(`t_Category/${id}`)).toMatchObject({ createdBy: 'import', lastModifiedBy: 'admin', version: 2 });
  });

  test('publishes the names of changed attributes, never the values', async () => {
    const id = await create('t_Category', { code: 'NAMES' });
    await data.query('DELETE FROM events.outbox');
    await put(`t_Category/${id}`, { name: 'a secret value' });
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event?.envelope.data).toEqual({
      entity: 't_Category',
      id,
      change: 'updated',
      attributes: ['lastModifiedBy', 'name', 'version'],
      by: 'admin',
    });
    expect(JSON.stringify(event)).not.toContain('a secret value');
  });

  // Asserts contract/writing.md#body, contract/writing.md#update.
  test('works with keys of every kind and with the name of an ancestor', async () => {
    await create('t_Warehouse', { code: 'U1', name: 'old' });
    await put('t_Warehouse/U1', { name: 'new', code: 'ignored' });
    expect(await read('t_Warehouse/U1')).toMatchObject({ code: 'U1', name: 'new' });
    const id = { currency: 'USD', validOn: '2026-01-01' };
    await create('t_Rate', { id, rate: 1 });
    const path = `t_Rate/${Buffer.from(JSON.stringify(id)).toString('base64url')}`;
    expect((await put(path, { rate: '2.5' })).json().id).toEqual(id);
    const company = await create('t_Company', { name: 'ACME', vat: 'DE1' });
    await put(`t_Party/${company}`, { name: 'ACME 2', vat: 'DE2' });
    expect(await read(`t_Company/${company}`)).toMatchObject({ name: 'ACME 2', vat: 'DE2', version: 2 });
    expect((await put(`t_Person/${company}`, { name: 'x' })).status).toBe(404);
  });
});

// Asserts contract/writing.md#response.
test('a named plan of an ancestor shapes the response for an instance of a descendant', async () => {
  const plan = '?responseFetchPlan=party';
  const created = await send('admin', 'POST', `t_Party${plan}`, { _entityName: 't_Company', name: 'A', vat: 'DE1' });
  const { id } = created.json();
  const shown = { _entityName: 't_Company', _instanceName: 'A', id, name: 'A' };
  expect([created.status, created.json()]).toEqual([201, shown]);
  expect((await put(`t_Party/${id}${plan}`, { vat: 'DE2' })).json()).toEqual(shown);
  const person = await create('t_Person', { name: 'Bo' });
  const batch = await put(`t_Party${plan}`, [{ id }, { id: person }]);
  expect(batch.json()).toEqual([shown, { _entityName: 't_Person', _instanceName: 'Bo', id: person, name: 'Bo' }]);
  const own = await put(`t_Company/${id}${plan}`, { vat: 'DE3' });
  expect([own.status, own.json().error]).toEqual([400, 'Fetch plan not found']);
});

describe('refused updates change nothing', () => {
  test('one invalid attribute refuses all', async () => {
    const id = await create('t_Customer', { name: 'kept' });
    const before = await read(`t_Customer/${id}`);
    const response = await put(`t_Customer/${id}`, { email: 'lost@example.com', name: null });
    expect([response.status, response.json()]).toEqual([
      400,
      [
        {
          message: 'may not be null',
          messageTemplate: '{jakarta.validation.constraints.NotNull.message}',
          path: 'name',
          invalidValue: null,
        },
      ],
    ]);
    expect(await read(`t_Customer/${id}`)).toEqual(before);
  });

  // Asserts contract/writing.md#validation.
  test('a stored value that violates a newer rule does not refuse changes of other attributes', async () => {
    const id = await create('t_Customer', { name: 'x' });
    await data.query('UPDATE t.customer SET email = $1 WHERE id = $2', ['broken', id]);
    expect((await put(`t_Customer/${id}`, { name: 'y' })).status).toBe(200);
    expect((await put(`t_Customer/${id}`, { email: 'broken too' })).status).toBe(400);
  });

  // Asserts contract/decisions.md#8, contract/writing.md#batches, contract/writing.md#body-errors.
  test.each([
    ['a missing row', `t_Customer/${crypto.randomUUID()}`, 404, 'Entity not found'],
    ['an invalid id', 't_Customer/xyz', 400, 'Invalid entity ID'],
    ['an unknown entity', 't_No/1', 404, 'Entity not found'],
  ])('%s', async (_case, path, status, error) => {
    const response = await put(path, { name: 'x' });
    expect([response.status, response.json().error]).toEqual([status, error]);
  });

  // Asserts contract/errors.md#catalogue, contract/writing.md#body, contract/writing.md#check-order,
  // contract/writing.md#update.
  test('a missing row is detected before the body is parsed; the error has its id', async () => {
    const id = crypto.randomUUID();
    const response = await put(`t_Customer/${id}`, '{');
    expect([response.status, response.json()]).toEqual([
      404,
      { error: 'Entity not found', details: `Entity t_Customer with id ${id} not found` },
    ]);
  });

  // Asserts contract/decisions.md#8, contract/errors.md#catalogue, contract/writing.md#body-errors.
  test.each(['{', '[]', '5', 'null', ''])('a body of %j: 400 with the generic text', async (body) => {
    const id = await create('t_Customer', { name: 'x' });
    const response = await put(`t_Customer/${id}`, body);
    expect([response.status, response.json().error]).toEqual([400, 'Cannot deserialize an entity from JSON']);
  });

  // Asserts contract/errors.md#catalogue, contract/writing.md#body-errors.
  test.each<[Record<string, unknown>, string]>([
    [{ grade: 'X' }, "Attribute 'grade' must be one of BRONZE, GOLD"],
    [{ category: 'x' }, "Attribute 'category' must be a JSON object"],
    [{ tags: 'x' }, "Attribute 'tags' must be a JSON array"],
  ])('%j: 400 with the generic text and the name of the attribute', async (body, details) => {
    const id = await create('t_Customer', { name: 'x' });
    const response = await put(`t_Customer/${id}`, body);
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Cannot deserialize an entity from JSON', details },
    ]);
  });

  // Asserts contract/errors.md#catalogue, contract/writing.md#update.
  test('the error of a reference without a target has the text of an update', async () => {
    const id = await newOrder();
    const response = await put(`t_Order/${id}`, { customer: { id: crypto.randomUUID() } });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Entity update failed', details: "Referenced entity for property 'customer' is missing" },
    ]);
  });
});

describe('concurrent changes', () => {
  // Asserts contract/decisions.md#19, contract/decisions.md#54, contract/writing.md#versions.
  test('If-Match compares the version', async () => {
    const id = await create('t_Customer', { name: 'x' });
    const tag = (await send('admin', 'GET', `t_Customer/${id}`)).headers.get('etag') ?? '';
    expect((await put(`t_Customer/${id}`, { name: 'y' }, { 'if-match': tag })).status).toBe(200);
    const stale = await put(`t_Customer/${id}`, { name: 'z' }, { 'if-match': tag });
    expect([stale.status, stale.json().error]).toEqual([412, 'Precondition failed']);
    expect((await put(`t_Customer/${id}`, { name: 'z' }, { 'if-match': '*' })).status).toBe(200);
    expect((await send('admin', 'DELETE', `t_Customer/${id}`, undefined, { 'if-match': tag })).status).toBe(412);
  });

  // Asserts contract/decisions.md#19, contract/decisions.md#54, contract/writing.md#versions.
  test('If-Match compares the _local representation if there is no version', async () => {
    await create('t_Warehouse', { code: 'TAG', name: 'x' });
    const tag = (await send('admin', 'GET', 't_Warehouse/TAG?fetchPlan=_local')).headers.get('etag') ?? '';
    expect((await put('t_Warehouse/TAG', { name: 'y' }, { 'if-match': tag })).status).toBe(200);
    expect((await put('t_Warehouse/TAG', { name: 'z' }, { 'if-match': tag })).status).toBe(412);
  });

  test('no update is lost: a hundred concurrent updates create a hundred versions', async () => {
    const id = await create('t_Customer', { name: 'x' });
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => put(`t_Customer/${id}`, { name: `n${index}` })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await read(`t_Customer/${id}`)).version).toBe(101);
  });
});

describe('batches', () => {
  // Asserts contract/writing.md#batches, contract/writing.md#routes.
  test('are matched by id, returned in order, and change all or nothing', async () => {
    const [one, two] = [await create('t_Category', { code: 'M1' }), await create('t_Category', { code: 'M2' })];
    const response = await put('t_Category', [
      { id: two, name: 'two' },
      { id: one, name: 'one' },
    ]);
    expect([response.status, response.json().map((item: { id: string }) => item.id)]).toEqual([200, [two, one]]);
    const refused = await put('t_Category', [
      { id: one, name: 'lost' },
      { id: two, code: null },
    ]);
    expect(refused.json()).toEqual([expect.objectContaining({ path: 'entities[1].code' })]);
    expect((await read(`t_Category/${one}`)).name).toBe('one');
  });

  // Asserts contract/decisions.md#18, contract/writing.md#batches.
  test('text keys are matched under both names', async () => {
    await create('t_Warehouse', { code: 'MA', name: 'x' });
    await create('t_Warehouse', { code: 'MB', name: 'x' });
    await put('t_Warehouse', [
      { code: 'MA', name: 'a' },
      { id: 'MB', name: 'b' },
    ]);
    expect([(await read('t_Warehouse/MA')).name, (await read('t_Warehouse/MB')).name]).toEqual(['a', 'b']);
  });

  test.each<[string, unknown, number, string]>([
    ['no array', {}, 400, 'The body of bulk update request should be an array'],
    ['no body', undefined, 400, 'The body of bulk update request should be an array'],
    ['no JSON', '[', 400, 'Malformed request JSON data structure'],
    ['no id', [{ name: 'x' }], 400, 'Required attribute id is not presented'],
    ['an invalid id', [{ id: 'x' }], 400, 'Invalid entity ID'],
    ['a missing row', [{ id: crypto.randomUUID() }], 404, 'Entity not found'],
  ])('%s', async (_case, body, status, error) => {
    const response = await put('t_Category', body);
    expect([response.status, response.json().error]).toEqual([status, error]);
  });

  // Asserts contract/decisions.md#18, contract/decisions.md#51, contract/writing.md#batches.
  test('two items with one id return 400; no items return 200', async () => {
    const id = await create('t_Category', { code: 'M3' });
    expect((await put('t_Category', [{ id }, { id }])).status).toBe(400);
    expect((await put('t_Category', [])).text).toBe('[]');
  });
});

describe('listeners', () => {
  // Asserts contract/conventions.md#bad-input, contract/writing.md#batches, contract/writing.md#update.
  test('run inside the transaction, may set values, and do not increment the version again', async () => {
    SEEN.length = 0;
    const id = await newOrder({ notes: 'tidy me', lines: [{ quantity: '1.5' }, { quantity: 2 }] });
    expect(await read(`t_Order/${id}`)).toMatchObject({
      notes: 'tidied',
      total: 3.5,
      version: 1,
      lastModifiedBy: null,
    });
    expect(SEEN).toEqual(['beforeSave created', 'afterSave created', 'beforeSave updated', 'afterSave updated']);
    await put(`t_Order/${id}`, { notes: 'more', lines: [{ quantity: 4 }] });
    expect(await read(`t_Order/${id}`)).toMatchObject({ total: 4, version: 2 });
  });

  test('a listener that throws rolls everything back', async () => {
    const id = await newOrder({ notes: 'kept' });
    data.errors.length = 0;
    const response = await put(`t_Order/${id}`, { notes: 'explode' });
    expect([response.status, response.json()]).toEqual([500, { error: 'Server error', details: '' }]);
    expect(data.errors).toHaveLength(1);
    expect(await read(`t_Order/${id}`)).toMatchObject({ notes: 'kept', version: 1 });
  });
});
