import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, {
    admin: { resourceRoles: ['system-full-access'] },
    german: {
      resourceRoles: ['system-full-access'],
      rowLevelRoles: ['own-country'],
      attributes: { country: 'DE' },
    },
    clerk: { resourceRoles: ['clerk'] },
  });
  const created = await send('POST', 'dynat_Category', {
    name: 'Customers',
    entityType: 't_Customer',
    categoryAttrs: [
      definition('nickname', 'STRING'),
      definition('points', 'INTEGER'),
      definition('ratio', 'DOUBLE'),
      definition('credit', 'DECIMAL'),
      definition('joined', 'DATE'),
      definition('birthday', 'DATE_WITHOUT_TIME'),
      definition('vip', 'BOOLEAN'),
      definition('colour', 'ENUMERATION', { enumeration: 'RED, GREEN' }),
      definition('friend', 'ENTITY', { entityClass: 't_Customer' }),
      definition('aliases', 'STRING', { isCollection: true }),
      definition('friends', 'ENTITY', { isCollection: true, entityClass: 't_Customer' }),
      definition('products', 'ENTITY', { isCollection: true, entityClass: 't_Product' }),
    ].map((each, orderNo) => ({ ...each, orderNo })),
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  for (const [entityType, code] of [
    ['t_Line', 'remark'],
    ['t_Order', 'channel'],
    ['t_Warehouse', 'climate'],
    ['t_Movement', 'reason'],
    ['t_Party', 'rating'],
    ['t_Company', 'industry'],
  ] as const)
    await define(entityType, definition(code, 'STRING'));
});
afterAll(() => data.close());

const definition = (code: string, dataType: string, more: object = {}) => ({ name: code, code, dataType, ...more });
const send = (method: string, path: string, body?: unknown, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body);
const define = async (entityType: string, ...categoryAttrs: object[]): Promise<string> => {
  const response = await send('POST', 'dynat_Category', { name: entityType, entityType, categoryAttrs });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const create = async (entity: string, body: unknown) => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json();
};
const read = async (path: string, user = 'admin') => {
  const response = await send('GET', `${path}${path.includes('?') ? '&' : '?'}dynamicAttributes=true`, undefined, user);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.json();
};
const dynamicOf = (instance: object) =>
  Object.fromEntries(Object.entries(instance).filter(([name]) => name[0] === '+'));
const rowsOf = (owner: string) => data.query('SELECT * FROM dynat.attribute_value WHERE owner_key = $1', [owner]);

const ALL = {
  '+nickname': 'Änn "1"',
  '+points': 7,
  '+ratio': 0.1,
  '+credit': '10.50',
  '+joined': '2026-02-03T04:05:06.700',
  '+birthday': '2024-02-29',
  '+vip': false,
  '+colour': 'BLUE',
  '+aliases': ['b', 'a', 'b'],
};

describe('values', () => {
  // Asserts contract/dynamic-attributes.md#reading.
  test('of every type are in the response of the create, and are read back only on request', async () => {
    const friend = await create('t_Customer', { name: 'Bob' });
    const created = await send('POST', 't_Customer', {
      name: 'Anna',
      ...ALL,
      '+friend': { id: friend.id, name: 'ignored' },
      '+friends': [{ id: friend.id }],
      '+unknown': { any: 'thing' },
    });
    const shown = { _entityName: 't_Customer', _instanceName: 'Bob', id: friend.id };
    const { '+aliases': aliases, ...single } = ALL;
    const values = { ...single, '+credit': 10.5, '+friend': shown, '+aliases': aliases, '+friends': [shown] };
    expect(created.json()).toEqual({
      _entityName: 't_Customer',
      _instanceName: 'Anna',
      id: expect.any(String),
      ...values,
    });
    expect(created.text).toContain('"+credit":10.50');
    const { id } = created.json();
    expect(dynamicOf(await read(`t_Customer/${id}`))).toEqual(values);
    expect(Object.keys(await read(`t_Customer/${id}?fetchPlan=_local`)).slice(-11)).toEqual(Object.keys(values));
    expect(dynamicOf((await send('GET', `t_Customer/${id}`)).json())).toEqual({});
  });

  test('are part of lists, searches and nested objects, read by one statement', async () => {
    const tag = await create('t_Customer', { name: 'Nested', '+points': 1 });
    const filter = { conditions: [{ property: 'customer', operator: '=', value: tag.id }] };
    await create('t_Order', { number: 'N-1', customer: { id: tag.id }, '+channel': 'web' });
    const body = { filter, dynamicAttributes: true, fetchPlan: { entity: 't_Order', properties: ['customer'] } };
    const searched = await send('POST', 't_Order/search', body);
    expect(searched.json()).toEqual([
      expect.objectContaining({ '+channel': 'web', customer: expect.objectContaining({ '+points': 1 }) }),
    ]);
    const url = `t_Order/search?filter=${encodeURIComponent(JSON.stringify(filter))}`;
    expect(dynamicOf((await read(url))[0])).toEqual({ '+channel': 'web' });
    const { dynamicAttributes: _, ...without } = body;
    expect((await send('POST', 't_Order/search?dynamicAttributes=true', without)).text).not.toContain('"+');
    const timed = await data.send('admin', 'GET', '/entities/t_Order?dynamicAttributes=true');
    expect(timed.headers.get('server-timing') ?? '').not.toMatch(/statements;desc="?[2-9]/);
  });

  test('are null if they are missing and nulls are requested', async () => {
    const { id } = await create('t_Customer', { name: 'Bare' });
    expect(dynamicOf(await read(`t_Customer/${id}`))).toEqual({});
    const nulls = dynamicOf(await read(`t_Customer/${id}?returnNulls=true`));
    expect(Object.keys(nulls)).toHaveLength(12);
    expect(new Set(Object.values(nulls))).toEqual(new Set([null]));
  });

  test('are possible for entities with text and number keys, and for descendants of an entity', async () => {
    await create('t_Warehouse', { code: 'NORTH', name: 'North', '+climate': 'cold' });
    expect(dynamicOf(await read('t_Warehouse/NORTH'))).toEqual({ '+climate': 'cold' });
    const movement = await create('t_Movement', { warehouse: { id: 'NORTH' }, quantity: 1, '+reason': 'first' });
    expect(dynamicOf(await read(`t_Movement/${movement.id}`))).toEqual({ '+reason': 'first' });
    const company = await create('t_Company', { name: 'Acme', '+rating': 'A', '+industry': 'steel' });
    expect(dynamicOf(await read(`t_Company/${company.id}`))).toEqual({ '+rating': 'A', '+industry': 'steel' });
    expect(dynamicOf(await read(`t_Party/${company.id}`))).toEqual({ '+rating': 'A' });
  });
});

describe('an update', () => {
  // Asserts contract/dynamic-attributes.md#writing.
  test('changes the values that are sent, removes those that are null and keeps the others (contract/decisions.md#10)', async () => {
    const { id } = await create('t_Customer', { name: 'Carl', ...ALL });
    const updated = await send('PUT', `t_Customer/${id}`, { '+points': 8, '+nickname': null, '+aliases': [] });
    const { '+nickname': _n, '+aliases': _a, ...rest } = { ...ALL, '+points': 8, '+credit': 10.5 };
    expect([updated.status, dynamicOf(updated.json())]).toEqual([200, rest]);
    expect(dynamicOf(await read(`t_Customer/${id}`))).toEqual(rest);
    const untouched = await send('PUT', `t_Customer/${id}`, { name: 'Carlo' });
    expect(dynamicOf(untouched.json())).toEqual(rest);
  });

  test('of dynamic values alone increments the version and publishes an event; an update without changes does not', async () => {
    const { id } = await create('t_Customer', { name: 'Dora', '+credit': '1.50', '+aliases': ['x', 'y'] });
    const versionOf = async () => (await send('GET', `t_Customer/${id}?fetchPlan=_local`)).json().version;
    const events = () =>
      data.query<{ attributes: string[] }>(
        `SELECT envelope->'data'->'attributes' AS attributes FROM events.outbox
         WHERE subject = $1 AND envelope->'data'->>'change' = 'updated'`,
        [`t_Customer/${id}`],
      );
    expect((await send('PUT', `t_Customer/${id}`, { '+credit': 1.5, '+aliases': ['x', 'y'] })).status).toBe(200);
    expect([await versionOf(), await events()]).toEqual([1, []]);
    expect((await send('PUT', `t_Customer/${id}`, { '+aliases': ['y', 'x'], '+vip': null })).status).toBe(200);
    expect([await versionOf(), await events()]).toEqual([
      2,
      [{ attributes: ['+aliases', 'lastModifiedBy', 'version'] }],
    ]);
  });

  test('of a batch and of composition children keeps the values of each instance', async () => {
    const customer = await create('t_Customer', { name: 'Emil' });
    const order = await create('t_Order', {
      number: 'E-1',
      customer: { id: customer.id },
      lines: [
        { quantity: 1, '+remark': 'one' },
        { quantity: 2, '+remark': 'two' },
      ],
    });
    const nested = encodeURIComponent(
      JSON.stringify({
        entity: 't_Order',
        properties: ['version', { name: 'lines', fetchPlan: { properties: ['quantity'] } }],
      }),
    );
    const shown = async () => read(`t_Order/${order.id}?fetchPlan=${nested}`);
    const { lines: stored, version } = await shown();
    const remarks = (given: readonly Record<string, unknown>[]) => given.map((line) => line['+remark']).sort();
    expect(remarks(stored)).toEqual(['one', 'two']);
    const [first, second] = stored;
    const sent = [{ id: first.id, '+remark': 'changed' }, { id: second.id }];
    expect((await send('PUT', `t_Order/${order.id}`, { lines: sent })).status).toBe(200);
    const after = await shown();
    expect(remarks(after.lines)).toEqual(['changed', second['+remark']].sort());
    expect(after.version).toBe(version + 1);
    const batch = await send('POST', 't_Customer', [
      { name: 'F1', '+points': 1 },
      { name: 'F2', '+points': 2 },
    ]);
    const points = batch.json().map((each: Record<string, unknown>) => each['+points']);
    expect(points).toEqual([1, 2]);
    const changes = batch.json().map(({ id }: { id: string }, at: number) => ({ id, '+points': 10 + at }));
    const changed = await send('PUT', 't_Customer', changes);
    expect(changed.json().map((each: Record<string, unknown>) => each['+points'])).toEqual([10, 11]);
  });
});

describe('a wrong value is refused, and nothing is stored', () => {
  test.each([
    ['+nickname', 1, "Attribute '+nickname' must be a text"],
    ['+points', 1.5, "Attribute '+points' must be a 32-bit integer"],
    ['+points', 3_000_000_000, "Attribute '+points' must be a 32-bit integer"],
    ['+ratio', 'much', "Attribute '+ratio' must be a number"],
    ['+credit', true, "Attribute '+credit' must be a decimal number"],
    ['+joined', 'today', "Attribute '+joined' must be a date and time in the form YYYY-MM-DDTHH:mm:ss.SSS"],
    ['+birthday', '2023-02-29', "Attribute '+birthday' must be a date in the form YYYY-MM-DD"],
    ['+vip', 'maybe', "Attribute '+vip' must be true or false"],
    ['+friend', 'x', "Attribute '+friend' must be a JSON object"],
    ['+friend', { id: 'x' }, "Attribute '+friend.id' is no valid id of t_Customer"],
    ['+aliases', 'x', "Attribute '+aliases' must be a JSON array"],
    ['+aliases', ['x', null], "Attribute '+aliases[1]' must be a text"],
    ['+friends', [{}, 1], "Attribute '+friends[1]' must be a JSON object"],
  ])('%s: %j', async (member, value, details) => {
    const before = await data.query('SELECT count(*) FROM dynat.attribute_value');
    const refused = await send('POST', 't_Customer', [{ name: 'Bad', [member]: value }]);
    expect([refused.status, refused.json()]).toEqual([
      400,
      { error: 'Cannot deserialize an entity from JSON', details: details.replace('+', 'entities[0].+') },
    ]);
    expect(await data.query('SELECT count(*) FROM dynat.attribute_value')).toEqual(before);
  });

  test.each([
    ['without an id', {}],
    ['to nothing', { id: '00000000-0000-4000-8000-00000000dead' }],
  ])('a reference %s', async (_, friend) => {
    const refused = await send('POST', 't_Customer', { name: 'Bad', '+friend': friend });
    expect([refused.status, refused.json()]).toEqual([
      400,
      { error: 'Entity creation failed', details: "Referenced entity for property '+friend' is missing" },
    ]);
  });
});

describe('the caller’s rights', () => {
  // Asserts contract/dynamic-attributes.md#dynamic-attributes, contract/row-policies.md#reading.
  test('references to hidden instances are omitted from responses, and no update changes them', async () => {
    const [hidden, seen] = [
      await create('t_Customer', { name: 'Hidden', address: { country: 'FR' } }),
      await create('t_Customer', { name: 'Seen', address: { country: 'DE' } }),
    ];
    const { id } = await create('t_Customer', {
      name: 'Greta',
      address: { country: 'DE' },
      '+friend': { id: hidden.id },
      '+friends': [{ id: hidden.id }, { id: seen.id }],
    });
    const shown = dynamicOf(await read(`t_Customer/${id}`, 'german'));
    expect(shown).toEqual({ '+friends': [expect.objectContaining({ id: seen.id })] });
    expect((await send('PUT', `t_Customer/${id}`, { '+friend': null, '+friends': null }, 'german')).status).toBe(200);
    expect(dynamicOf(await read(`t_Customer/${id}`))).toEqual({
      '+friend': expect.objectContaining({ id: hidden.id }),
      '+friends': [expect.objectContaining({ id: hidden.id })],
    });
  });

  // Asserts contract/dynamic-attributes.md#dynamic-attributes.
  test('attribute policies do not apply to them, but a reference to an entity that may not be read is omitted', async () => {
    const product = await create('t_Product', { name: 'Ball' });
    const { id } = await create('t_Customer', { name: 'Hans', '+points': 3, '+products': [{ id: product.id }] });
    expect(dynamicOf(await read(`t_Customer/${id}`, 'clerk'))).toEqual({ '+points': 3 });
    const updated = await send('PUT', `t_Customer/${id}`, { '+points': 4 }, 'clerk');
    expect([updated.status, dynamicOf(updated.json())]).toEqual([200, { '+points': 4 }]);
  });

  test('only administrators may change definitions', async () => {
    expect((await send('GET', 'dynat_Category', undefined, 'clerk')).status).toBe(403);
    expect((await send('POST', 'dynat_Category', { name: 'x', entityType: 't_Order' }, 'clerk')).status).toBe(403);
  });
});

test('values are deleted with a removed instance, and are kept with a soft-deleted one', async () => {
  const [order, customer] = [
    await create('t_Warehouse', { code: 'SOUTH', name: 'South', '+climate': 'warm' }),
    await create('t_Customer', { name: 'Ida', '+points': 1 }),
  ];
  expect(await rowsOf('SOUTH')).toHaveLength(1);
  expect((await send('DELETE', `t_Warehouse/${order.id}`)).status).toBe(204);
  expect(await rowsOf('SOUTH')).toEqual([]);
  expect((await send('DELETE', `t_Customer/${customer.id}`)).status).toBe(204);
  expect(await rowsOf(customer.id)).toHaveLength(1);
});

test('sorting and filtering by them is refused', async () => {
  const filter = encodeURIComponent('{"conditions":[{"property":"+points","operator":"=","value":1}]}');
  const filtered = await send('GET', `t_Customer/search?filter=${filter}`);
  expect([filtered.status, filtered.text]).toEqual([
    400,
    expect.stringContaining('Property for t_Customer not found: +points'),
  ]);
  const sorted = await send('GET', `t_Customer?sort=${encodeURIComponent('+points')}`);
  expect([sorted.status, sorted.text]).toEqual([400, expect.stringContaining('points')]);
});
