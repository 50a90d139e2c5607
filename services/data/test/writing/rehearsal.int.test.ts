import { bindApplication } from '@lintel/application';
import { entityPolicy, modifyAttributes, resourceRole } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';
import { SEEN, shop } from '../shop-application.ts';
import { databaseChecksum } from './database-checksum.ts';

const helpdesk = resourceRole('helpdesk', {
  name: 'Helpdesk',
  childRoles: ['rest-minimal'],
  policies: [entityPolicy('sec_User', 'read', 'update'), modifyAttributes('sec_User', 'firstName')],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(bindApplication({ ...shop, roles: [...(shop.roles ?? []), helpdesk] }, []), {
    admin: { resourceRoles: ['system-full-access'] },
    helpdesk: { resourceRoles: ['helpdesk'] },
    clerk: { resourceRoles: ['clerk'] },
    local: { resourceRoles: ['system-full-access'], rowLevelRoles: ['own-country'], attributes: { country: 'DE' } },
  });
});
afterAll(() => data.close());

const ROLLBACK = { prefer: 'tx=rollback' };

const send = (user: string, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send(user, method, `/entities/${path}`, body, headers);
const create = async (entity: string, body: unknown): Promise<string> =>
  (await send('admin', 'POST', entity, body)).json().id;
const checksum = () => databaseChecksum({ query: ({ text }) => data.query(text) as never });

/** Sends a request that is rolled back, and asserts that no row has changed. */
async function rehearse(user: string, method: string, path: string, body?: unknown, headers = {}) {
  const before = await checksum();
  const response = await send(user, method, path, body, { ...ROLLBACK, ...headers });
  expect(await checksum()).toEqual(before);
  return response;
}

// Asserts contract/writing.md#rehearsal.
test('a rehearsal of a creation returns the response, the changes and the events, and stores nothing', async () => {
  const customer = await create('t_Customer', { name: 'Ada' });
  SEEN.length = 0;
  const body = { number: 'R1', customer: { id: customer }, lines: [{ quantity: 2 }, { quantity: 3 }] };
  const response = await rehearse('admin', 'POST', 't_Order?responseFetchPlan=_local', body);
  expect([response.status, response.headers.get('preference-applied')]).toEqual([201, 'tx=rollback']);
  const { result, changes, events } = response.json();
  expect(result).toMatchObject({ _entityName: 't_Order', number: 'R1', total: 5 });
  expect(changes.map(({ entity, change }: Record<string, unknown>) => [entity, change])).toEqual([
    ['t_Order', 'created'],
    ['t_Line', 'created'],
    ['t_Line', 'created'],
  ]);
  expect(changes[0].id).toBe(result.id);
  expect(changes[0].attributes).toEqual(
    expect.arrayContaining([
      { attribute: 'number', new: 'R1' },
      { attribute: 'total', new: 5 },
      { attribute: 'customer', new: expect.objectContaining({ _instanceName: 'Ada', id: customer }) },
    ]),
  );
  expect(events).toContainEqual({ type: 'data.entity.changed.v1', subject: `t_Order/${result.id}` });
  expect(SEEN).toContain('beforeSave created in a rehearsal');
  expect((await send('admin', 'GET', `t_Order/${result.id}`)).status).toBe(404);
});

test('a rehearsal of an update returns former and new values', async () => {
  const id = await create('t_Customer', { name: 'Ada', limit: '10.50', address: { city: 'Ulm' } });
  const body = { name: 'Bea', limit: null, address: { city: 'Bonn' }, secretNote: 'x' };
  for (const [method, path, sent] of [
    ['PUT', `t_Customer/${id}`, body],
    ['PUT', 't_Customer', [{ id, ...body }]],
  ] as const) {
    const { changes } = (await rehearse('admin', method, path, sent)).json();
    expect(changes).toEqual([{ entity: 't_Customer', id, change: 'updated', attributes: expect.any(Array) }]);
    expect(changes[0].attributes).toEqual(
      expect.arrayContaining([
        { attribute: 'name', old: 'Ada', new: 'Bea' },
        { attribute: 'limit', old: 10.5, new: null },
        { attribute: 'secretNote' },
        { attribute: 'version', old: 1, new: 2 },
        expect.objectContaining({
          attribute: 'address',
          old: expect.objectContaining({ city: 'Ulm' }),
          new: expect.objectContaining({ city: 'Bonn' }),
        }),
      ]),
    );
  }
});

test('rehearsals of a patch, of a write without a body and of deletions have the same form', async () => {
  const id = await create('t_Category', { code: 'P1' });
  const patch = await rehearse('admin', 'PATCH', `t_Category/${id}`, [{ op: 'replace', path: '/name', value: 'n' }], {
    'content-type': 'application/json-patch+json',
  });
  expect(patch.json().changes[0].attributes).toContainEqual({ attribute: 'name', old: null, new: 'n' });
  const minimal = await rehearse(
    'admin',
    'PUT',
    `t_Category/${id}`,
    { name: 'm' },
    { prefer: 'return=minimal, tx=rollback' },
  );
  expect([minimal.status, Object.keys(minimal.json())]).toEqual([200, ['changes', 'events']]);
  expect(minimal.headers.get('preference-applied')).toBe('tx=rollback, return=minimal');
  for (const [path, body] of [
    [`t_Category/${id}?dryRun=true`, undefined],
    ['t_Category', [id]],
  ] as const) {
    const deleted = await rehearse('admin', 'DELETE', path, body);
    expect(deleted.json()).toMatchObject({ changes: [{ entity: 't_Category', id, change: 'deleted' }] });
  }
});

test('a rehearsal shows nothing that the caller may not see', async () => {
  const id = await create('t_Customer', { name: 'Ada', email: 'a@example.com', address: { country: 'DE' } });
  const { changes } = (
    await rehearse('clerk', 'PUT', `t_Customer/${id}`, { name: 'B', address: { city: 'X' } })
  ).json();
  expect(changes).toEqual([
    { entity: 't_Customer', id, change: 'updated', attributes: [{ attribute: 'name', old: 'Ada', new: 'B' }] },
  ]);
  const moved = await rehearse('local', 'PUT', `t_Customer/${id}`, { address: { country: 'FR' } });
  for (const { attribute, ...values } of moved.json().changes[0].attributes)
    expect([attribute, Object.keys(values)]).toEqual([attribute, ['old']]);
});

test('the events of a rehearsal name a user only if the caller may see the user name', async () => {
  const id = await create('sec_User', { username: 'hidden-name' });
  const rehearsed = async (user: string, method: string, body?: unknown) =>
    (await rehearse(user, method, `sec_User/${id}`, body)).json();
  const { changes, events } = await rehearsed('helpdesk', 'PUT', { firstName: 'Ada' });
  expect(changes[0].attributes).toContainEqual({ attribute: 'firstName', old: null, new: 'Ada' });
  expect(events).toEqual([{ type: 'data.entity.changed.v1', subject: `sec_User/${id}` }]);
  const ofUser = (subject: string) => ({ type: 'data.user.changed.v1', subject });
  const renamed = await rehearsed('admin', 'PUT', { username: 'other-name' });
  expect(renamed.events).toEqual(expect.arrayContaining([ofUser('hidden-name'), ofUser('other-name')]));
  expect((await rehearsed('admin', 'DELETE')).events).toContainEqual(ofUser('hidden-name'));
});

test.each([
  ['a secret attribute', 'admin', { secretNote: '1234' }, { secretNote: '1235' }],
  [
    'an embedded attribute that the caller may not read',
    'clerk',
    { address: { city: 'Ulm' } },
    { address: { city: 'U' } },
  ],
])('a rehearsal does not show whether %s has the value that is sent', async (_what, user, same, other) => {
  const id = await create('t_Customer', { name: 'Ada', secretNote: '1234', address: { city: 'Ulm' } });
  const rehearsed = async (body: unknown) =>
    (await rehearse(user, 'PUT', `t_Customer/${id}?responseFetchPlan=_local`, body)).text;
  expect(await rehearsed(same)).toBe(await rehearsed(other));
  expect(JSON.parse(await rehearsed({ name: 'Ada' })).changes).toEqual([]);
});

test('a rehearsal is refused as the write would be', async () => {
  await create('t_Category', { code: 'TAKEN' });
  expect((await rehearse('admin', 'POST', 't_Category', { code: 'TAKEN' })).status).toBe(409);
  expect((await rehearse('admin', 'POST', 't_Category', {})).status).toBe(400);
  expect((await rehearse('clerk', 'DELETE', `t_Customer/${crypto.randomUUID()}`)).status).toBe(403);
});

test('a rehearsal leaves an idempotency key for the write', async () => {
  const headers = { 'idempotency-key': 'k-1' };
  expect((await rehearse('admin', 'POST', 't_Category', { code: 'K1' }, headers)).status).toBe(201);
  const written = await send('admin', 'POST', 't_Category', { code: 'K1' }, headers);
  expect([written.status, written.headers.get('idempotency-replayed')]).toEqual([201, null]);
});

test.each([
  ['POST', '/entities/t_Category/search', {}],
  ['POST', '/graphs', {}],
])('a rehearsal of %s %s is refused before anything happens', async (method, path, body) => {
  const response = await data.send('admin', method, path, body, ROLLBACK);
  expect([response.status, response.json().details]).toEqual([400, expect.stringContaining('cannot be rehearsed')]);
});
