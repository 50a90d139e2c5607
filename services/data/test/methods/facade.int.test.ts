import { type DataFixture, startData } from '../data-fixture.ts';
import { desk, RAISED } from './desk-application.ts';

let fixture: DataFixture;

beforeAll(async () => {
  fixture = await startData(desk, {
    admin: { resourceRoles: ['system-full-access'] },
    Ann: { resourceRoles: ['reader'], rowLevelRoles: ['own-kind'], attributes: { country: 'CH' } },
  });
  for (const name of ['Ann', 'Bob'])
    await fixture.send('admin', 'POST', '/entities/d_Person', {
      name,
      limit: 5,
      address: { city: 'Bern', street: 'A' },
    });
});
afterAll(() => fixture.close());

const call = (method: string, parameters: Readonly<Record<string, unknown>> = {}, user = 'admin') =>
  fixture.send(user, 'POST', `/services/d_Facade/${method}`, parameters);
const ticketOf = async (id: string) => (await fixture.send('admin', 'GET', `/entities/d_Ticket/${id}`)).json();
const titles = async (title: string) =>
  Number((await fixture.query<{ n: string }>('SELECT count(*) AS n FROM d.ticket WHERE title = $1', [title]))[0]?.n);

test('the context has the caller, the locale, the attributes of the session and the permissions', async () => {
  expect((await call('who', {}, 'Ann')).json()).toEqual({
    username: 'Ann',
    locale: 'en',
    userAttributes: { country: 'CH' },
    rest: true,
    other: false,
  });
});

test('create saves an instance with its children and returns its id; the author is the caller', async () => {
  const id = (await call('create', { title: 'New', price: '3.20' })).text;
  expect(await ticketOf(id)).toMatchObject({ title: 'New', price: 3.2, createdBy: 'admin', version: 1 });
  const notes = await fixture.query('SELECT 1 FROM d.note WHERE ticket_id = $1', [id]);
  expect(notes).toHaveLength(1);
});

test('save creates a new instance and updates an existing one', async () => {
  const id = '00000000-0000-4000-8000-00000000abcd';
  expect((await call('save', { ticket: { id, title: 'One', price: 1 } })).text).toBe(id);
  expect((await call('save', { ticket: { id, title: 'Two' } })).text).toBe(id);
  expect(await ticketOf(id)).toMatchObject({ title: 'Two', price: 1, version: 2 });
});

test('remove deletes an instance; a missing one returns 404', async () => {
  const id = (await call('create', { title: 'Gone', price: 1 })).text;
  expect((await call('remove', { id })).status).toBe(204);
  const again = await call('remove', { id });
  expect([again.status, again.json().details]).toEqual([404, `Entity d_Ticket with id ${id} not found`]);
});

test('lists apply conditions, order and page; counts apply conditions', async () => {
  for (const [title, price] of [
    ['p1', 101],
    ['p2', 102],
    ['p3', 103],
  ])
    await call('create', { title, price });
  expect((await call('count', { from: 101 })).text).toBe('3');
  const total = Number((await call('count', { from: 0 })).text);
  const page = (await call('page', { offset: total - 2, limit: 2 })).json();
  expect(page.map(({ title }: { title: string }) => title)).toContain('p3');
  expect(page).toHaveLength(2);
});

// Asserts contract/roles.md#operations, contract/row-policies.md#policies.
test('reading applies the rights of the caller, including row-level policies, unless the method requests otherwise', async () => {
  const own = (await call('ownPeople', {}, 'Ann')).json();
  expect(own.map(({ name }: { name: string }) => name)).toEqual(['Ann']);
  const all = (await call('allPeople', {}, 'Ann')).json();
  expect(all.map(({ name }: { name: string }) => name)).toEqual(['Ann', 'Bob']);
  // The method decides on row-level policies only; the attribute policies of the caller apply always.
  expect(all[0]).not.toHaveProperty('limit');
});

// Asserts contract/row-policies.md#policies.
test('writing applies the rights of the caller', async () => {
  const refused = await call('create', { title: 'x', price: 1 }, 'Ann');
  expect([refused.status, refused.json().error]).toEqual([403, 'Creation forbidden']);
  const id = (await call('create', { title: 'Mine', price: 7 })).text;
  // The price may not be changed: it is ignored without an error, as in a request.
  expect((await call('save', { ticket: { id, title: 'Yours', price: 8 } }, 'Ann')).status).toBe(200);
  expect(await ticketOf(id)).toMatchObject({ title: 'Yours', price: 7, lastModifiedBy: 'Ann' });
  expect((await call('remove', { id }, 'Ann')).json().error).toBe('Deletion forbidden');
});

test('a violated rule of the model returns 400 with its items, and nothing is saved', async () => {
  const response = await call('create', { title: 'minus', price: -1 });
  expect(response.status).toBe(400);
  expect(response.json()[0].path).toBe('price');
  expect(await titles('minus')).toBe(0);
});

test('an error of a transactional method rolls back all its changes', async () => {
  const ids = [
    (await call('create', { title: 'a', price: 1 })).text,
    (await call('create', { title: 'b', price: 1 })).text,
  ];
  const failed = await fixture.send('admin', 'POST', '/services/d_Desk/touchAll', { ids, fails: true });
  expect([failed.status, failed.json().error]).toEqual([409, 'Not today']);
  expect(await titles('touched')).toBe(0);
  expect((await fixture.send('admin', 'POST', '/services/d_Desk/touchAll', { ids })).status).toBe(204);
  expect(await titles('touched')).toBe(2);
});

// Asserts contract/services.md#rehearsal.
describe('a rehearsal of a method', () => {
  const rehearse = (parameters: object, method = 'POST', path = '/services/d_Facade/raise', user = 'admin') =>
    fixture.send(user, method, path, parameters, { prefer: 'tx=rollback' });

  test('returns its result and its changes, by every way to ask for it, and changes nothing', async () => {
    const id = (await call('create', { title: 'Low', price: 1 })).text;
    const raise = '/services/d_Facade/raise';
    RAISED.length = 0;
    for (const response of [
      await rehearse({ id }),
      await fixture.send('admin', 'GET', `${raise}?id=${id}`, undefined, { prefer: 'tx=rollback' }),
      await fixture.send('admin', 'POST', `${raise}?dryRun=true`, { id }),
    ]) {
      expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'tx=rollback']);
      const change = { entity: 'd_Ticket', id, change: 'updated' };
      expect(response.json()).toMatchObject({ result: '99.00', changes: [change], events: [{}] });
      expect(response.json().changes[0].attributes).toContainEqual({ attribute: 'price', old: 1, new: 99 });
    }
    expect(await ticketOf(id)).toMatchObject({ price: 1, version: 1 });
    expect((await call('raise', { id })).text).toBe('99.00');
    expect([RAISED, (await ticketOf(id)).price]).toEqual([[true, true, true, false], 99]);
  });

  test('shows only what the caller may see, and refuses what the call would refuse', async () => {
    const id = (await call('create', { title: 'Low', price: 1 })).text;
    const unseen = await rehearse({ id }, 'POST', '/services/d_Facade/raise', 'Ann');
    expect(unseen.status).toBe(200);
    expect(JSON.stringify(unseen.json().changes)).not.toContain('99');
    const late = await rehearse({ id, by: 'error' });
    expect([late.status, late.json().error]).toEqual([409, 'Too late']);
    expect((await rehearse({ id: crypto.randomUUID() })).status).toBe(404);
    for (const by of ['session', 'ticket']) {
      const response = await rehearse({ id, by });
      expect([response.status, response.text]).toEqual([400, expect.stringContaining('A rehearsal cannot')]);
    }
    expect(await ticketOf(id)).toMatchObject({ price: 1, version: 1 });
  });

  test('is refused for other methods and for another version of the model, before anything happens', async () => {
    for (const path of [
      '/services/d_Facade/create',
      '/services/d_Facade/create?dryRun=true',
      '/services/d_Desk/touchAll',
    ]) {
      const response = await rehearse(
        path.includes('create') ? { title: 'never', price: 1 } : { ids: [] },
        'POST',
        path,
      );
      expect([path, response.status, response.text]).toEqual([
        path,
        400,
        expect.stringContaining('cannot be rehearsed'),
      ]);
    }
    expect(await titles('never')).toBe(0);
    const wrong = await fixture.send('admin', 'POST', '/services/d_Facade/raise?dryRun=yes', {});
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('dryRun')]);
  });
});

test('a unit of work reads its own changes, and is committed or rolled back as a whole', async () => {
  expect((await call('two', { fails: true })).status).toBe(400);
  expect([await titles('one'), await titles('two')]).toEqual([0, 0]);
  expect((await call('two', { fails: false })).status).toBe(204);
  expect([await titles('one'), await titles('two')]).toEqual([1, 1]);
});

// Asserts contract/roles.md#attributes.
test('the serializer writes the JSON of the entity API and skips denied attributes on request', async () => {
  const [{ id }] = (await call('allPeople')).json();
  const whole = JSON.parse((await call('serialized', { id, skip: false }, 'Ann')).text);
  expect(whole).toMatchObject({ _entityName: 'd_Person', name: 'Ann', limit: 5, address: { street: 'A' } });
  const allowed = JSON.parse((await call('serialized', { id, skip: true }, 'Ann')).text);
  expect(allowed).toEqual({
    _entityName: 'd_Person',
    _instanceName: 'Ann',
    id,
    name: 'Ann',
    address: { city: 'Bern' },
  });
});
