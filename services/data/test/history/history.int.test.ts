import { bindApplication } from '@lintel/application';
import {
  type EntityHistory,
  embeddable,
  embedded,
  keyedEntity,
  long,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

const RECORDED: Readonly<Record<string, EntityHistory>> = {
  t_Order: {},
  t_Customer: {},
  t_Product: {},
  t_Category: { requiresReason: true, attributes: ['name'] },
};

const reader = resourceRole('history-reader', {
  name: 'Reads the history',
  childRoles: ['rest-minimal'],
  policies: [
    entityPolicy('t_Customer', 'read'),
    entityPolicy('t_Order', 'read'),
    viewAttributes('t_Customer', 'name', 'address'),
    entityPolicy('t_Address', 'read'),
    viewAttributes('t_Address', '*'),
    viewAttributes('t_Order', '*'),
    specificPolicy('history.read.t_Customer'),
  ],
});
const foreman = resourceRole('foreman', {
  name: 'Writes workers, of whom it sees the names',
  childRoles: ['rest-minimal'],
  policies: [
    entityPolicy('t_Worker', 'all'),
    viewAttributes('t_Worker', 'name'),
    modifyAttributes('t_Worker', 'name'),
    specificPolicy('history.read.t_Worker'),
  ],
});
const outsider = resourceRole('no-history', {
  name: 'Has no right to the history',
  childRoles: ['rest-minimal'],
  policies: [entityPolicy('*', 'all'), modifyAttributes('*', '*')],
});
const smallOrders = rowLevelRole('without-large-lines', {
  name: 'Orders without large lines',
  policies: [queryPolicy('t_Order', 'not exists (select l from t_Line l where l.order = {E} and l.quantity > 100)')],
});

let data: DataFixture;
beforeAll(async () => {
  const entities = (shop.entities ?? []).map((entity) => {
    const history = RECORDED[entity.name];
    return history === undefined ? entity : { ...entity, history };
  });
  const attributes = { name: string(20), boss: toOne('t_Worker'), badge: embedded('t_Badge') };
  entities.push(embeddable('t_Badge', { attributes: { colour: string(10), code: string(10).secret() } }));
  const key = { key: 'id', generation: 'identity', attributes: { id: long(), name: string(20) } } as const;
  entities.push(keyedEntity('t_Tool', { ...key, history: true }));
  entities.push(standardEntity('t_Worker', { attributes, instanceName: ['name'], history: true }));
  const roles = [...(shop.roles ?? []), reader, outsider, foreman];
  const rowLevelRoles = [...(shop.rowLevelRoles ?? []), smallOrders];
  data = await startData(bindApplication({ ...shop, entities, roles, rowLevelRoles }, []), {
    admin: { resourceRoles: ['system-full-access'] },
    other: { resourceRoles: ['system-full-access'] },
    reader: { resourceRoles: ['history-reader'] },
    outsider: { resourceRoles: ['no-history'] },
    foreman: { resourceRoles: ['foreman'] },
    small: { resourceRoles: ['system-full-access'], rowLevelRoles: ['without-large-lines'] },
    local: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
  });
});
afterAll(() => data.close());

const send = (user: string, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send(user, method, path, body, headers);
const create = async (entity: string, body: unknown, headers = {}): Promise<string> => {
  const response = await send('admin', 'POST', `/entities/${entity}`, body, headers);
  expect([response.status, response.text]).toEqual([201, expect.anything()]);
  return response.json().id;
};
const historyOf = async (user: string, path: string) => {
  const response = await send(user, 'GET', `/history/${path}`);
  expect([response.status, response.text, data.errors]).toEqual([200, expect.anything(), []]);
  return response.json();
};

// Asserts contract/history.md#changes.
test('an order with its lines is one change, with who, when and what', async () => {
  const customer = await create('t_Customer', { name: 'Ada' });
  const id = await create('t_Order', { number: 'H1', customer: { id: customer }, lines: [{ quantity: 2 }] });
  const order = await send(
    'admin',
    'GET',
    `/entities/t_Order/${id}?fetchPlan={"entity":"t_Order","properties":["version",{"name":"lines","fetchPlan":{"properties":["quantity"]}}]}`,
  );
  const [line] = order.json().lines;
  const saved = await send(
    'other',
    'PUT',
    `/entities/t_Order/${id}`,
    { number: 'H2', lines: [{ id: line.id, quantity: 3 }, { quantity: 5 }] },
    { 'x-change-reason': 'counted ägain' },
  );
  expect(saved.status).toBe(200);
  const [second, first, ...more] = await historyOf('admin', `t_Order/${id}`);
  expect(more).toEqual([]);
  expect(second).toMatchObject({
    user: 'other',
    operation: 'updated',
    reason: 'counted ägain',
    attributes: expect.arrayContaining([
      { attribute: 'number', old: 'H1', new: 'H2' },
      { attribute: 'total', old: 2, new: 8 },
    ]),
  });
  expect(second.children).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        attribute: 'lines',
        id: line.id,
        operation: 'updated',
        attributes: [{ attribute: 'quantity', old: 2, new: 3 }],
      }),
      expect.objectContaining({
        attribute: 'lines',
        operation: 'created',
        attributes: [{ attribute: 'quantity', new: 5 }],
      }),
    ]),
  );
  expect(first).toMatchObject({ user: 'admin', operation: 'created' });
  expect(first.attributes).toEqual(
    expect.arrayContaining([
      { attribute: 'customer', new: expect.objectContaining({ id: customer, _instanceName: 'Ada' }) },
    ]),
  );
});

test('a change below a child names the child and what is below it, and no other child', async () => {
  const customer = await create('t_Customer', { name: 'Gus' });
  const id = await create('t_Order', {
    number: 'D1',
    customer: { id: customer },
    delivery: { carrier: 'van', address: { city: 'Ulm' } },
    lines: [{ quantity: 1, discounts: [{ percent: 5 }, { percent: 6 }] }, { quantity: 2 }],
  });
  const plan = encodeURIComponent(
    JSON.stringify({
      entity: 't_Order',
      properties: [{ name: 'lines', fetchPlan: { properties: ['quantity', 'discounts.percent'] } }, 'delivery'],
    }),
  );
  const { lines, delivery } = (await send('admin', 'GET', `/entities/t_Order/${id}?fetchPlan=${plan}`)).json();
  const line = lines.find(({ discounts = [] }: { discounts?: unknown[] }) => discounts.length === 2);
  const [discount] = line.discounts;
  await send('admin', 'PUT', `/entities/t_Discount/${discount.id}`, { percent: 7 });
  await send('admin', 'PUT', `/entities/t_Delivery/${delivery.id}`, { carrier: 'bike' });
  const [bike, percent] = await historyOf('admin', `t_Order/${id}`);
  expect([bike.attributes, bike.children]).toEqual([
    [],
    [
      {
        attribute: 'delivery',
        entity: 't_Delivery',
        id: delivery.id,
        operation: 'updated',
        attributes: [{ attribute: 'carrier', old: 'van', new: 'bike' }],
      },
    ],
  ]);
  expect(percent.children).toEqual([
    {
      attribute: 'lines',
      entity: 't_Line',
      id: line.id,
      operation: 'updated',
      attributes: [],
      children: [
        {
          attribute: 'discounts',
          entity: 't_Discount',
          id: discount.id,
          operation: 'updated',
          attributes: [{ attribute: 'percent', old: discount.percent, new: 7 }],
        },
      ],
    },
  ]);
  const { time } = percent;
  const before = new Date(Date.parse(time) - 1).toISOString();
  const at = await historyOf('admin', `t_Order/${id}/at?time=${before}&fetchPlan=${plan}`);
  expect(at.lines.find((one: { id: string }) => one.id === line.id).discounts).toHaveLength(2);
  expect(JSON.stringify(at)).not.toContain('"percent":7');
});

// Asserts contract/history.md#at, contract/history.md#diff.
test('an instance is returned as it was at a point in time, also after its deletion', async () => {
  const customer = await create('t_Customer', { name: 'Bea', address: { city: 'Ulm' }, tags: ['a', 'b'] });
  const created = await data.query('SELECT clock_timestamp()::text AS now');
  await send('admin', 'PUT', `/entities/t_Customer/${customer}`, {
    name: 'Bel',
    address: { city: 'Bonn' },
    tags: ['c'],
  });
  await send('admin', 'DELETE', `/entities/t_Customer/${customer}`);
  const time = new Date(String((created as unknown as { now: string }[])[0]?.now)).toISOString();
  const plan = encodeURIComponent('{"entity":"t_Customer","properties":["name","address","tags"]}');
  const at = await historyOf('admin', `t_Customer/${customer}/at?time=${time}&fetchPlan=${plan}`);
  expect(at).toMatchObject({ name: 'Bea', address: { city: 'Ulm' }, tags: ['a', 'b'] });
  expect((await send('admin', 'GET', `/history/t_Customer/${customer}/at?time=2020-01-01T00:00:00Z`)).status).toBe(404);
  const changes = await historyOf('admin', `t_Customer/${customer}`);
  expect(changes.map(({ operation }: { operation: string }) => operation)).toEqual(['deleted', 'updated', 'created']);
  expect(await historyOf('admin', `t_Customer/${customer}/diff?from=${time}`)).toMatchObject({ operation: 'deleted' });
});

test('former states are shown under the rights of today', async () => {
  const id = await create('t_Customer', { name: 'Cid', email: 'cid@x.de', address: { country: 'DE', city: 'Ulm' } });
  await send('admin', 'PUT', `/entities/t_Customer/${id}`, { email: 'c@x.de' });
  await send('admin', 'PUT', `/entities/t_Customer/${id}`, { address: { country: 'AT', city: 'Graz' } });
  await send('admin', 'PUT', `/entities/t_Customer/${id}`, { name: 'Cyd', address: { country: 'DE', city: 'Köln' } });
  // A change of a hidden attribute alone is left out.
  const seen = await historyOf('reader', `t_Customer/${id}`);
  expect(
    seen.map(({ attributes }: { attributes: { attribute: string }[] }) => attributes.map(({ attribute }) => attribute)),
  ).toEqual([['name', 'address'], ['address'], ['name', 'address']]);
  // The state in another country is hidden by a row-level policy: what was before and after it is shown.
  const local = await historyOf('local', `t_Customer/${id}`);
  expect(local.map(({ operation }: { operation: string }) => operation)).toEqual([
    'created',
    'deleted',
    'updated',
    'created',
  ]);
  expect(JSON.stringify(local)).not.toContain('Graz');
  await send('admin', 'PUT', `/entities/t_Customer/${id}`, { address: { country: 'AT', city: 'Wien' } });
  expect((await send('local', 'GET', `/entities/t_Customer/${id}`)).status).toBe(404);
  expect(JSON.stringify(await historyOf('local', `t_Customer/${id}`))).not.toMatch(/Graz|Wien/);
});

test('row-level policies judge children that a change has not written', async () => {
  const customer = await create('t_Customer', { name: 'Hal' });
  const lines = [{ quantity: 200 }, { quantity: 1 }];
  const id = await create('t_Order', { number: 'L1', customer: { id: customer }, lines });
  await send('admin', 'PUT', `/entities/t_Order/${id}`, { notes: 'hidden' });
  expect(await historyOf('small', `t_Order/${id}`)).toEqual([]);
  expect(await historyOf('admin', `t_Order/${id}`)).toHaveLength(2);
});

// Asserts contract/history.md#changes.
test('a hidden instance with many changes has the response of one that does not exist', async () => {
  const body = { name: 'Quin', address: { country: 'AT', city: 'Graz' } };
  const id = await create('t_Customer', body);
  const renameOften = (which: string) =>
    data.query(`DO $$ BEGIN FOR at IN 1..120 LOOP
      UPDATE t.customer SET name = 'Q' || at WHERE id = '${which}'; COMMIT; END LOOP; END $$`);
  await renameOften(id);
  const list = async (which: string) => {
    const { status, text, headers } = await send('local', 'GET', `/history/t_Customer/${which}`);
    return [status, text, headers.has('link')];
  };
  expect([await list(id), data.errors]).toEqual([await list('00000000-0000-4000-8000-000000000000'), []]);
  // A state that the caller may see is found after the hidden ones.
  const other = await create('t_Customer', { ...body, address: { country: 'DE', city: 'Ulm' } });
  await data.query(`UPDATE t.customer SET address_country = 'AT' WHERE id = '${other}'`);
  await renameOften(other);
  const first = await send('local', 'GET', `/history/t_Customer/${other}`);
  const link = /<(?:[^>]*)(\/history[^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await send('local', 'GET', link);
  expect([first.json(), second.json().map(({ operation }: { operation: string }) => operation)]).toEqual([
    [],
    ['deleted', 'created'],
  ]);
});

test('the right to the history is separate, and by entity', async () => {
  const id = await create('t_Customer', { name: 'Dan' });
  const statuses = [];
  for (const [user, path] of [
    ['outsider', `t_Customer/${id}`],
    ['outsider', `t_Customer/${id}/at?time=2026-01-01T00:00:00Z`],
    ['outsider', `t_Customer/${id}/diff?from=2026-01-01T00:00:00Z`],
    ['reader', `t_Order/${id}`],
    ['admin', `t_Tag/${id}`],
    ['admin', `t_Customer/${id}/at`],
    ['admin', `t_Customer/${id}?limit=0`],
    ['admin', `t_Customer/${id}?from=yesterday`],
    ['admin', `t_Customer/${id}?cursor=x`],
    ['admin', `t_Customer/${id}?attribute=nme`],
    ['admin', 't_Customer/none'],
    ['admin', `t_Customer/${id.replace(/^.{8}/, '00000000')}`],
  ] as const)
    statuses.push((await send(user, 'GET', `/history/${path}`)).status);
  expect(statuses).toEqual([403, 403, 403, 403, 404, 400, 400, 400, 400, 400, 400, 200]);
});

test('pages follow each other, and filters choose changes', async () => {
  const id = await create('t_Customer', { name: 'E0' });
  for (let at = 1; at <= 5; at += 1)
    await send(at % 2 === 0 ? 'other' : 'admin', 'PUT', `/entities/t_Customer/${id}`, { name: `E${at}` });
  const names: unknown[] = [];
  let path: string | undefined = `/history/t_Customer/${id}?limit=4`;
  while (path !== undefined) {
    const response: Awaited<ReturnType<typeof send>> = await send('admin', 'GET', path);
    names.push(response.json().map(({ attributes }: { attributes: { new: string }[] }) => attributes[0]?.new));
    path = /<(?:[^>]*)(\/history[^>]*)>/.exec(response.headers.get('link') ?? '')?.[1];
  }
  expect(names).toEqual([
    ['E5', 'E4', 'E3', 'E2'],
    ['E1', 'E0'],
  ]);
  expect((await historyOf('admin', `t_Customer/${id}?user=other`)).length).toBe(2);
  expect((await historyOf('admin', `t_Customer/${id}?attribute=email`)).length).toBe(0);
  expect((await historyOf('admin', `t_Customer/${id}?to=2020-01-01T00:00:00Z`)).length).toBe(0);
});

// Asserts contract/history.md#restore.
test('a former state is written again, as a whole or by attributes', async () => {
  const customer = await create('t_Customer', { name: 'Ida', email: 'a@x.de', address: { city: 'Ulm' }, tags: ['a'] });
  const other = await create('t_Customer', { name: 'Jim' });
  const lines = [{ quantity: 1, discounts: [{ percent: 5 }] }, { quantity: 2 }];
  const id = await create('t_Order', { number: 'W1', customer: { id: customer }, notes: 'first', lines });
  const [row] = await data.query('SELECT clock_timestamp()::text AS now');
  const time = new Date(String(row?.['now'])).toISOString();
  const plan = encodeURIComponent(
    JSON.stringify({
      entity: 't_Order',
      properties: [
        'number',
        'notes',
        'customer.name',
        { name: 'lines', fetchPlan: { properties: ['quantity', 'discounts.percent'] } },
      ],
    }),
  );
  const read = async () => (await send('admin', 'GET', `/entities/t_Order/${id}?fetchPlan=${plan}`)).json();
  const before = await read();
  const [kept] = before.lines;
  await send('admin', 'PUT', `/entities/t_Order/${id}`, {
    number: 'W2',
    customer: { id: other },
    notes: null,
    lines: [{ id: kept.id, quantity: 9, discounts: [] }, { quantity: 8 }],
  });
  const restored = `/history/t_Order/${id}/restore`;
  const rehearsed = await send('admin', 'POST', restored, { time, attributes: ['notes'] }, { prefer: 'tx=rollback' });
  expect(rehearsed.headers.get('preference-applied')).toBe('tx=rollback');
  expect(rehearsed.json().changes[0]).toMatchObject({ entity: 't_Order', id, change: 'updated' });
  expect(rehearsed.json().changes[0].attributes).toContainEqual({ attribute: 'notes', old: null, new: 'first' });
  expect(await read()).not.toHaveProperty('notes');
  const some = await send('admin', 'POST', restored, { time, attributes: ['notes'] });
  expect([some.status, some.text]).toEqual([200, expect.stringContaining(id)]);
  expect(await read()).toMatchObject({ number: 'W2', notes: 'first', lines: [{}, {}] });
  const all = await send('admin', 'POST', `/history/t_Order/${id}/restore`, { time });
  expect([all.status, all.text]).toEqual([200, expect.stringContaining(id)]);
  const after = await read();
  const quantities = ({ lines: list }: { lines: { quantity: number; discounts?: { percent: number }[] }[] }) =>
    list.map(({ quantity, discounts = [] }) => [quantity, discounts.map(({ percent }) => percent)]).sort();
  expect([after.number, after.notes, after.customer.name, quantities(after)]).toEqual([
    'W1',
    'first',
    'Ida',
    quantities(before),
  ]);
  const stale = await send('admin', 'POST', `/history/t_Order/${id}/restore`, { time }, { 'if-match': '"1.x"' });
  const statuses = [stale.status];
  for (const [user, path, body] of [
    ['outsider', `t_Order/${id}`, { time }],
    ['reader', `t_Customer/${customer}`, { time }],
    ['admin', `t_Order/${id}`, {}],
    ['admin', `t_Order/${id}`, { time, attributes: ['nmber'] }],
    ['admin', `t_Order/${id}`, { time: '2020-01-01T00:00:00Z' }],
    ['admin', `t_Order/${id}`, { time, more: 1 }],
  ] as const)
    statuses.push((await send(user, 'POST', `/history/${path}/restore`, body)).status);
  expect(statuses).toEqual([412, 403, 403, 400, 400, 404, 400]);
});

test('an attribute that the caller may not view is refused as one that does not exist', async () => {
  const id = await create('t_Customer', { name: 'Eve', email: 'eve@x.de' });
  const messageOf = async (name: string) => {
    const response = await send('reader', 'GET', `/history/t_Customer/${id}?attribute=${name}`);
    return [response.status, response.text.replaceAll(name, 'X')];
  };
  expect(await messageOf('email')).toEqual([400, expect.stringContaining('t_Customer has no stored attribute X')]);
  expect(await messageOf('email')).toEqual(await messageOf('qwxyz'));
  expect((await messageOf('emial'))[1]).not.toContain('email');
  const restored = await send('reader', 'POST', `/history/t_Customer/${id}/restore`, {
    ...{ time: '2100-01-01T00:00:00Z', attributes: ['email'] },
  });
  expect([restored.status, restored.text]).toEqual([400, expect.stringContaining('has no stored attribute email')]);
});

// Asserts contract/history.md#reason.
test('a change of an entity with reasons is refused without one', async () => {
  const refused = await send('admin', 'POST', '/entities/t_Category', { code: 'R', name: 'x' });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("'X-Change-Reason' is required")]);
  expect(refused.headers.get('x-error-code')).toBe('REQ_REASON_REQUIRED');
  const rehearsed = await send('admin', 'POST', '/entities/t_Category?dryRun=true', { code: 'R', name: 'x' });
  expect([rehearsed.status, rehearsed.text]).toEqual([400, expect.stringContaining("'X-Change-Reason' is required")]);
  const long = await send(
    'admin',
    'POST',
    '/entities/t_Category',
    { code: 'R' },
    { 'x-change-reason': 'x'.repeat(501) },
  );
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('1 to 500 characters')]);
  const id = await create('t_Category', { code: 'R', name: 'x' }, { 'x-change-reason': 'new' });
  await send('admin', 'PUT', `/entities/t_Category/${id}`, { code: 'S' }, { 'x-change-reason': 'not recorded' });
  await send('admin', 'PUT', `/entities/t_Category/${id}`, { name: 'y' }, { 'x-change-reason': 'renamed' });
  const changes = await historyOf('admin', `t_Category/${id}`);
  expect(changes.map(({ reason }: { reason: string }) => reason)).toEqual(['renamed', 'new']);
  const upsert = (name: string, headers?: Record<string, string>) =>
    send('admin', 'PUT', '/entities/t_Category?key=code', { code: 'S', name }, headers);
  const statuses = [await upsert('z'), await upsert('y'), await upsert('z', { 'x-change-reason': 'upserted' })];
  expect(statuses.map(({ status }) => status)).toEqual([400, 200, 200]);
  const [latest, ...earlier] = await historyOf('admin', `t_Category/${id}`);
  expect([latest.reason, earlier]).toEqual(['upserted', changes]);
});

// Asserts contract/history.md#reason.
test('a reason that nothing records is named in the response, and refused on request', async () => {
  const reason = { 'x-change-reason': 'why' };
  const ignored = async (method: string, path: string, body?: unknown, headers = {}) => {
    const response = await send('admin', method, `/entities/${path}`, body, { ...reason, ...headers });
    return [response.status, response.headers.get('x-ignored')];
  };
  const strict = { prefer: 'handling=strict' };
  expect(await ignored('POST', 't_Tag', { name: 'plain' })).toEqual([201, 'header.X-Change-Reason']);
  expect(await ignored('POST', 't_Tag', { name: 'second', nam: 1 })).toEqual([201, 'body.nam, header.X-Change-Reason']);
  expect(await ignored('POST', 't_Tag', { name: 'strict' }, strict)).toEqual([400, null]);
  const tag = await create('t_Tag', { name: 'other' });
  expect(await ignored('DELETE', `t_Tag/${tag}`, undefined, strict)).toEqual([400, null]);
  expect(await ignored('DELETE', `t_Tag/${tag}`)).toEqual([204, 'header.X-Change-Reason']);
  expect(await ignored('POST', 't_Customer', { name: 'Zed' }, strict)).toEqual([201, null]);
  const customer = { id: await create('t_Customer', { name: 'Zoe' }) };
  const line = { quantity: 1, order: { id: await create('t_Order', { number: 'Z1', customer }) } };
  expect(await ignored('POST', 't_Line', line)).toEqual([201, null]);
});

// Asserts contract/history.md#recorded.
test('links, secrets, statements of others and deleted targets are in the history', async () => {
  const tag = await create('t_Tag', { name: 'red' });
  const owner = await create('t_Customer', { name: 'Fan', secretNote: 'one' });
  const id = await create('t_Product', { name: 'P', tags: [{ id: tag }], fan: { id: owner } });
  await send('admin', 'PUT', `/entities/t_Product/${id}`, { tags: [] });
  await data.query(`UPDATE t.product SET name = 'Q' WHERE id = '${id}'`);
  await send('admin', 'DELETE', `/entities/t_Tag/${tag}`);
  const [byOther, unlinked, created] = await historyOf('admin', `t_Product/${id}`);
  expect(byOther).toMatchObject({
    databaseUser: expect.any(String),
    attributes: [{ attribute: 'name', old: 'P', new: 'Q' }],
  });
  expect(byOther.user).toBeUndefined();
  expect(unlinked.attributes).toEqual([{ attribute: 'tags', old: [expect.objectContaining({ id: tag })] }]);
  expect(created.attributes).toEqual(
    expect.arrayContaining([{ attribute: 'fan', new: expect.objectContaining({ id: owner, _instanceName: 'Fan' }) }]),
  );
  await send('admin', 'PUT', `/entities/t_Customer/${owner}`, { name: 'Fred', secretNote: 'two' });
  const [renamed] = await historyOf('admin', `t_Customer/${owner}`);
  expect(renamed).toMatchObject({
    secrets: ['secretNote'],
    attributes: [{ attribute: 'name', old: 'Fan', new: 'Fred' }],
  });
  // The name that the target had then.
  expect((await historyOf('admin', `t_Product/${id}`)).at(-1).attributes).toEqual(
    expect.arrayContaining([{ attribute: 'fan', new: expect.objectContaining({ _instanceName: 'Fan' }) }]),
  );
  expect(
    (await data.query(`SELECT 1 FROM history.entry WHERE before::text || after::text ~ '"(one|two)"'`)).length,
  ).toBe(0);
});

test('a point in time is never within a transaction', async () => {
  const customer = await create('t_Customer', { name: 'Kim' });
  const id = await create('t_Order', { number: 'K1', customer: { id: customer }, lines: [{ quantity: 1 }] });
  await data.query(`DO $$ BEGIN
    UPDATE t."order" SET notes = 'both' WHERE id = '${id}';
    PERFORM pg_sleep(0.01);
    UPDATE t.line SET quantity = 7 WHERE order_id = '${id}';
  END $$`);
  const [{ time }] = await historyOf('admin', `t_Order/${id}`);
  const lines = {
    name: 'lines',
    fetchPlan: { entity: 't_Line', properties: ['quantity', ...Array(60).fill('position')] },
  };
  const plan = encodeURIComponent(JSON.stringify({ entity: 't_Order', properties: ['notes', lines] }));
  const at = await historyOf('admin', `t_Order/${id}/at?time=${time}&fetchPlan=${plan}`);
  expect([at.notes, at.lines]).toEqual(['both', [expect.objectContaining({ quantity: 7 })]]);
});

test('children that were there before the recording have their changes, and leave their owner', async () => {
  const customer = await create('t_Customer', { name: 'Lea' });
  const lines = [{ quantity: 1, discounts: [{ percent: 5 }] }];
  const id = await create('t_Order', { number: 'M1', customer: { id: customer }, lines });
  const other = await create('t_Order', { number: 'M2', customer: { id: customer } });
  const [row] = await data.query(
    `SELECT l.id AS line, d.id AS discount FROM t.line l JOIN t.discount d ON d.line_id = l.id WHERE l.order_id = '${id}'`,
  );
  await data.query('DELETE FROM history.entry');
  await send('admin', 'PUT', `/entities/t_Discount/${row?.['discount']}`, { percent: 7 });
  const [{ time }, ...others] = await historyOf('admin', `t_Order/${id}`);
  expect(others).toEqual([]);
  await send('admin', 'PUT', `/entities/t_Line/${row?.['line']}`, { order: { id: other } });
  const [left] = await historyOf('admin', `t_Order/${id}`);
  const [added] = await historyOf('admin', `t_Order/${other}`);
  expect([left, added].map(({ children: [child] }) => [child.id, child.operation])).toEqual([
    [row?.['line'], 'deleted'],
    [row?.['line'], 'created'],
  ]);
  const plan = encodeURIComponent('{"entity":"t_Order","properties":["lines.quantity"]}');
  const at = await historyOf('admin', `t_Order/${id}/at?time=${time}&fetchPlan=${plan}`);
  expect(at.lines).toEqual([expect.objectContaining({ id: row?.['line'] })]);
});

test('a reference to another instance of the entity has its key and its name of then', async () => {
  const boss = await create('t_Worker', { name: 'Mae' });
  const id = await create('t_Worker', { name: 'Ned', boss: { id: boss } });
  const [{ time }] = await historyOf('admin', `t_Worker/${id}`);
  await send('admin', 'PUT', `/entities/t_Worker/${boss}`, { name: 'May' });
  await send('admin', 'PUT', `/entities/t_Worker/${id}`, { boss: null });
  expect((await send('admin', 'DELETE', `/entities/t_Worker/${boss}`)).status).toBe(204);
  const { attributes } = await historyOf('admin', `t_Worker/${id}/diff?from=${time}`);
  expect(attributes).toEqual([{ attribute: 'boss', old: expect.objectContaining({ id: boss, _instanceName: 'Mae' }) }]);
  const restored = await send('admin', 'POST', `/history/t_Worker/${id}/restore`, { time });
  expect([restored.status, restored.text]).toEqual([400, expect.stringContaining("'boss' is missing")]);
  await send('admin', 'PUT', `/entities/t_Worker/${id}`, { boss: { id } });
  const [itself] = await historyOf('admin', `t_Worker/${id}`);
  expect(itself.attributes).toEqual([
    { attribute: 'boss', new: expect.objectContaining({ id, _instanceName: 'Ned' }) },
  ]);
});

test('a change of a secret in an embedded object names the object', async () => {
  const id = await create('t_Worker', { name: 'Oda', badge: { colour: 'red', code: 'one' } });
  await send('admin', 'PUT', `/entities/t_Worker/${id}`, { badge: { code: 'two' } });
  const [changed, created] = await historyOf('admin', `t_Worker/${id}`);
  expect([changed.secrets, changed.attributes]).toEqual([['badge'], []]);
  expect(JSON.stringify(created)).not.toContain('one');
});

// Asserts contract/history.md#all.
describe('the changes of all instances', () => {
  const from = async () => {
    const [row] = await data.query('SELECT clock_timestamp()::text AS now');
    return new Date(String(row?.['now'])).toISOString();
  };
  const briefly = (changes: readonly Record<string, unknown>[]) =>
    changes.map(({ entity, id, operation }) => [entity, id, operation]);
  const all = async (user: string, query: string) => {
    const pages: unknown[][] = [];
    let path: string | undefined = `/history${query}`;
    while (path !== undefined) {
      const response: Awaited<ReturnType<typeof send>> = await send(user, 'GET', path);
      expect([response.status, response.text, data.errors]).toEqual([200, expect.anything(), []]);
      pages.push(briefly(response.json()));
      path = /<(?:[^>]*)(\/history[^>]*)>/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return pages;
  };

  test('are listed by transaction, with their instances, and page by page', async () => {
    // As in a large database: cursors are longer.
    await data.query(`SELECT setval('history.entry_id', 1000000000000)`);
    const start = await from();
    const customer = await create('t_Customer', { name: 'Una', address: { country: 'DE' } });
    const delivery = { carrier: 'van', address: { city: 'Ulm' } };
    const lines = [{ quantity: 1, discounts: [{ percent: 5 }] }];
    const id = await create('t_Order', { number: 'A1', customer: { id: customer }, lines, delivery });
    const plan = encodeURIComponent('{"entity":"t_Order","properties":["delivery","lines.discounts.percent"]}');
    const order = (await send('admin', 'GET', `/entities/t_Order/${id}?fetchPlan=${plan}`)).json();
    const discount = order.lines[0].discounts[0].id;
    await send('admin', 'PUT', `/entities/t_Discount/${discount}`, { percent: 7 });
    await send(
      'other',
      'PUT',
      `/entities/t_Delivery/${order.delivery.id}`,
      { carrier: 'bike' },
      { 'x-change-reason': 'Äpfel' },
    );
    await send('admin', 'PUT', '/entities/t_Customer', [{ id: customer, name: 'Ulf' }]);
    await send('admin', 'DELETE', `/entities/t_Order/${id}`);
    const expected = [
      ['t_Order', id, 'deleted'],
      ['t_Customer', customer, 'updated'],
      ['t_Order', id, 'updated'],
      ['t_Order', id, 'updated'],
      ['t_Order', id, 'created'],
      ['t_Customer', customer, 'created'],
    ];
    expect((await all('admin', `?from=${start}`)).flat()).toEqual(expected);
    expect(await all('admin', `?from=${start}&limit=4`)).toEqual([expected.slice(0, 4), expected.slice(4)]);
    expect((await all('admin', `?from=${start}&limit=1`)).flat()).toEqual(expected);
    expect((await all('admin', `?from=${start}&entity=t_Customer`)).flat()).toEqual([expected[1], expected[5]]);
    expect((await all('admin', `?from=${start}&user=other`)).flat()).toEqual([expected[2]]);
    expect((await all('admin', `?from=${start}&reason=%C3%84PF`)).flat()).toEqual([expected[2]]);
    expect((await all('admin', `?to=2020-01-01T00:00:00Z`)).flat()).toEqual([]);
    const [changed] = (await send('admin', 'GET', `/history?user=other&from=${start}`)).json();
    expect(changed).toMatchObject({
      reason: 'Äpfel',
      children: [{ attribute: 'delivery', attributes: [{ attribute: 'carrier', old: 'van', new: 'bike' }] }],
    });
  });

  test('the instances of one transaction are on several pages', async () => {
    const customer = await create('t_Customer', { name: 'Bulk' });
    const start = await from();
    const order = {
      customer: { id: customer },
      delivery: { carrier: 'van' },
      lines: [{ quantity: 1 }, { quantity: 2 }],
    };
    const body = Array.from({ length: 25 }, (_, at) => ({ number: `Bulk ${at}`, ...order }));
    const created = await send('admin', 'POST', '/entities/t_Order', body);
    const ids = created.json().map(({ id }: { id: string }) => id);
    const pages = await all('admin', `?from=${start}&limit=10`);
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(new Set(pages.flat().map((one) => (one as string[])[1]))).toEqual(new Set(ids));
    const [{ children }] = (await send('admin', 'GET', `/history?from=${start}&limit=1`)).json();
    expect(children.map(({ attribute }: { attribute: string }) => attribute).sort()).toEqual([
      'delivery',
      'lines',
      'lines',
    ]);
  });

  test('are those that the caller may see in the history of each instance', async () => {
    const start = await from();
    const hidden = await create('t_Customer', { name: 'Vic', email: 'v@x.de', address: { country: 'AT' } });
    const shown = await create('t_Customer', { name: 'Vera', address: { country: 'DE' } });
    await send('admin', 'PUT', `/entities/t_Customer/${shown}`, { email: 'w@x.de' });
    expect((await all('local', `?from=${start}`)).flat()).toEqual([
      ['t_Customer', shown, 'updated'],
      ['t_Customer', shown, 'created'],
    ]);
    // Without the right to the history of orders, and without the e-mail.
    await create('t_Order', { number: 'V1', customer: { id: shown } });
    expect((await all('reader', `?from=${start}`)).flat()).toEqual([
      ['t_Customer', shown, 'created'],
      ['t_Customer', hidden, 'created'],
    ]);
    const statuses = [];
    for (const [user, query] of [
      ['outsider', ''],
      ['reader', '?entity=t_Order'],
      ['admin', '?entity=t_Tag'],
      ['admin', '?entity=t_None'],
      ['admin', '?limit=0'],
      ['admin', '?reason='],
      ['admin', '?from=x'],
      ['admin', '?cursor=x'],
    ] as const)
      statuses.push((await send(user, 'GET', `/history${query}`)).status);
    expect(statuses).toEqual([403, 403, 404, 404, 400, 400, 400, 400]);
  });
});

// Asserts contract/history.md#undo.
describe('undoing a change', () => {
  const undo = (user: string, change: string, headers?: Record<string, string>) =>
    send(user, 'POST', `/history/changes/${change}/undo`, undefined, headers);
  const lastOf = async (path: string): Promise<string> => (await historyOf('admin', path))[0].change;
  const planOf = (properties: unknown) => encodeURIComponent(JSON.stringify({ entity: 't_Order', properties }));
  const PLAN = planOf(['number', 'notes', 'customer', 'delivery.carrier', 'lines.quantity', 'lines.discounts.percent']);
  const orderOf = async (id: string) => {
    const { status, text } = await send('admin', 'GET', `/entities/t_Order/${id}?fetchPlan=${PLAN}`);
    return [status, status === 200 ? { ...JSON.parse(text), version: 0 } : ''];
  };
  const makeOrder = async (number: string) => {
    const customer = await create('t_Customer', { name: `Customer of ${number}`, tags: ['a'] });
    const lines = [{ quantity: 1, discounts: [{ percent: 5 }] }, { quantity: 2 }];
    const body = { number, notes: 'first', customer: { id: customer }, delivery: { carrier: 'van' }, lines };
    return { customer, id: await create('t_Order', body) };
  };

  test('gives an instance and its children their former values, as a change of its own', async () => {
    const { id } = await makeOrder('U1');
    const before = await orderOf(id);
    const [kept] = (before[1] as { lines: { id: string }[] }).lines;
    await send('admin', 'PUT', `/entities/t_Order/${id}`, {
      notes: 'second',
      delivery: { carrier: 'bike' },
      lines: [{ id: kept?.id, quantity: 9, discounts: [] }, { quantity: 8 }],
    });
    const change = await lastOf(`t_Order/${id}`);
    // What it has not written stays.
    await send('admin', 'PUT', `/entities/t_Order/${id}`, { number: 'U2' });
    const rehearsed = await undo('admin', change, { prefer: 'tx=rollback' });
    expect([rehearsed.status, rehearsed.json().result]).toEqual([
      200,
      [{ entity: 't_Order', id, operation: 'updated' }],
    ]);
    const response = await undo('admin', change, { 'x-change-reason': 'wrong' });
    expect([response.status, response.json()]).toEqual([200, [{ entity: 't_Order', id, operation: 'updated' }]]);
    expect(await orderOf(id)).toEqual([200, { ...(before[1] as object), number: 'U2', _instanceName: 'U2' }]);
    expect((await historyOf('admin', `t_Order/${id}`))[0].reason).toBe('wrong');
    // The undoing is a change that can be taken back as well.
    expect((await undo('admin', await lastOf(`t_Order/${id}`))).status).toBe(200);
    expect((await orderOf(id))[1]).toMatchObject({ notes: 'second', delivery: { carrier: 'bike' } });
  });

  test('leaves the attributes of children that the change has not written', async () => {
    const customer = await create('t_Customer', { name: 'Kit' });
    const lines = [
      { quantity: 1, position: 1 },
      { quantity: 2, position: 2 },
    ];
    const id = await create('t_Order', { number: 'K7', customer: { id: customer }, lines });
    const plan = encodeURIComponent('{"entity":"t_Order","properties":["lines.quantity","lines.position"]}');
    const linesNow = async () => {
      const order = (await send('admin', 'GET', `/entities/t_Order/${id}?fetchPlan=${plan}`)).json();
      return order.lines.map(({ quantity, position }: { quantity: number; position: number }) => [quantity, position]);
    };
    const before = await linesNow();
    const order = (await send('admin', 'GET', `/entities/t_Order/${id}?fetchPlan=${plan}`)).json();
    await send('admin', 'PUT', `/entities/t_Order/${id}`, { lines: [order.lines[0]] });
    const [change] = (await historyOf('admin', `t_Order/${id}`)) as { change: string }[];
    const undone = await send('admin', 'POST', `/history/changes/${change?.change}/undo`);
    expect([undone.status, undone.text, (await linesNow()).toSorted()]).toEqual([
      200,
      expect.anything(),
      before.toSorted(),
    ]);
  });

  test('is refused with a body, which would have no effect', async () => {
    const { id } = await makeOrder('Body');
    const change = await lastOf(`t_Order/${id}`);
    const response = await send('admin', 'POST', `/history/changes/${change}/undo`, { attributes: ['notes'] });
    expect([response.status, response.json().details, (await orderOf(id))[0]]).toEqual([
      400,
      expect.stringContaining('body must be empty'),
      200,
    ]);
  });

  // Asserts contract/history.md#recorded, contract/history.md#at, contract/history.md#diff, contract/history.md#restore.
  test.each(['t_Worker', 't_Tool'])(
    'values of dynamic attributes of %s are recorded, and come back',
    async (entity) => {
      const categoryAttrs = [
        { name: 'shift', code: 'shift', dataType: 'STRING' },
        { name: 'days', code: 'days', dataType: 'INTEGER', isCollection: true },
        { name: 'client', code: 'client', dataType: 'ENTITY', entityClass: 't_Customer' },
      ];
      await create('dynat_Category', { name: 'Work', entityType: entity, categoryAttrs });
      const customers = [await create('t_Customer', { name: 'First' }), await create('t_Customer', { name: 'Second' })];
      const first = { '+shift': 'late', '+days': [3, 1], '+client': { id: customers[0] } };
      const second = { '+shift': 'early', '+client': { id: customers[1] } };
      const id = await create(entity, { name: 'Dyn', ...first });
      const other = await create(entity, { name: 'Other', ...first });
      const path = `${entity}/${id}`;
      const read = async (of = id) =>
        (await send('admin', 'GET', `/entities/${entity}/${of}?dynamicAttributes=true`)).json();
      const [time] = await data.query('SELECT clock_timestamp()::text AS now, pg_sleep(0.01)');
      const moment = new Date(String(time?.['now'])).toISOString();
      await data.query('SELECT pg_sleep(0.01)');
      await send('admin', 'PUT', `/entities/${path}`, { ...second, '+days': null });
      const clientOf = (at: number) => ({ _entityName: 't_Customer', id: customers[at] });
      const changed = [
        { attribute: '+client', old: expect.objectContaining(clientOf(0)), new: expect.objectContaining(clientOf(1)) },
        { attribute: '+days', old: [3, 1] },
        { attribute: '+shift', old: 'late', new: 'early' },
      ];
      const sorted = (list: { attribute: string }[]) => list.toSorted((a, b) => (a.attribute < b.attribute ? -1 : 1));
      const [change] = await historyOf('admin', `${path}?attribute=%2Bshift`);
      expect([change.operation, sorted(change.attributes), change.user]).toEqual(['updated', changed, 'admin']);
      expect(sorted((await historyOf('admin', `${path}/diff?from=${moment}`)).attributes)).toEqual(changed);
      const at = await historyOf('admin', `${path}/at?time=${moment}&dynamicAttributes=true`);
      expect(at).toMatchObject({ name: 'Dyn', '+shift': 'late', '+days': [3, 1], '+client': clientOf(0) });
      expect(await historyOf('admin', `${path}/at?time=${moment}`)).not.toHaveProperty('+shift');

      const chosen = { time: moment, attributes: ['+days'] };
      expect((await send('admin', 'POST', `/history/${path}/restore`, chosen)).status).toBe(200);
      expect(await read()).toMatchObject({ '+shift': 'early', '+days': [3, 1], '+client': clientOf(1) });
      const restored = await send('admin', 'POST', `/history/${path}/restore`, { time: moment });
      expect([restored.status, restored.headers.get('x-ignored')]).toEqual([200, null]);
      expect(await read()).toMatchObject({ '+shift': 'late', '+days': [3, 1], '+client': clientOf(0) });
      expect((await undo('admin', await lastOf(path))).status).toBe(200);
      expect(await read()).toMatchObject({ '+shift': 'early', '+days': [3, 1], '+client': clientOf(1) });

      await send('admin', 'PUT', `/entities/${path}`, { '+shift': 'night' });
      const conflict = await undo('admin', change.change);
      expect([conflict.status, conflict.json().details]).toEqual([409, expect.stringContaining('+shift')]);
      await send('admin', 'DELETE', `/entities/${path}`);
      expect((await undo('admin', await lastOf(path))).status).toBe(200);
      expect(await read()).toMatchObject({ '+shift': 'night', '+days': [3, 1], '+client': clientOf(1) });
      expect(await read(other)).toMatchObject({ '+shift': 'late' });
      expect(await historyOf('admin', `${entity}/${other}`)).toHaveLength(1);
      expect(data.errors).toEqual([]);
    },
  );

  test('creates again what it deleted, and deletes what it created', async () => {
    const { id, customer } = await makeOrder('U3');
    const before = await orderOf(id);
    expect((await send('admin', 'DELETE', `/entities/t_Order/${id}`)).status).toBe(204);
    const change = await lastOf(`t_Order/${id}`);
    expect((await undo('admin', change)).json()).toEqual([{ entity: 't_Order', id, operation: 'created' }]);
    expect(await orderOf(id)).toEqual(before);
    const again = await undo('admin', change);
    expect([again.status, again.json()]).toEqual([
      409,
      { error: 'The change cannot be taken back', details: `Changed since: t_Order "${id}": created` },
    ]);
    const created = await send('admin', 'POST', '/entities/t_Customer', [{ name: 'N1' }, { name: 'N2' }]);
    const [one, other] = created.json();
    const undone = await undo('admin', await lastOf(`t_Customer/${one.id}`));
    expect(undone.json().map(({ id: each }: { id: string }) => each)).toEqual([other.id, one.id]);
    expect((await send('admin', 'GET', `/entities/t_Customer/${one.id}`)).status).toBe(404);
    // Soft-deleted instances come back.
    expect((await send('admin', 'DELETE', `/entities/t_Customer/${customer}`)).status).toBe(409);
    const alone = await create('t_Customer', { name: 'Alone', tags: ['x', 'y'] });
    await send('admin', 'DELETE', `/entities/t_Customer/${alone}`);
    expect((await undo('admin', await lastOf(`t_Customer/${alone}`))).status).toBe(200);
    expect((await send('admin', 'GET', `/entities/t_Customer/${alone}`)).json()).toMatchObject({ name: 'Alone' });
    expect(data.errors).toEqual([]);
  });

  test('is refused with the instances and attributes that have changed since', async () => {
    const { id } = await makeOrder('U4');
    const [, order] = (await orderOf(id)) as [number, { lines: { id: string }[] }];
    const [line] = order.lines;
    await send('admin', 'PUT', `/entities/t_Order/${id}`, {
      notes: 'b',
      lines: order.lines.map((one, at) => ({ id: one.id, quantity: at + 5 })),
    });
    const change = await lastOf(`t_Order/${id}`);
    await send('admin', 'PUT', `/entities/t_Line/${line?.id}`, { quantity: 6 });
    const refused = await undo('admin', change);
    expect([refused.status, refused.json().details]).toEqual([
      409,
      `Changed since: t_Order "${id}": total, lines[${line?.id}].quantity`,
    ]);
    await send('admin', 'DELETE', `/entities/t_Order/${id}`);
    expect((await undo('admin', change)).json().details).toBe(`Changed since: t_Order "${id}": deleted`);
    // A table that no longer has a history.
    const other = await lastOf(`t_Customer/${await create('t_Customer', { name: 'Yan' })}`);
    await data.query(`INSERT INTO history.entry (recorded_at, change_id, source, key)
      SELECT recorded_at, change_id, 't.former', '[1]' FROM history.entry WHERE change_id = '${other}'`);
    const unknown = await undo('admin', other);
    expect([unknown.status, unknown.text]).toEqual([409, expect.stringContaining('belong to no known instance')]);
  });

  test('creates nothing again of which the caller does not see every attribute', async () => {
    const boss = await create('t_Worker', { name: 'B' });
    const id = await create('t_Worker', { name: 'W', boss: { id: boss }, badge: { colour: 'red' } });
    expect((await send('foreman', 'DELETE', `/entities/t_Worker/${id}`)).status).toBe(204);
    const change = await lastOf(`t_Worker/${id}`);
    expect((await undo('foreman', change)).status).toBe(403);
    expect((await undo('admin', change)).status).toBe(200);
    const workers = encodeURIComponent('{"entity":"t_Worker","properties":["boss","badge"]}');
    expect((await send('admin', 'GET', `/entities/t_Worker/${id}?fetchPlan=${workers}`)).json()).toMatchObject({
      boss: { id: boss },
      badge: { colour: 'red' },
    });
    await send('foreman', 'PUT', `/entities/t_Worker/${id}`, { name: 'X' });
    expect((await undo('foreman', await lastOf(`t_Worker/${id}`))).status).toBe(200);
  });

  test('needs the rights to the history, to every part of the change, and to the write', async () => {
    const inAustria = { name: 'W', address: { country: 'AT' } };
    const hidden = await create('t_Customer', inAustria);
    const both = await send('admin', 'POST', '/entities/t_Customer', [
      inAustria,
      { name: 'V', address: { country: 'DE' } },
    ]);
    const part = await lastOf(`t_Customer/${both.json()[1].id}`);
    const own = await lastOf(`t_Customer/${hidden}`);
    const unknown = '00000000-0000-4000-8000-000000000000';
    const statuses = [];
    for (const [user, change] of [
      ['outsider', part],
      ['reader', part],
      ['local', part],
      ['local', own],
      ['local', unknown],
      ['admin', unknown],
      ['admin', 'x'],
    ] as const)
      statuses.push((await undo(user, change)).status);
    expect(statuses).toEqual([403, 403, 403, 404, 404, 404, 400]);
    // An update that moved an instance out of sight is no creation.
    const moved = await create('t_Customer', inAustria);
    await send('admin', 'PUT', `/entities/t_Customer/${moved}`, { address: { country: 'DE' } });
    expect((await undo('local', await lastOf(`t_Customer/${moved}`))).status).toBe(403);
    expect((await send('admin', 'GET', `/entities/t_Customer/${moved}`)).status).toBe(200);
    await data.query(
      `INSERT INTO t.customer (id, name, version) SELECT gen_random_uuid(), 'many', 1 FROM generate_series(1, 10001)`,
    );
    const [row] = await data.query(`SELECT change_id FROM history.entry WHERE after ->> 'name' = 'many' LIMIT 1`);
    const refused = await undo('admin', String(row?.['change_id']));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('more than 10000 rows')]);
  });
});
