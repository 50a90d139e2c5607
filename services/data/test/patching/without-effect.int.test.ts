import { defineApplication, loadQueries, predefinedQuery, restMethod, service, t } from '@lintel/application';
import {
  compositionOfMany,
  dateTime,
  elements,
  keyedEntity,
  localDate,
  localTime,
  offsetDateTime,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, viewAttributes } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

const clinic = defineApplication({
  id: 'c',
  name: 'Clinic',
  entities: [
    standardEntity('c_Visit', {
      attributes: {
        at: dateTime(),
        exact: dateTime().microseconds(),
        moment: offsetDateTime(),
        day: localDate(),
        opens: localTime(),
        fee: string(10),
        secretFee: string(10),
        state: string(10).readOnly(),
        label: string(20).computed(['fee'], ({ fee }) => `fee ${String(fee)}`),
        items: compositionOfMany('c_Item', 'visit'),
      },
    }),
    standardEntity('c_Item', {
      attributes: {
        visit: toOne('c_Visit').mandatory(),
        name: string(20),
        due: dateTime(),
        colours: elements(10),
        steps: compositionOfMany('c_Step', 'item'),
      },
    }),
    standardEntity('c_Step', { attributes: { item: toOne('c_Item').mandatory(), name: string(20) } }),
    keyedEntity('c_Code', {
      key: 'code',
      traits: {},
      attributes: { code: string(10), name: string(20), parts: compositionOfMany('c_CodePart', 'code') },
    }),
    keyedEntity('c_CodePart', { key: 'part', traits: {}, attributes: { part: string(10), code: toOne('c_Code') } }),
  ],
  queries: [
    predefinedQuery('c_Visit', 'since', {
      text: 'select v from c_Visit v where v.at >= :since',
      fetchPlan: '_local',
      parameters: { since: 'dateTime' },
    }),
  ],
  services: [
    service('c_Clock', {
      text: restMethod({ params: { at: t.dateTime }, returns: t.string }, ({ at }) => String(at)),
      first: restMethod({ params: { visits: t.list(t.entity('c_Visit')) }, returns: t.string }, ({ visits }) =>
        String(visits[0]?.['at']),
      ),
    }),
  ],
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('c_Visit', 'create', 'read', 'update'),
        entityPolicy('c_Item', 'create', 'read', 'update'),
        modifyAttributes('c_Visit', 'at'),
        viewAttributes('c_Visit', 'fee', 'items', 'state', 'label', 'version', 'createdBy', 'lastModifiedDate'),
        modifyAttributes('c_Item', '*'),
      ],
    }),
  ],
});

const users = { admin: { resourceRoles: ['system-full-access'] }, clerk: { resourceRoles: ['clerk'] } };

let lenient: DataFixture;
let converting: DataFixture;
let refusing: DataFixture;
beforeAll(async () => {
  const application = await loadQueries(clinic, [], () => Promise.reject(new Error('none')));
  const started = (offsets: string) => startData(application, users, { 'svc.rest.date-time-offset': offsets });
  [lenient, converting, refusing] = await Promise.all([
    startData(application, users),
    started('convert'),
    started('refuse'),
  ]);
});
afterAll(async () => {
  await Promise.all([lenient?.close(), converting?.close(), refusing?.close()]);
});

const STRICT = { prefer: 'handling=strict' };
const VISITS = '/entities/c_Visit';
const OFFSET = '2026-03-01T10:00:00+02:00';

const where = (property: string, value: unknown) => ({ filter: { conditions: [{ property, operator: '=', value }] } });
const encoded = (json: unknown) => encodeURIComponent(JSON.stringify(json));
const shown = async (response: Awaited<ReturnType<DataFixture['send']>>) => [
  response.status,
  response.status < 300 ? response.headers.get('x-ignored') : response.json().details,
];
const outcome = async (...[user, ...request]: Parameters<DataFixture['send']>) =>
  shown(await lenient.send(user, ...request));
const create = async (data: DataFixture, body: object) => {
  const response = await data.send('admin', 'POST', `${VISITS}?responseFetchPlan=_local`, body);
  return { ...response.json(), ignored: response.headers.get('x-ignored'), status: response.status };
};
const count = async (data: DataFixture, body: object) => {
  const response = await data.send('admin', 'POST', `${VISITS}/search/count`, body);
  return [response.text, response.headers.get('x-ignored')];
};

describe('the offset of a dateTime (contract/decisions.md#78)', () => {
  test('is ignored and named, wherever a client sends one', async () => {
    expect(await create(lenient, { at: OFFSET, day: '2026-03-01+02:00' })).toMatchObject({
      at: '2026-03-01T10:00:00.000',
      ignored: 'body.at;offset, body.day;offset',
    });
    expect(await count(lenient, where('at', OFFSET))).toEqual(['1', 'body.filter.conditions.value;offset']);
    const url = `${VISITS}/search?filter=${encoded(where('at', OFFSET).filter)}`;
    expect(await outcome('admin', 'GET', url)).toEqual([200, 'query.filter.conditions.value;offset']);
    const since = encodeURIComponent(OFFSET);
    expect(await outcome('admin', 'GET', `/queries/c_Visit/since?since=${since}`)).toEqual([200, 'query.since;offset']);
    expect(await outcome('admin', 'POST', '/queries/c_Visit/since', { since: OFFSET })).toEqual([
      ...[200, 'body.since;offset'],
    ]);
    expect(await outcome('admin', 'GET', `/services/c_Clock/text?at=${since}`)).toEqual([200, 'query.at;offset']);
    const visits = { visits: [{ at: OFFSET }] };
    expect(await outcome('admin', 'POST', '/services/c_Clock/first', visits)).toEqual([200, 'body.visits.at;offset']);
    expect(await create(lenient, { items: [{ due: OFFSET }, { due: OFFSET }] })).toMatchObject({
      ignored: 'body.items.due;offset',
    });
    expect((await create(lenient, { at: '2026-03-01T10:00:00' })).ignored).toBeNull();
  });

  test('is refused under handling=strict, and nothing changes', async () => {
    const before = (await count(lenient, { filter: {} }))[0];
    for (const [method, path, body, name] of [
      ['POST', VISITS, { at: OFFSET }, 'at'],
      ['POST', `${VISITS}/search`, where('at', OFFSET), 'filter.conditions.value'],
      ['POST', '/queries/c_Visit/since', { since: OFFSET }, 'since'],
      ['POST', '/services/c_Clock/text', { at: OFFSET }, 'at'],
    ] as const)
      expect(await outcome('admin', method, path, body, STRICT)).toEqual([
        400,
        `The offset of '${name}' has no effect`,
      ]);
    expect((await count(lenient, { filter: {} }))[0]).toBe(before);
  });

  // Asserts contract/instances.md#times.
  test('is converted to UTC with convert', async () => {
    const stored = '2026-03-01T08:00:00.000';
    expect(await create(converting, { at: OFFSET })).toMatchObject({ at: stored, ignored: null });
    expect(await count(converting, where('at', OFFSET))).toEqual(['1', null]);
    expect(
      await count(converting, { filter: { conditions: [{ property: 'at', operator: 'in', value: [OFFSET] }] } }),
    ).toEqual(['1', null]);
    const called = await converting.send('admin', 'POST', '/services/c_Clock/text', { at: OFFSET });
    expect([called.text, called.headers.get('x-ignored')]).toEqual([stored, null]);
    const since = await converting.send('admin', 'POST', '/queries/c_Visit/since', {
      since: '2026-03-01T10:00:01+02:00',
    });
    expect(since.json()).toEqual([]);
    expect((await converting.send('admin', 'POST', VISITS, { at: '0001-01-01T00:00:00+02:00' })).status).toBe(400);
  });

  test('is refused with refuse', async () => {
    expect(await create(refusing, { at: OFFSET })).toMatchObject({ status: 400 });
    const send = (path: string, body: object) => refusing.send('admin', 'POST', path, body);
    expect((await send(`${VISITS}/search`, where('at', OFFSET))).status).toBe(400);
    expect((await send('/queries/c_Visit/since', { since: OFFSET })).status).toBe(400);
    expect((await send('/services/c_Clock/text', { at: OFFSET })).status).toBe(400);
    expect(await create(refusing, { at: '2026-03-01T10:00:00', moment: OFFSET })).toMatchObject({ status: 201 });
  });

  test('is read by a test of a JSON Patch as by a write', async () => {
    const patched = async (data: DataFixture, at: string, ...more: readonly object[]) => {
      const { id } = await create(data, { at });
      const operations = [...more, { op: 'test', path: '/at', value: OFFSET }];
      const type = { 'content-type': 'application/json-patch+json' };
      return shown(await data.send('admin', 'PATCH', `${VISITS}/${id}`, operations, type));
    };
    expect(await patched(lenient, '2026-03-01T10:00:00')).toEqual([200, 'body.at;offset']);
    expect(await patched(converting, '2026-03-01T08:00:00')).toEqual([200, null]);
    expect(await patched(converting, '2026-03-01T10:00:00')).toEqual([409, 'operations[0]: /at has another value']);
    const set = { op: 'replace', path: '/at', value: '2026-03-01T08:00:00Z' };
    expect(await patched(converting, '2026-03-01T10:00:00', set)).toEqual([200, null]);
    expect((await patched(refusing, '2026-03-01T10:00:00'))[0]).toBe(400);
  });
});

describe('fractions beyond what is stored (contract/decisions.md#88)', () => {
  test('are cut and named, in bodies and filters alike', async () => {
    const body = { at: '2026-05-01T10:00:00.1239', exact: '2026-05-01T10:00:00.1234569', opens: '10:00:00.5' };
    expect(await create(lenient, { ...body, moment: '2026-05-01T10:00:00.1239Z' })).toMatchObject({
      at: '2026-05-01T10:00:00.123',
      exact: '2026-05-01T10:00:00.123456',
      opens: '10:00:00',
      ignored: 'body.at;fraction, body.exact;fraction, body.moment;fraction, body.opens;fraction',
    });
    for (const [name, value] of Object.entries(body))
      expect([name, await count(lenient, where(name, value))]).toEqual([
        ...[name, ['1', 'body.filter.conditions.value;fraction']],
      ]);
  });

  test('of zeros lose nothing', async () => {
    expect((await create(lenient, { at: '2026-05-01T10:00:00.123000', opens: '10:00:00.000' })).ignored).toBeNull();
    expect(await outcome('admin', 'POST', VISITS, { at: '2026-05-01T10:00:00.1230001' }, STRICT)).toEqual([
      ...[400, "The fraction of 'at' has no effect"],
    ]);
  });
});

describe('attributes that the caller may view and not set (contract/decisions.md#81)', () => {
  test('are dropped and named; a hidden one is as an unknown one', async () => {
    const { id } = await create(lenient, { fee: '5', secretFee: '6' });
    const put = (body: object, headers = {}) => outcome('clerk', 'PUT', `${VISITS}/${id}`, body, headers);
    expect(await put({ fee: '7', state: 'x', at: null })).toEqual([200, 'body.state, body.fee']);
    expect(await put({ fee: '7' }, STRICT)).toEqual([400, "'fee' is read-only"]);
    expect(await put({ items: [{ name: 'a', nam: 1 }] })).toEqual([200, 'body.items.nam, body.items']);
    expect(await put({ secretFee: OFFSET, moment: OFFSET, nothing: 1 })).toEqual([
      ...[200, 'body.secretFee, body.moment, body.nothing'],
    ]);
    expect(await put({ secretFee: '7' }, STRICT)).toEqual([400, "Unknown member 'secretFee'"]);
    expect(await outcome('clerk', 'PUT', VISITS, [{ id, fee: '7' }])).toEqual([200, 'body.fee']);
    expect(await outcome('clerk', 'POST', VISITS, { fee: '7' })).toEqual([201, 'body.fee']);
    expect(await outcome('admin', 'PUT', `${VISITS}/${id}`, { state: 'x' }, STRICT)).toEqual([
      ...[400, "'state' is read-only"],
    ]);
    const stored = (await lenient.send('admin', 'GET', `${VISITS}/${id}`)).json();
    expect([stored.fee, stored.state]).toEqual(['5', undefined]);
  });

  test('ids, versions, audit, computed and _… members may be sent back as read, even if unknown members are refused', async () => {
    const { id } = await create(lenient, { items: [{ name: 'a' }] });
    const plan = encoded({
      entity: 'c_Visit',
      properties: ['at', 'label', 'createdBy', 'lastModifiedDate', 'version'],
    });
    const read = (await lenient.send('clerk', 'GET', `${VISITS}/${id}?fetchPlan=${plan}`)).json();
    expect(Object.keys(read)).toEqual(expect.arrayContaining(['id', 'version', 'label', 'createdBy', '_instanceName']));
    const sent = { ...read, _links: {}, _entityName: 'c_Visit' };
    expect(await outcome('clerk', 'PUT', `${VISITS}/${id}`, sent, STRICT)).toEqual([200, null]);
    const children = encoded({
      entity: 'c_Visit',
      properties: [
        'label',
        { name: 'items', fetchPlan: { entity: 'c_Item', extends: ['_local'], properties: ['visit'] } },
      ],
    });
    const whole = (await lenient.send('admin', 'GET', `${VISITS}/${id}?fetchPlan=${children}`)).json();
    expect(await outcome('admin', 'PUT', `${VISITS}/${id}`, whole, STRICT)).toEqual([200, null]);
  });
});

// Asserts contract/conventions.md#unknown.
test('another id than the one of the instance is named, and refused under handling=strict', async () => {
  const path = '/entities/c_Code/k1';
  expect(await outcome('admin', 'POST', '/entities/c_Code', { id: 'k1', code: 'k2' })).toEqual([201, 'body.code']);
  expect(await outcome('admin', 'PUT', path, { id: 'k1', code: 'k1', name: 'a' }, STRICT)).toEqual([200, null]);
  expect(await outcome('admin', 'PUT', path, { code: 'k3' })).toEqual([200, 'body.code']);
  expect(await outcome('admin', 'PUT', path, { id: 'k3', code: 7, name: 'b' })).toEqual([200, 'body.id, body.code']);
  expect(await outcome('admin', 'PUT', path, { id: 'k3', name: 'c' }, STRICT)).toEqual([400, "'id' is read-only"]);
  expect(await outcome('admin', 'PUT', '/entities/c_Code', [{ id: 'k1', code: 'k3' }])).toEqual([200, 'body.code']);
  const parts = [{ id: 'p1', part: 'p2' }];
  expect(await outcome('admin', 'PUT', path, { parts })).toEqual([200, 'body.parts.part']);
  expect((await lenient.send('admin', 'GET', path)).json()).toMatchObject({ id: 'k1', name: 'b' });
  expect((await lenient.send('admin', 'GET', '/entities/c_Code/k3')).status).toBe(404);
});

test('under handling=strict a child must name a collection that another one names (contract/decisions.md#82)', async () => {
  const items = [
    { name: 'a', steps: [{ name: 's' }], colours: ['red'] },
    { name: 'b', steps: [{ name: 't' }], colours: ['blue'] },
  ];
  const path = `${VISITS}?responseFetchPlan=${encoded({ entity: 'c_Visit', properties: [{ name: 'items', fetchPlan: '_local' }] })}`;
  const { id, items: made } = (await lenient.send('admin', 'POST', path, { items })).json();
  const [one, other] = made as { id: string; name: string }[];
  const put = (changed: readonly object[], headers = {}) =>
    outcome('admin', 'PUT', `${VISITS}/${id}`, { items: changed }, headers);
  for (const name of ['steps', 'colours'])
    expect(
      await put(
        [
          { id: one?.id, [name]: [] },
          { id: other?.id, name: 'c' },
        ],
        STRICT,
      ),
    ).toEqual([
      ...[400, `'items[1]' must name '${name}', since another member of 'items' does: it would become empty`],
    ]);
  expect(await put([{ id: one?.id, name: 'x' }, { id: other?.id }], STRICT)).toEqual([200, null]);
  expect(await put([{ id: one?.id, steps: [] }, { id: other?.id }])).toEqual([200, null]);
});

describe('keys that no URL reaches', () => {
  test.each(['', '.', '..', 'search'])('%j is refused for a root, in batches, too', async (code) => {
    const message = `'code' must not be '${code}': no URL could name the instance`;
    expect(await outcome('admin', 'POST', '/entities/c_Code', { code })).toEqual([400, `Attribute ${message}`]);
    expect(await outcome('admin', 'POST', '/entities/c_Code', { id: code, parts: [{ part: 'x' }] })).toEqual([
      ...[400, `Attribute ${message}`],
    ]);
    expect(await outcome('admin', 'POST', '/entities/c_Code', [{ code: `ok${code.length}` }, { code }])).toEqual([
      ...[400, `Attribute ${message.replace('code', 'entities[1].code')}`],
    ]);
  });

  test('children are not named by a URL', async () => {
    const parts = ['.', '..', 'search'].map((part) => ({ part }));
    expect((await outcome('admin', 'POST', '/entities/c_Code', { code: 'c', parts }))[0]).toBe(201);
    for (const code of ['Search', ' ', '...'])
      expect((await outcome('admin', 'POST', '/entities/c_Code', { code }))[0]).toBe(201);
  });
});

test('a text of another kind must be a text (contract/decisions.md#49)', async () => {
  for (const fee of [5, true, {}, []])
    expect(await outcome('admin', 'POST', VISITS, { fee })).toEqual([400, "Attribute 'fee' must be a text"]);
  expect(await outcome('admin', 'POST', VISITS, { fee: 'a\u0000' })).toEqual([
    ...[400, "Attribute 'fee' must be a text without the character NUL"],
  ]);
});
