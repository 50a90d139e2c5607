import { bindApplication, defineApplication } from '@lintel/application';
import { compositionOfMany, embeddable, embedded, standardEntity, string, toOne } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, specificPolicy } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

const application = defineApplication({
  id: 'p',
  name: 'People',
  entities: [
    embeddable('p_Home', { attributes: { country: string(2), street: string(50).personal() } }),
    standardEntity('p_Person', {
      attributes: {
        code: string(20).mandatory(),
        email: string(100).personal(),
        home: embedded('p_Home'),
        contacts: compositionOfMany('p_Contact', 'person'),
        short: string(100).computed(['email'], ({ email }) => String(email).slice(0, 9)),
      },
      instanceName: ['email'],
      history: true,
    }),
    standardEntity('p_Contact', {
      attributes: { person: toOne('p_Person').mandatory(), phone: string(30).personal(), kind: string(10) },
    }),
    standardEntity('p_Order', {
      attributes: { number: string(10), person: toOne('p_Person').personal() },
      instanceName: ['number'],
      history: true,
    }),
  ],
  roles: [
    resourceRole('auditor', {
      name: 'Reads and writes everything, and no former values of persons',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('*', 'all'), modifyAttributes('*', '*'), specificPolicy('history.read')],
    }),
    resourceRole('officer', {
      name: 'The same with the values of persons, except for those of their homes',
      childRoles: ['auditor'],
      policies: ['p_Person', 'p_Contact'].map((name) => specificPolicy(`personal.read.${name}`)),
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(bindApplication(application, []), {
    admin: { resourceRoles: ['system-full-access'] },
    auditor: { resourceRoles: ['auditor'] },
    officer: { resourceRoles: ['officer'] },
  });
});
afterAll(() => data.close());

const ask = async (user: string, path: string) => {
  const response = await data.send(user, 'GET', path);
  expect([response.status, response.text, data.errors]).toEqual([200, expect.anything(), []]);
  return response.json();
};
const write = async (method: string, path: string, body?: unknown, user = 'admin') => {
  const response = await data.send(user, method, `/entities/${path}`, body);
  expect([response.status < 300, response.text]).toEqual([true, expect.any(String)]);
  return response.text === '' ? undefined : response.json();
};
const WHOLE = encodeURIComponent(
  '{"entity":"p_Person","properties":["code","email","short",{"name":"home","fetchPlan":"_local"},{"name":"contacts","fetchPlan":"_local"}]}',
);

/** A person whose former values begin with `former`, with an order, and the time at which they were there. */
async function createPerson() {
  const home = { country: 'DE', street: 'former street' };
  const contacts = [{ phone: 'former phone', kind: 'old' }];
  const { id } = await write('POST', 'p_Person', { code: 'P1', email: 'former@example.org', home, contacts });
  const { id: order } = await write('POST', 'p_Order', { number: 'N1', person: { id } });
  const [row] = await data.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const person = await ask('admin', `/entities/p_Person/${id}?fetchPlan=${WHOLE}`);
  await write('PUT', `p_Person/${id}`, {
    ...{ code: 'P2', email: 'now@example.org', home: { country: 'AT', street: 'now street' } },
    contacts: [{ id: person.contacts[0].id, phone: 'now phone', kind: 'new' }],
  });
  return { id, order, time: row?.now.toISOString() ?? '' };
}

// Asserts contract/personal-data.md#masks.
test('changes of personal values are named, and only holders of the permission see the values', async () => {
  const { id } = await createPerson();
  const [latest, first] = await ask('auditor', `/history/p_Person/${id}`);
  expect(latest.attributes).toEqual([
    { attribute: 'code', old: 'P1', new: 'P2' },
    { attribute: 'email', masked: true },
    {
      ...{ attribute: 'home', masked: true },
      old: expect.objectContaining({ country: 'DE' }),
      new: expect.objectContaining({ country: 'AT' }),
    },
  ]);
  expect(latest.children).toEqual([
    {
      ...{ attribute: 'contacts', entity: 'p_Contact', id: expect.any(String), operation: 'updated' },
      attributes: [
        { attribute: 'phone', masked: true },
        { attribute: 'kind', old: 'old', new: 'new' },
      ],
    },
  ]);
  expect(first.operation).toBe('created');
  const [shown] = await ask('officer', `/history/p_Person/${id}`);
  expect(shown.attributes).toContainEqual({ attribute: 'email', old: 'former@example.org', new: 'now@example.org' });
  expect(shown.children[0].attributes).toContainEqual({ attribute: 'phone', old: 'former phone', new: 'now phone' });
  expect(JSON.stringify(shown)).not.toContain('street');
  const [all] = await ask('admin', `/history/p_Person/${id}`);
  expect(all.attributes[2]).toMatchObject({ old: { street: 'former street' }, new: { street: 'now street' } });
  const about = await ask('auditor', `/history/p_Person/${id}?attribute=email`);
  expect(about.map(({ operation }: { operation: string }) => operation)).toEqual(['updated', 'created']);
});

test('no road to a history has a former value, a former name or what is computed of them', async () => {
  const { id, order, time } = await createPerson();
  await write('DELETE', `p_Order/${(await createPerson()).order}`);
  const roads = [
    ...['', '?limit=1', '?attribute=email', `/diff?from=${time}`, '/diff?from=2020-01-01T00:00:00Z'],
    ...['_base', '_local', '_instance_name', WHOLE].map((plan) => `/at?time=${time}&fetchPlan=${plan}`),
  ].map((road) => `/history/p_Person/${id}${road}`);
  roads.push(`/history/p_Order/${order}`, `/history/p_Order/${order}/at?time=${time}&fetchPlan=_base`, '/history');
  for (const road of roads) {
    const response = await data.send('auditor', 'GET', road);
    expect([road, response.status, response.text]).toEqual([road, 200, expect.not.stringMatching(/former|now@/)]);
    expect(JSON.stringify([...response.headers])).not.toContain('former');
  }
  const at = await ask('auditor', `/history/p_Person/${id}/at?time=${time}&fetchPlan=${WHOLE}`);
  expect(at).toMatchObject({ code: 'P1', home: { country: 'DE' }, contacts: [{ kind: 'old' }] });
  const known = await ask('admin', `/history/p_Person/${id}/at?time=${time}&fetchPlan=${WHOLE}`);
  expect(known).toMatchObject({ email: 'former@example.org', short: 'former@ex' });
  // Ordinary reads are as before.
  expect(await ask('auditor', `/entities/p_Person/${id}?fetchPlan=_base`)).toMatchObject({ email: 'now@example.org' });
});

// Asserts contract/personal-data.md#erase.
test('an erased change names its attributes, without values, for all callers', async () => {
  const { id } = await createPerson();
  const erased = `'{"email": null, "home_street": null}'`;
  await data.query(`UPDATE history.entry SET before = before || ${erased}, after = after || ${erased},
    secrets = CASE WHEN before IS NOT NULL THEN '{email,home_street}'::text[] END WHERE key = '["${id}"]'`);
  for (const user of ['admin', 'auditor']) {
    const [latest] = await ask(user, `/history/p_Person/${id}?attribute=email`);
    expect(latest).toMatchObject({ operation: 'updated', secrets: ['email', 'home'] });
    expect(latest.attributes.map(({ attribute }: { attribute: string }) => attribute)).toEqual(['code', 'home']);
    const all = await ask(user, '/history?limit=20');
    expect(all.find((one: { change: string }) => one.change === latest.change).secrets).toEqual(['email', 'home']);
  }
});

test('histories with equal shown values have equal responses, whatever the masked ones were', async () => {
  const historyWith = async (email: string, phone: string) => {
    const { id } = await write('POST', 'p_Person', { code: 'X', email, contacts: [{ phone, kind: 'k' }] });
    const { contacts } = await ask('admin', `/entities/p_Person/${id}?fetchPlan=${WHOLE}`);
    await write('PUT', `p_Person/${id}`, { email: 'same', contacts: [{ id: contacts[0].id, phone: 'same' }] });
    const roads = ['', '?attribute=email', '/diff?from=2020-01-01T00:00:00Z', '/at?time=2100-01-01T00:00:00Z'];
    const texts = [];
    for (const road of roads) texts.push((await data.send('auditor', 'GET', `/history/p_Person/${id}${road}`)).text);
    return texts.join('\n').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z?|"trace":"[^"]*"/g, '');
  };
  expect(await historyWith('one', '1')).toBe(await historyWith('another value', '22222'));
});

test('a restoration and an undo by a caller without the permission leave personal values as they are', async () => {
  const { id, time } = await createPerson();
  const restored = await data.send('auditor', 'POST', `/history/p_Person/${id}/restore`, { time });
  expect([restored.status, restored.text]).toEqual([200, expect.not.stringContaining('former')]);
  expect(await ask('admin', `/entities/p_Person/${id}?fetchPlan=${WHOLE}`)).toMatchObject({
    ...{ code: 'P1', email: 'now@example.org', home: { country: 'DE', street: 'now street' } },
    contacts: [{ phone: 'now phone', kind: 'old' }],
  });
  const named = { time, attributes: ['email'] };
  expect((await data.send('auditor', 'POST', `/history/p_Person/${id}/restore`, named)).status).toBe(400);

  const [, change] = await ask('auditor', `/history/p_Person/${(await createPerson()).id}`);
  const other = await createPerson();
  const [latest] = await ask('auditor', `/history/p_Person/${other.id}`);
  const undo = `/history/changes/${latest.change}/undo`;
  const rehearsed = await data.send('auditor', 'POST', `${undo}?dryRun=true`);
  expect([rehearsed.status, rehearsed.text]).toEqual([200, expect.not.stringContaining('former')]);
  expect((await data.send('auditor', 'POST', undo)).status).toBe(200);
  expect(await ask('admin', `/entities/p_Person/${other.id}?fetchPlan=${WHOLE}`)).toMatchObject({
    ...{ code: 'P1', email: 'now@example.org', contacts: [{ phone: 'now phone', kind: 'old' }] },
  });
  expect(change.operation).toBe('created');
  // What would be created again without its personal values is not.
  const gone = await createPerson();
  await write('DELETE', `p_Order/${gone.order}`);
  await write('DELETE', `p_Person/${gone.id}`);
  const [deletion] = await ask('auditor', `/history/p_Person/${gone.id}`);
  expect((await data.send('auditor', 'POST', `/history/changes/${deletion.change}/undo`)).status).toBe(403);
  expect((await data.send('admin', 'POST', `/history/changes/${deletion.change}/undo`)).status).toBe(200);
});
