import { type DataFixture, startData } from '../data-fixture.ts';
import { desk } from './desk-application.ts';

const PERSON = '00000000-0000-4000-8000-000000000001';

let fixture: DataFixture;

beforeAll(async () => {
  fixture = await startData(
    desk,
    {
      admin: { resourceRoles: ['system-full-access'] },
      nobody: { resourceRoles: [] },
      anonymous: { resourceRoles: [], kind: 'anonymous' },
    },
    { 'svc.rest.anonymous-url-patterns': '/rest/services/d_Results/int' },
  );
});
afterAll(() => fixture.close());

const get = (path: string, parameters: Readonly<Record<string, string>> = {}) =>
  fixture.send('admin', 'GET', `/services/${path}?${new URLSearchParams(parameters)}`);
const post = (path: string, body?: unknown, query = '') =>
  fixture.send('admin', 'POST', `/services/${path}${query}`, body);

describe('listing', () => {
  // Asserts contract/services.md#listing.
  test('all services are listed with their methods, parameters and types', async () => {
    const response = await fixture.send('admin', 'GET', '/services');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.json().map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['d_Desk', 'd_Results', 'd_Component']),
    );
  });

  // Asserts contract/services.md#exposure.
  test('a method declared in code is listed for GET and for POST, a restricted one once', async () => {
    const { methods } = (await fixture.send('admin', 'GET', '/services/d_Desk')).json();
    expect(methods.filter(({ name }: { name: string }) => name === 'greet')).toEqual([
      { name: 'greet', httpMethod: 'GET', params: [{ name: 'name', type: 'java.lang.String', required: true }] },
      { name: 'greet', httpMethod: 'POST', params: [{ name: 'name', type: 'java.lang.String', required: true }] },
    ]);
    expect(methods.filter(({ name }: { name: string }) => name === 'touchAll')).toEqual([
      {
        name: 'touchAll',
        httpMethod: 'POST',
        params: [
          { name: 'ids', type: 'java.util.UUID[]', required: true },
          { name: 'fails', type: 'java.lang.Boolean', required: false },
        ],
      },
    ]);
  });

  // Asserts contract/services.md#exposure.
  test('a method declared in a file has null for any HTTP method and for types that are not configured', async () => {
    const { name, methods } = (await fixture.send('admin', 'GET', '/services/d_Component')).json();
    expect(name).toBe('d_Component');
    expect(methods.map(({ httpMethod }: { httpMethod: string | null }) => httpMethod)).toEqual([
      null,
      'GET',
      'POST',
      null,
      null,
    ]);
    expect(methods[2].params).toEqual([
      { name: 'a', type: null, required: true },
      { name: 'b', type: null, required: false },
    ]);
  });

  // Asserts contract/errors.md#28, contract/services.md#listing.
  test('an unknown service is not found', async () => {
    const response = await fixture.send('admin', 'GET', '/services/d_None');
    expect(response.status).toBe(404);
    expect(response.json()).toEqual({ error: 'Service not found', details: 'Service d_None not found' });
  });

  // Asserts contract/services.md#listing.
  test('listing and calling need the permission to use the API', async () => {
    for (const path of ['/services', '/services/d_Desk', '/services/d_Results/long'])
      expect((await fixture.send('nobody', 'GET', path)).status).toBe(403);
    expect((await fixture.send(undefined, 'GET', '/services/d_Results/long')).status).toBe(401);
  });

  // Asserts contract/decisions.md#69.
  test.each([
    ['GET', '/services/d_None', undefined],
    ['GET', '/services/d_None/any', undefined],
    ['GET', '/services/d_Desk/none', undefined],
    ['GET', '/services/d_Component/sum?a=1&a=2', undefined],
    ['GET', '/services/d_Component/sum?a=none&b=1', undefined],
    ['GET', '/services/d_Desk/touchAll', undefined],
    ['PUT', '/services/d_Desk/greet', undefined],
    ['POST', '/services/d_None/any', '{'],
    ['POST', '/services/d_Desk/greet', '{'],
  ])('rights are checked before the service and the method: %s %s', async (method, path, body) => {
    const responses = [
      await fixture.send('nobody', method, path, body),
      await fixture.send('anonymous', method, path, body),
    ];
    expect(responses.map(({ status }) => status)).toEqual([403, 401]);
    expect(responses[0]?.json()).toEqual({ error: 'Forbidden', details: 'User is not allowed to use the REST API' });
    expect((await fixture.send('admin', method, path, body)).status).toBeGreaterThanOrEqual(400);
  });
});

// Asserts contract/services.md#exceptions, contract/services.md#exposure, contract/tokens.md#anonymous.
test('a URL pattern permits anonymous calls of one method and no other; the flag of a file permits none', async () => {
  expect((await fixture.send('anonymous', 'GET', '/services/d_Results/int')).text).toBe('7');
  for (const path of ['/services/d_Results/long', '/services/d_Results', '/services/d_Component/untyped'])
    expect((await fixture.send('anonymous', 'POST', path, { a: 1 })).status).toBe(401);
});

describe('resolution', () => {
  // Asserts contract/services.md#resolution.
  test('parameters are matched by name, in any order, for GET and for POST', async () => {
    expect((await get('d_Component/sum', { b: '2', a: '1' })).text).toBe('3');
    expect((await post('d_Component/sum', { b: 2, a: 1 })).text).toBe('3');
  });

  // Asserts contract/services.md#resolution.
  test('the overload with the supplied parameters is called', async () => {
    expect((await get('d_Component/sum', { a: '1', b: '2', c: '4' })).text).toBe('7');
  });

  // Asserts contract/errors.md#29, contract/errors.md#catalogue, contract/services.md#resolution.
  test('a method whose required parameters are not all supplied is not found; details name the supplied ones', async () => {
    const response = await get('d_Component/sum', { a: '1' });
    expect(response.status).toBe(404);
    expect(response.json()).toEqual({ error: 'Service method not found', details: 'd_Component.sum(a)' });
  });

  // Asserts contract/services.md#resolution.
  test('a call with more parameters than the method has: the method is not found', async () => {
    const response = await get('d_Component/sum', { a: '1', b: '2', c: '3', d: '4' });
    expect(response.status).toBe(404);
    expect(response.json().details).toBe('d_Component.sum(a,b,c,d)');
  });

  // Asserts contract/services.md#resolution.
  test('an unknown parameter name is accepted if the number of parameters is right', async () => {
    expect((await get('d_Parameters/both', { a: '1', other: 'x' })).text).toBe('1 none');
  });

  // Asserts contract/services.md#resolution.
  test('an optional parameter may be missing or null', async () => {
    expect((await get('d_Parameters/both', { a: '1' })).text).toBe('1 none');
    expect((await post('d_Parameters/both', { a: 1, b: null })).text).toBe('1 none');
  });

  // Asserts contract/errors.md#30, contract/services.md#resolution.
  test('several suitable methods: 400 with their number', async () => {
    const response = await get('d_Component/ambiguous', { a: '1' });
    const text = 'Cannot determine the service method to call. 2 suitable methods have been found';
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({ error: text, details: text });
  });

  // Asserts contract/decisions.md#26, contract/errors.md#32, contract/errors.md#catalogue,
  // contract/services.md#resolution.
  test('an unknown service and an unknown method are not found', async () => {
    const service = await get('d_None/any');
    expect([service.status, service.json()]).toEqual([
      404,
      { error: 'Service method not found', details: 'd_None.any()' },
    ]);
    const method = await post('d_Desk/none', { a: 1, b: 2 });
    expect([method.status, method.json()]).toEqual([
      404,
      { error: 'Service method not found', details: 'd_Desk.none(a,b)' },
    ]);
  });

  // Asserts contract/services.md#exposure, contract/services.md#resolution.
  test.each(['d_Desk/notExposed', 'd_Component/hidden', 'd_Desk/constructor', 'd_Desk/Greet', 'd_desk/greet'])(
    'a method that is not exposed under exactly this name is not found: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  // Asserts contract/decisions.md#26, contract/services.md#resolution.
  test('the wrong HTTP method for a restricted method: 405 with Allow', async () => {
    const response = await get('d_Desk/touchAll', { ids: '[]' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('OPTIONS, POST');
    expect(response.json().error).toBe('Method not allowed');
  });

  // Asserts contract/decisions.md#26, contract/services.md#resolution.
  test.each(['PUT', 'DELETE', 'PATCH'])('%s is refused with the methods that are allowed', async (httpMethod) => {
    const restricted = await fixture.send('admin', httpMethod, '/services/d_Desk/touchAll');
    expect([restricted.status, restricted.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    const free = await fixture.send('admin', httpMethod, '/services/d_Desk/greet');
    expect([free.status, free.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    const unknown = await fixture.send('admin', httpMethod, '/services/d_Desk/none');
    expect([unknown.status, unknown.json().details]).toEqual([404, 'd_Desk.none()']);
  });

  // Asserts contract/decisions.md#26, contract/services.md#resolution.
  test('OPTIONS returns the allowed HTTP methods', async () => {
    const restricted = await fixture.send('admin', 'OPTIONS', '/services/d_Desk/touchAll');
    expect([restricted.status, restricted.headers.get('allow')]).toEqual([200, 'OPTIONS, POST']);
    expect((await fixture.send('admin', 'OPTIONS', '/services/d_None/any')).status).toBe(404);
  });

  // Asserts contract/services.md#exposure.
  test('a file may name an HTTP method in upper or lower case', async () => {
    expect((await get('d_Component/sum', { a: '1', b: '2', c: '3' })).status).toBe(200);
    expect((await post('d_Component/sum', { a: 1, b: 2, c: 3 })).status).toBe(404);
  });

  // Asserts contract/services.md#resolution.
  test('neither modelVersion nor the query parameters of a POST are parameters of the method', async () => {
    expect((await get('d_Component/sum', { a: '1', b: '2', modelVersion: '1.0' })).text).toBe('3');
    expect((await post('d_Component/sum', { a: 1, b: 2 }, '?c=3&modelVersion=1.0')).text).toBe('3');
  });

  // Asserts contract/services.md#resolution.
  test('an empty or absent body of a POST means no parameters', async () => {
    expect((await post('d_Results/int')).text).toBe('7');
    expect((await post('d_Results/int', '  ')).text).toBe('7');
  });

  // Asserts contract/decisions.md#8, contract/services.md#resolution.
  test.each(['[1]', '"text"', '{a:1}', '{"a":1,}'])('a body that is not a JSON object is refused: %s', async (body) => {
    const response = await post('d_Component/sum', body);
    expect(response.status).toBe(400);
    expect(response.json().error).toBe('Malformed request JSON data structure');
  });

  // Asserts contract/decisions.md#37, contract/services.md#resolution.
  test('a token in the URL of a GET is refused', async () => {
    const response = await get('d_Results/int', { access_token: 'admin' });
    expect(response.status).toBe(401);
    expect(response.json().error).toBe('unauthorized');
  });

  // Asserts contract/decisions.md#8.
  test('a parameter that is given twice is refused with its name', async () => {
    const response = await fixture.send('admin', 'GET', '/services/d_Component/sum?a=1&a=2&b=3');
    expect(response.status).toBe(400);
    expect(response.json().details).toBe("Parameter 'a' must be given once");
  });
});

describe('parameters', () => {
  // Asserts contract/decisions.md#15, contract/services.md#parameters.
  test.each([
    ['string', 'a text', 'a text'],
    ['boolean', 'TRUE', true],
    ['short', '-32768', -32_768],
    ['int', '42', 42],
    ['long', '9007199254740993', '9007199254740993'],
    ['bigInteger', '12345678901234567890', '12345678901234567890'],
    ['float', '0.5', 0.5],
    ['double', '1.25', 1.25],
    ['decimal', '10.50', '10.50'],
    ['uuid', '0D00000000004000800000000000000A', '0d000000-0000-4000-8000-00000000000a'],
    ['localDate', '2026-02-03', '2026-02-03'],
    ['localDateTime', '2026-02-03T04:05:06', '2026-02-03T04:05:06.000'],
    ['localTime', '04:05', '04:05:00'],
    ['offsetDateTime', '2026-02-03T04:05:06+04:00', '2026-02-03T00:05:06.000Z'],
    ['offsetTime', '04:05:06+04:00', '04:05:06+04:00'],
    ['dateTime', '2026-02-03T04:05:06', '2026-02-03T04:05:06.000'],
    ['dateTime', '2026-02-03', '2026-02-03T00:00:00.000'],
    ['date', '2026-02-03', '2026-02-03'],
    ['time', '04:05:06', '04:05:06'],
    ['fileRef', 'fs://2026/a.txt?name=a.txt', 'fs://2026/a.txt?name=a.txt'],
    ['uri', 'https://example.org/x', 'https://example.org/x'],
    ['byteArray', 'AQID', 'AQID'],
    ['kind', 'FANCY', 'FANCY'],
    ['kind', '"FANCY"', 'FANCY'],
  ])('%s from the text %s', async (name, text, expected) => {
    expect((await get('d_Desk/scalars', { [name]: text })).json()).toEqual({ [name]: expected });
    expect((await post('d_Desk/scalars', { [name]: text })).json()).toEqual({ [name]: expected });
  });

  // Asserts contract/services.md#parameters.
  test('a JSON scalar of a body is parsed from its text', async () => {
    const response = await post('d_Desk/scalars', '{"string":5.10,"int":7,"decimal":1.50,"boolean":true}');
    expect(response.text).toBe('{"string":"5.10","boolean":true,"int":7,"decimal":"1.50"}');
  });

  // Asserts contract/errors.md#31, contract/errors.md#catalogue, contract/services.md#parameters.
  test.each([
    ['int', '1.5'],
    ['int', '2147483648'],
    ['short', '32768'],
    ['boolean', 'yes'],
    ['decimal', 'ten'],
    ['uuid', '1-1-1'],
    ['localDate', '2026-02-30'],
    ['dateTime', '04:05:06'],
    ['offsetDateTime', '2026-02-03T04:05:06'],
    ['fileRef', 'no reference'],
    ['byteArray', '***'],
    ['kind', 'fancy'],
    ['kind', '2'],
  ])('a value that is no %s is refused with the name of the parameter: %s', async (name, text) => {
    const response = await get('d_Desk/scalars', { [name]: text });
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'Invalid parameter value',
      details: `Invalid parameter value for ${name}`,
    });
  });

  // Asserts contract/decisions.md#8, contract/services.md#parameters.
  test('null is refused for a required parameter and for a primitive type of a file, and passed for a boxed type', async () => {
    expect((await post('d_Parameters/need', { text: null })).json().details).toBe('Invalid parameter value for text');
    expect((await post('d_Component/sum', { a: null, b: 1 })).json().details).toBe('Invalid parameter value for a');
    expect((await get('d_Component/sum', { a: '1', b: '2', c: '' })).status).toBe(400);
  });

  // Asserts contract/services.md#parameters.
  test('parameters without a type are passed unchanged', async () => {
    expect((await post('d_Component/untyped', '{"a":1.50,"b":{"c":[1]}}')).text).toBe('{"a":1.50,"b":{"c":[1]}}');
  });

  // Asserts contract/services.md#parameters.
  test('an entity is checked and passed with only the attributes that were sent; it is not loaded', async () => {
    const sent = { id: PERSON, name: 'Ann', kind: 'FANCY', limit: 1.5, address: { city: 'Bern' }, unknown: 1 };
    const response = await post('d_Parameters/person', { person: sent });
    expect(response.json()).toEqual({
      was: 'd_Person',
      id: PERSON,
      name: 'Ann',
      kind: 'FANCY',
      limit: '1.5',
      address: { city: 'Bern' },
    });
  });

  // Asserts contract/services.md#parameters.
  test('an entity may be given by GET as JSON, and `_entityName` is optional', async () => {
    const response = await get('d_Parameters/person', {
      person: JSON.stringify({ _entityName: 'd_Person', id: PERSON, tickets: [{ title: 'T' }] }),
    });
    expect(response.json()).toEqual({
      was: 'd_Person',
      id: PERSON,
      tickets: [{ _entityName: 'd_Ticket', title: 'T' }],
    });
  });

  // Asserts contract/services.md#parameters.
  test.each([
    [{ person: { limit: 'much' } }],
    [{ person: { kind: 'OTHER' } }],
    [{ person: { id: 'no id' } }],
    [{ person: { tickets: [{ owner: { id: 7 } }] } }],
    [{ person: { address: 'Bern' } }],
    [{ person: { _entityName: 'd_Ticket' } }],
    [{ person: [] }],
    [{ person: 'Ann' }],
  ])('an entity that does not match the model is refused: %j', async (body) => {
    const response = await post('d_Parameters/person', body);
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'Invalid parameter value',
      details: 'Invalid parameter value for person',
    });
  });

  // Asserts contract/services.md#parameters.
  test('64-bit keys of an entity are exact', async () => {
    expect((await post('d_Parameters/counter', '{"counter":{"id":9007199254740993}}')).text).toBe('9007199254740993');
  });

  // Asserts contract/services.md#parameters.
  test('a collection of entities is an array; anything else is refused', async () => {
    const people = [{ name: 'Ann' }, { _entityName: 'd_Person', name: 'Bob' }];
    expect((await post('d_Parameters/people', { people })).json()).toEqual({ names: ['Ann', 'Bob'] });
    expect((await get('d_Parameters/people', { people: JSON.stringify(people) })).json()).toEqual({
      names: ['Ann', 'Bob'],
    });
    for (const wrong of [{ name: 'Ann' }, [null], [{ kind: 1 }], 'x'])
      expect((await post('d_Parameters/people', { people: wrong })).status).toBe(400);
  });

  // Asserts contract/services.md#parameters.
  test('objects keep their members and all digits of numbers', async () => {
    expect((await post('d_Parameters/object', '{"box":{"a":1.10,"b":[1,{"c":null}],"d":"x"}}')).text).toBe(
      '{"a":1.10,"b":[1,{}],"d":"x"}',
    );
    expect((await post('d_Parameters/object', { box: [1] })).status).toBe(400);
  });

  // Asserts contract/services.md#parameters.
  test('lists of scalars and objects with declared members are parsed by their types', async () => {
    expect((await get('d_Parameters/days', { days: '["2026-02-03","2026-02-04"]' })).text).toBe(
      '2026-02-03 2026-02-04',
    );
    expect((await post('d_Parameters/days', { days: ['2026-02-31'] })).status).toBe(400);
    expect((await post('d_Parameters/record', '{"line":{"price":1.50,"more":1}}')).text).toBe('1.50 no day');
    expect((await post('d_Parameters/record', { line: { day: '2026-02-03' } })).status).toBe(400);
    expect((await post('d_Parameters/record', { line: { price: 1, day: 'x' } })).status).toBe(400);
  });
});
