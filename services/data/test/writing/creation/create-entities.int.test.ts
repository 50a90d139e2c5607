import { type DataFixture, NOW, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send('admin', method, path, body, headers);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await admin('POST', `/entities/${entity}`, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const read = async (entity: string, id: string, plan = '_local') =>
  (await admin('GET', `/entities/${entity}/${id}?returnNulls=true&fetchPlan=${encodeURIComponent(plan)}`)).json();
const rowsOf = async (table: string): Promise<number> =>
  Number((await data.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
const events = () =>
  data.query<{ type: string; subject: string; envelope: { data: Record<string, unknown> } }>(
    'SELECT type, subject, envelope FROM events.outbox ORDER BY position',
  );

describe('a flat instance', () => {
  // Asserts contract/writing.md#audit, contract/writing.md#create, contract/writing.md#validation,
  // contract/writing.md#versions.
  test('is created with defaults, audit attributes and the first version', async () => {
    const response = await admin('POST', '/entities/t_Customer', { name: 'Ada' });
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json']);
    const { id, ...rest } = response.json();
    expect(rest).toEqual({ _entityName: 't_Customer', _instanceName: 'Ada' });
    expect(response.headers.get('location')).toBe(`${data.url}/rest/entities/t_Customer/${id}`);
    expect(response.headers.get('etag')).toMatch(/^"1\./);
    expect(await read('t_Customer', id)).toMatchObject({
      name: 'Ada',
      active: true,
      version: 1,
      createdBy: 'admin',
      createdDate: NOW,
      lastModifiedDate: NOW,
      lastModifiedBy: null,
      deletedDate: null,
      email: null,
    });
  });

  // Asserts contract/writing.md#routes.
  test('the Location has the address that the client used for the gateway', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com, inner' };
    const response = await admin('POST', '/entities/t_Customer/?x=1', { name: 'Ada' }, headers);
    expect(response.headers.get('location')).toBe(
      `https://api.example.com/rest/entities/t_Customer/${response.json().id}`,
    );
  });

  // Asserts contract/roles.md#attributes-write, contract/writing.md#create.
  test('system attributes are set by the server only', async () => {
    const id = await create('t_Customer', {
      name: 'x',
      version: 7,
      createdBy: 'mallory',
      createdDate: '2000-01-01T00:00:00',
      lastModifiedBy: 'mallory',
      deletedDate: '2000-01-01T00:00:00',
    });
    expect(await read('t_Customer', id)).toMatchObject({
      version: 1,
      createdBy: 'admin',
      createdDate: NOW,
      lastModifiedBy: null,
      deletedDate: null,
    });
  });

  test('embedded attributes, references and element collections are stored', async () => {
    const category = await create('t_Category', { code: 'RETAIL' });
    const id = await create('t_Customer', {
      name: 'x',
      address: { city: 'Ulm', country: 'DE' },
      category: { id: category, code: 'ignored' },
      tags: ['b', 'a', 'b'],
    });
    const plan = JSON.stringify({
      entity: 't_Customer',
      properties: ['address', 'tags', { name: 'category', fetchPlan: { properties: ['name', 'code'] } }],
    });
    expect(await read('t_Customer', id, plan)).toMatchObject({
      address: { city: 'Ulm', country: 'DE' },
      tags: ['b', 'a', 'b'],
      category: { id: category, code: 'RETAIL' },
    });
  });

  // Asserts contract/fetch-plans.md#response-plan, contract/writing.md#routes.
  test('responseFetchPlan and responseView determine the members of the response', async () => {
    for (const parameter of ['responseFetchPlan', 'responseView']) {
      const response = await admin('POST', `/entities/t_Customer?${parameter}=_local`, { name: 'x', grade: 'GOLD' });
      expect(response.json()).toMatchObject({ name: 'x', grade: 'GOLD', version: 1, active: true });
    }
  });

  test('events are added to the outbox with the change; a refused change adds none', async () => {
    await data.query('DELETE FROM events.outbox');
    const id = await create('t_Category', { code: 'EVENT' });
    expect(await events()).toEqual([
      {
        type: 'data.entity.changed.v1',
        subject: `t_Category/${id}`,
        envelope: expect.objectContaining({
          source: '/lintel/data',
          time: `${NOW}Z`,
          data: {
            entity: 't_Category',
            id,
            change: 'created',
            attributes: expect.arrayContaining(['code', 'version']),
            by: 'admin',
          },
        }),
      },
    ]);
    expect((await admin('POST', '/entities/t_Category', { code: 'EVENT' })).status).toBe(409);
    expect(await events()).toHaveLength(1);
  });
});

describe('keys', () => {
  // Asserts contract/decisions.md#16, contract/writing.md#body, contract/writing.md#create,
  // contract/writing.md#update.
  test('an id may be given; an id in use returns 409 and changes nothing', async () => {
    const id = crypto.randomUUID();
    expect(await create('t_Customer', { id, name: 'first' })).toBe(id);
    const again = await admin('POST', '/entities/t_Customer', { id, name: 'second' });
    expect([again.status, again.json()]).toEqual([
      409,
      { error: 'Entity already exists', details: `Entity t_Customer with id ${id} already exists` },
    ]);
    expect((await read('t_Customer', id)).name).toBe('first');
    await admin('DELETE', `/entities/t_Customer/${id}`);
    expect((await admin('POST', '/entities/t_Customer', { id, name: 'third' })).status).toBe(409);
  });

  // Asserts contract/decisions.md#51, contract/writing.md#create.
  test('"id": null and "" count as absent; a bad id returns 400', async () => {
    for (const id of [null, '']) expect(await create('t_Customer', { id, name: 'x' })).toMatch(/-/);
    const response = await admin('POST', '/entities/t_Customer', { id: 'xyz', name: 'x' });
    expect([response.status, response.json().details]).toEqual([400, "Attribute 'id' is no valid id of t_Customer"]);
  });

  test('a wrong id is refused under the name by which it was sent', async () => {
    for (const name of ['code', 'id']) {
      const response = await admin('POST', '/entities/t_Warehouse', { [name]: 7, name: 'North' });
      expect([response.status, response.json().details]).toEqual([
        400,
        `Attribute '${name}' is no valid id of t_Warehouse`,
      ]);
    }
  });

  // Asserts contract/decisions.md#8, contract/writing.md#create, contract/writing.md#response.
  test('a text key is sent under its own name or as id, and is part of the response', async () => {
    const response = await admin('POST', '/entities/t_Warehouse', { code: 'W/1 ü', name: 'North' });
    expect(response.json()).toEqual({ _entityName: 't_Warehouse', _instanceName: 'North', id: 'W/1 ü', code: 'W/1 ü' });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`${data.url}/rest/entities/t_Warehouse/${encodeURIComponent('W/1 ü')}`);
    expect(await create('t_Warehouse', { id: 'W2', code: 'ignored', name: 'South' })).toBe('W2');
    const missing = await admin('POST', '/entities/t_Warehouse', { name: 'x' });
    expect([missing.status, missing.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'code', message: 'may not be null', invalidValue: null })],
    ]);
  });

  // Asserts contract/writing.md#create.
  test('an identity key is generated by the database and is a number', async () => {
    await create('t_Warehouse', { code: 'W3', name: 'x' });
    const response = await admin('POST', '/entities/t_Movement', { warehouse: { code: 'W3' }, quantity: 1 });
    expect([response.status, typeof response.json().id]).toEqual([201, 'number']);
    const batch = await admin('POST', '/entities/t_Movement', [
      { warehouse: { id: 'W3' }, quantity: 2 },
      { warehouse: { id: 'W3' }, quantity: 3 },
    ]);
    expect(batch.json().map((item: { id: number }) => item.id)).toEqual([
      response.json().id + 1,
      response.json().id + 2,
    ]);
  });

  test('a composite key is an object in the response and base64url in the Location', async () => {
    const id = { currency: 'EUR', validOn: '2026-01-01' };
    const response = await admin('POST', '/entities/t_Rate', { id, rate: 1.25 });
    expect([response.status, response.json().id]).toEqual([201, id]);
    const key = (response.headers.get('location') ?? '').split('/').at(-1) ?? '';
    expect(JSON.parse(Buffer.from(key, 'base64url').toString())).toEqual(id);
    expect((await admin('GET', `/entities/t_Rate/${key}`)).json().id).toEqual(id);
    expect((await admin('POST', '/entities/t_Rate', { id, rate: 1 })).status).toBe(409);
    expect((await admin('POST', '/entities/t_Rate', { id: { currency: 'EUR' }, rate: 1 })).status).toBe(400);
  });

  // Asserts contract/writing.md#create.
  test('descendants are created under their own name and under that of their ancestor', async () => {
    const company = await create('t_Company', { name: 'ACME', vat: 'DE1' });
    expect((await read('t_Party', company)).name).toBe('ACME');
    const response = await admin('POST', '/entities/t_Party', {
      _entityName: 't_Person',
      name: 'Bo',
      birthDate: '1990-01-01',
    });
    expect(response.json()._entityName).toBe('t_Person');
    expect(await read('t_Person', response.json().id)).toMatchObject({ birthDate: '1990-01-01' });
    const abstract = await admin('POST', '/entities/t_Party', { name: 'x' });
    expect([abstract.status, abstract.json().details]).toEqual([400, expect.stringContaining('t_Company or t_Person')]);
    const foreign = await admin('POST', '/entities/t_Company', { _entityName: 't_Person', name: 'x' });
    expect([foreign.status, foreign.json().details]).toEqual([400, expect.stringContaining('_entityName')]);
  });
});

describe('batches', () => {
  // Asserts contract/decisions.md#18, contract/writing.md#response, contract/writing.md#routes.
  test('are returned in the order of the request, with the collection as Location', async () => {
    const response = await admin('POST', '/entities/t_Category', [{ code: 'B1' }, { code: 'B2' }]);
    expect(response.status).toBe(201);
    expect(response.json().map((item: { _instanceName: string }) => item._instanceName)).toEqual(['B1', 'B2']);
    expect(response.headers.get('location')).toBe(`${data.url}/rest/entities/t_Category`);
  });

  // Asserts contract/decisions.md#51, contract/writing.md#batches.
  test('an empty batch returns 201 with an empty array', async () => {
    const response = await admin('POST', '/entities/t_Category', []);
    expect([response.status, response.text]).toEqual([201, '[]']);
  });

  // Asserts contract/writing.md#batches.
  test('one invalid item refuses all, with its index in the path', async () => {
    const before = await rowsOf('t.category');
    const response = await admin('POST', '/entities/t_Category', [{ code: 'B3' }, { name: 'x' }]);
    expect([response.status, response.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'entities[1].code', message: 'may not be null' })],
    ]);
    expect(await rowsOf('t.category')).toBe(before);
  });

  // Asserts contract/writing.md#batches.
  test('items may refer to each other, in any order', async () => {
    const [customer, order] = [crypto.randomUUID(), crypto.randomUUID()];
    const party = await admin('POST', '/entities/t_Product', [{ name: 'p', fan: null }]);
    expect(party.status).toBe(201);
    const line = crypto.randomUUID();
    await create('t_Customer', { id: customer, name: 'x' });
    const response = await admin('POST', '/entities/t_Order', [
      { id: order, number: 'B4', customer: { id: customer }, lines: [{ id: line, quantity: 1 }] },
    ]);
    expect(response.status).toBe(201);
  });

  // Asserts contract/decisions.md#18, contract/writing.md#batches.
  test('two items with one id: 400', async () => {
    const id = crypto.randomUUID();
    const response = await admin('POST', '/entities/t_Category', [
      { id, code: 'B5' },
      { id, code: 'B6' },
    ]);
    expect([response.status, response.json().details]).toEqual([400, 'Two items of the batch have the same id']);
  });
});
