import { type DataFixture, startData } from '../data-fixture.ts';
import { desk } from './desk-application.ts';

let fixture: DataFixture;
let ann: string;
let ticket: string;

beforeAll(async () => {
  fixture = await startData(desk, {
    admin: { resourceRoles: ['system-full-access'] },
    reader: { resourceRoles: ['reader'], rowLevelRoles: ['own-kind'] },
    stranger: { resourceRoles: ['stranger'] },
    visitor: { resourceRoles: ['visitor'] },
  });
  const create = async (entity: string, values: unknown): Promise<string> =>
    (await fixture.send('admin', 'POST', `/entities/${entity}`, values)).json().id;
  ann = await create('d_Person', {
    name: 'Ann',
    limit: '10.50',
    password: 'x',
    address: { city: 'Bern', street: 'A' },
  });
  ticket = await create('d_Ticket', { title: 'Alps', price: '12.30', owner: { id: ann }, notes: [{ text: 'n' }] });
  await create('d_Ticket', { title: 'Beach' });
});
afterAll(() => fixture.close());

const call = (method: string, parameters: Readonly<Record<string, unknown>> = {}, user = 'admin') =>
  fixture.send(user, 'POST', `/services/d_Results/${method}`, parameters);

// Asserts contract/errors.md#catalogue, contract/services.md#result.
test.each(['nothing', 'nullText'])('void and null return 204 without a body: %s', async (method) => {
  const response = await call(method);
  expect([response.status, response.text, response.headers.get('content-type')]).toEqual([204, '', null]);
});

// Asserts contract/decisions.md#26, contract/decisions.md#57, contract/errors.md#catalogue,
// contract/services.md#result.
test.each([
  ['text', 'plain "text" <&>'],
  ['int', '7'],
  ['long', '9007199254740993'],
  ['decimal', '10.50'],
  ['double', '1.234'],
  ['uuid', '0d000000-0000-4000-8000-000000000001'],
  ['localDate', '2026-02-03'],
  ['localTime', '10:20:00'],
  ['dateTime', '2026-02-03T04:05:00.000'],
  ['offsetDateTime', '2026-02-03T03:05:06.000Z'],
  ['fileRef', 'fs://2026/01/a.txt?name=a.txt'],
  ['bytes', 'AQID'],
  ['undeclaredText', 'as it is'],
  ['undeclaredNumber', '12'],
  ['undeclaredDate', '2026-02-03T04:05:06.007'],
])('a single value is plain text: %s', async (method, text) => {
  const response = await call(method);
  expect([response.status, response.headers.get('content-type'), response.text]).toEqual([
    200,
    'text/plain;charset=UTF-8',
    text,
  ]);
});

// Asserts contract/decisions.md#61.
test.each([
  ['text', '"plain \\"text\\" <&>"'],
  ['int', '7'],
  ['long', '9007199254740993'],
  ['decimal', '10.50'],
  ['double', '1.234'],
  ['localDate', '"2026-02-03"'],
  ['bytes', '"AQID"'],
  ['undeclaredText', '"as it is"'],
  ['undeclaredNumber', '12'],
  ['undeclaredDate', '"2026-02-03T04:05:06.007"'],
])('a single value is JSON if Accept names JSON before text: %s', async (method, text) => {
  const sent = { accept: 'application/json, text/plain, */*' };
  const response = await fixture.send('admin', 'GET', `/services/d_Results/${method}`, undefined, sent);
  expect([response.status, response.headers.get('content-type'), response.headers.get('vary'), response.text]).toEqual([
    200,
    'application/json',
    expect.stringContaining('Accept'),
    text,
  ]);
});

// Asserts contract/decisions.md#61.
test.each(['*/*', 'text/plain, application/json', '*/*, application/json', 'application/json;q=0.5, text/*'])(
  'a single value is plain text for Accept: %s',
  async (accept) => {
    const response = await fixture.send('admin', 'GET', '/services/d_Results/text', undefined, { accept });
    expect([response.headers.get('content-type'), response.text]).toEqual([
      'text/plain;charset=UTF-8',
      'plain "text" <&>',
    ]);
  },
);

// Asserts contract/decisions.md#26, contract/decisions.md#57, contract/services.md#result.
test('single values are sent for every Accept', async () => {
  const response = await fixture.send('admin', 'GET', '/services/d_Results/int', undefined, { accept: 'image/png' });
  expect([response.status, response.text]).toEqual([200, '7']);
});

// Asserts contract/decisions.md#26, contract/services.md#result.
test.each([
  ['boolean', 'false'],
  ['kind', '"FANCY"'],
])('%s is JSON', async (method, text) => {
  const response = await call(method);
  expect([response.status, response.headers.get('content-type'), response.text]).toEqual([
    200,
    'application/json',
    text,
  ]);
});

// Asserts contract/decisions.md#67.
test.each([
  ['valueText', 'text/plain;charset=UTF-8', 'as it is'],
  ['valueObject', 'application/json', '{"a":1}'],
  ['valueTicket', 'application/json', expect.stringContaining('"_instanceName":"Alps of Ann"')],
  ['nothing', null, ''],
])('the value determines the response of a method without a declared result: %s', async (method, type, text) => {
  const response = await call(method);
  expect([response.headers.get('content-type'), response.text]).toEqual([type, text]);
});

// Asserts contract/services.md#result.
test('an entity has the form of the entity API, with all loaded attributes and its instance name', async () => {
  const response = await call('ticket', { id: ticket });
  expect(response.headers.get('content-type')).toBe('application/json');
  const byEntityApi = await fixture.send('admin', 'GET', `/entities/d_Ticket/${ticket}`);
  expect(response.json()).toEqual(byEntityApi.json());
  expect(response.json()).toMatchObject({ _entityName: 'd_Ticket', _instanceName: 'Alps of Ann', id: ticket });
  expect(response.text).toContain('"price":12.30');
});

test('a missing entity is null', async () => {
  expect((await call('ticket', { id: '00000000-0000-4000-8000-00000000dead' })).status).toBe(204);
});

// Asserts contract/services.md#result.
test('collections of entities are arrays, whether declared or recognized by their members', async () => {
  for (const method of ['tickets', 'undeclaredTickets']) {
    const response = await call(method);
    expect(response.json()).toMatchObject([
      { _entityName: 'd_Ticket', _instanceName: 'Alps of Ann' },
      { _entityName: 'd_Ticket', _instanceName: 'Beach of ' },
    ]);
  }
});

// Asserts contract/roles.md#attributes-read, contract/roles.md#operations, contract/services.md#result.
test('attributes that the caller may not view are omitted, embedded ones too, and are not part of the instance name', async () => {
  const response = await call('ticket', { id: ticket }, 'reader');
  expect(response.json()).toEqual({
    _entityName: 'd_Ticket',
    _instanceName: 'Alps of Ann',
    id: ticket,
    title: 'Alps',
    owner: { _entityName: 'd_Person', _instanceName: 'Ann', id: ann, name: 'Ann', address: { city: 'Bern' } },
  });
});

// Asserts contract/roles.md#operations, contract/services.md#result.
test('references to entities that the caller may not read are omitted, in the instance name too', async () => {
  const response = await call('ticket', { id: ticket }, 'stranger');
  expect(response.json()).toMatchObject({
    _entityName: 'd_Ticket',
    _instanceName: 'Alps of ',
    title: 'Alps',
    price: 12.3,
  });
  expect(response.json()).not.toHaveProperty('owner');
});

// Asserts contract/roles.md#attributes-read.
test('an embedded object needs the right to read the embeddable, as in the entity API', async () => {
  const byEntityApi = await fixture.send('visitor', 'GET', `/entities/d_Person/${ann}`);
  const response = await call('person', { id: ann }, 'visitor');
  expect(response.json()).toEqual({ _entityName: 'd_Person', _instanceName: 'Ann', id: ann, name: 'Ann' });
  expect(response.json()).toEqual(byEntityApi.json());
});

// Asserts contract/roles.md#attributes-read.
test('a key under its own name needs no right', async () => {
  expect((await call('counter', {}, 'visitor')).text).toBe(
    '{"_entityName":"d_Counter","_instanceName":"d_Counter-9007199254740993","id":9007199254740993,"number":9007199254740993,"hits":2}',
  );
});

// Asserts contract/instances.md#object, contract/roles.md#attributes-read.
test('secret attributes are never sent', async () => {
  expect((await call('person', { id: ann })).json()).not.toHaveProperty('password');
});

// Asserts contract/instances.md#object.
test('an instance that contains itself is written with its identity only', async () => {
  const { tickets } = (await call('ring', { id: ann })).json();
  expect(tickets[0].owner).toEqual({ _entityName: 'd_Person', _instanceName: 'Ring', id: ann });
});

// Asserts contract/instances.md#object.
test('integer keys are numbers, exact beyond 2^53, and a key with its own name is written under both names', async () => {
  expect((await call('counter')).text).toBe(
    '{"_entityName":"d_Counter","_instanceName":"d_Counter-9007199254740993","id":9007199254740993,"number":9007199254740993,"hits":2}',
  );
});

// Asserts contract/roles.md#operations.
test('the attribute policies apply to an instance that is not stored', async () => {
  expect((await call('offer', { id: ticket })).text).toContain('"total":12.30');
  const limited = (await call('offer', { id: ticket }, 'stranger')).json();
  // The attribute may be viewed, the entity that it refers to may not be read.
  // Without a key and a definition it has the name of its entity (contract/instances.md#instance-name).
  expect(limited).toEqual({ _entityName: 'd_Offer', _instanceName: 'd_Offer' });
});

// Asserts contract/services.md#result.
test('an object is JSON: nulls omitted, dates and numbers exact, nested instances without a name', async () => {
  const response = await call('box', { id: ticket });
  const { ticket: inside, big: _rounded, ...rest } = response.json();
  expect(rest).toEqual({
    at: '2026-02-03T04:05:06.007',
    bytes: 'AQID',
    map: { a: 1 },
    list: [1, null, 'x'],
  });
  expect(response.text).toContain('"big":12345678901234567890');
  expect(inside).toMatchObject({ _entityName: 'd_Ticket', title: 'Alps' });
  expect(inside).not.toHaveProperty('_instanceName');
});

// Asserts contract/conventions.md#nothing-leaks, contract/services.md#result.
test('instances inside an object have only the attributes that the caller may view', async () => {
  expect((await call('box', { id: ticket }, 'stranger')).json().ticket).not.toHaveProperty('owner');
  expect((await call('box', { id: ticket }, 'reader')).json().ticket).not.toHaveProperty('price');
});

test('lists of scalars and objects with declared members are JSON according to their types', async () => {
  expect((await call('numbers')).text).toBe('[1.10,2.200]');
  expect((await call('record')).text).toBe('{"total":0.10}');
});

// Asserts contract/services.md#result.
test('a result that does not match its declaration is a bug of the application: 500 without details', async () => {
  const response = await call('wrong');
  expect([response.status, response.json()]).toEqual([500, { error: 'Server error', details: '' }]);
});

// Asserts contract/dynamic-attributes.md#reading.
test('dynamic attributes are sent if they were loaded, with references that the caller may read', async () => {
  const attributes = [
    { name: 'Rate', code: 'rate', dataType: 'DECIMAL' },
    { name: 'Days', code: 'days', dataType: 'DATE_WITHOUT_TIME', isCollection: true },
    { name: 'Best', code: 'best', dataType: 'ENTITY', entityClass: 'd_Ticket' },
  ];
  const category = { name: 'More', entityType: 'd_Person', categoryAttrs: attributes };
  expect((await fixture.send('admin', 'POST', '/entities/dynat_Category', category)).status).toBe(201);
  const values = { '+rate': '1.50', '+days': ['2026-02-03'], '+best': { id: ticket } };
  expect((await fixture.send('admin', 'PUT', `/entities/d_Person/${ann}`, values)).status).toBe(200);
  const response = await call('personWithAll', { id: ann });
  const byEntityApi = await fixture.send('admin', 'GET', `/entities/d_Person/${ann}?dynamicAttributes=true`);
  expect(response.json()).toEqual(byEntityApi.json());
  expect(response.text).toContain('"+rate":1.50');
  const limited = (await call('personWithAll', { id: ann }, 'stranger')).json();
  expect(limited).toMatchObject({ '+rate': 1.5, '+days': ['2026-02-03'] });
  expect(limited).not.toHaveProperty('+best');
  expect((await call('person', { id: ann })).json()).not.toHaveProperty('+rate');
  const sent = { '+rate': '2.50', '+best': { id: ticket }, '+unknown': 1 };
  const echo = await fixture.send('admin', 'POST', '/services/d_Parameters/person', { person: sent });
  expect(echo.json()).toMatchObject({ '+rate': '2.50', '+best': { id: ticket } });
  expect(echo.json()).not.toHaveProperty('+unknown');
  const wrong = await fixture.send('admin', 'POST', '/services/d_Parameters/person', { person: { '+rate': 'x' } });
  expect(wrong.status).toBe(400);
});
