import { loadQueries } from '@lintel/application';
import { type DataFixture, startData } from '../data-fixture.ts';
import { workers, workshop } from './workshop-application.ts';

let data: DataFixture;
let strict: DataFixture;
beforeAll(async () => {
  const application = await loadQueries(workshop, [], () => Promise.reject(new Error('none')));
  data = await startData(application, workers);
  strict = await startData(workshop, workers, { 'svc.rest.unknown-members': 'refuse' });
});
afterAll(async () => {
  await data?.close();
  await strict?.close();
});

const STRICT = { prefer: 'handling=strict' };
const MERGE = { 'content-type': 'application/merge-patch+json' };
type Send = Parameters<DataFixture['send']>;
const send = (method: string, path: string, body?: unknown, headers: Send[4] = {}, user = 'admin') =>
  data.send(user, method, path, body, headers);
const ignored = async (...given: Parameters<typeof send>) => {
  const response = await send(...given);
  if (response.status >= 300) throw new Error(`${response.status} ${response.text}`);
  return response.headers.get('x-ignored');
};
const refusal = async (...given: Parameters<typeof send>) => {
  const [method, path, body, headers = {}, user] = given;
  const response = await send(method, path, body, { ...headers, ...STRICT }, user);
  return [response.status, response.headers.get('x-error-code'), response.json().details];
};
const newBox = async (values: object = {}) =>
  (await send('POST', '/entities/w_Box', { name: 'box', ...values })).json().id as string;

describe('parameters that a route does not have (contract/conventions.md#unknown)', () => {
  test('are named in a header, and refused under handling=strict with the nearest name', async () => {
    expect(await ignored('GET', '/entities/w_Box?limit=1&lmit=2&x%20y=3&lmit=4')).toBe('query.lmit, query.x%20y');
    expect(await ignored('GET', '/entities/w_Box?limit=1&view=_local&sort=name')).toBeNull();
    expect(await ignored('GET', '/userInfo?fetchPlan=x')).toBe('query.fetchPlan');
    expect(await refusal('GET', '/entities/w_Box?lmit=2')).toEqual([
      400,
      'REQ_UNKNOWN_MEMBER',
      "Unknown parameter 'lmit'; did you mean limit?",
    ]);
    expect((await refusal('POST', '/entities/w_Box?respnseFetchPlan=x', { name: 'a' }))[2]).toBe(
      "Unknown parameter 'respnseFetchPlan'; did you mean responseFetchPlan?",
    );
  });

  // Asserts contract/conventions.md#unknown.
  test('the header has a limit, and only visible ASCII', async () => {
    const many = Array.from({ length: 500 }, (_, at) => `n${at}=1`).join('&');
    const header = (await ignored('GET', `/entities/w_Box?${many}`)) ?? '';
    expect([header.split(', ').length, header.endsWith(', *')]).toEqual([21, true]);
    const hostile = await ignored('GET', `/entities/w_Box?${'%0d%0aSet-Cookie%3a%20a=1'}&${'ü'.repeat(3)}=1`);
    expect(hostile).toBe('query.%0D%0ASet-Cookie%3A%20a, query.%C3%BC%C3%BC%C3%BC');
    const long = (await ignored('GET', `/entities/w_Box?${'x'.repeat(5_000)}=1`)) ?? '';
    expect(long).toBe(`query.${'x'.repeat(60)}`);
  });

  // Asserts contract/conventions.md#unknown.
  test('a request without the right is refused as before', async () => {
    const [status, code] = await refusal('GET', '/entities/w_Tag', undefined, {}, 'nobody');
    expect([status, code]).toEqual([403, 'ACCESS_READ_DENIED']);
    expect((await data.send(undefined, 'GET', '/entities/w_Tag?x=1', undefined, STRICT)).status).toBe(401);
  });
});

describe('members of filters and fetch plans', () => {
  const filter = {
    also: 1,
    conditions: [
      { property: 'name', operator: '=', value: 'a', oops: 1, valu: 2 },
      { group: 'OR', property: 'x', conditions: [{ property: 'name', operator: 'notEmpty', oops: { oops: 1 } }] },
    ],
  };
  const inFilter =
    'filter.also, filter.conditions.oops, filter.conditions.valu, filter.conditions.property, filter.conditions.conditions.oops';
  const plan = {
    entity: 'w_Box',
    fields: [],
    properties: ['name', { name: 'owner', fetchPlan: { propertes: ['x'], properties: [{ name: 'name', fech: 1 }] } }],
  };
  const inPlan =
    'fetchPlan.fields, fetchPlan.properties.fetchPlan.propertes, fetchPlan.properties.fetchPlan.properties.fech';
  const named = (where: string, names: string) =>
    names
      .split(', ')
      .map((name) => `${where}.${name.slice(0, 60)}`)
      .join(', ');
  const text = (json: unknown) => encodeURIComponent(JSON.stringify(json));

  // Asserts contract/conventions.md#unknown.
  test('are named in a header', async () => {
    const search = { filter, fetchPlan: plan };
    expect(await ignored('POST', '/entities/w_Box/search', search)).toBe(named('body', `${inFilter}, ${inPlan}`));
    expect(await ignored('POST', '/entities/w_Box/search', { filter: {}, fetchPlan: JSON.stringify(plan) })).toBe(
      named('body', inPlan),
    );
    expect(await ignored('POST', '/entities/w_Box/search/count', search)).toBe(named('body', inFilter));
    const both = `filter=${text(filter)}&fetchPlan=${text(plan)}`;
    expect(await ignored('GET', `/entities/w_Box/search?${both}`)).toBe(named('query', `${inFilter}, ${inPlan}`));
    expect(await ignored('GET', `/entities/w_Box/search/count?filter=${text(filter)}`)).toBe(named('query', inFilter));
    for (const path of ['/entities/w_Box?', '/queries/w_Box/byName?name=a&', `/entities/w_Box/${await newBox()}?`])
      expect(await ignored('GET', `${path}fetchPlan=${text(plan)}`)).toBe(named('query', inPlan));
    const body = { name: 'a', nam: 1 };
    expect(await ignored('POST', `/entities/w_Box?responseFetchPlan=${text({ ...plan, properties: [] })}`, body)).toBe(
      'query.responseFetchPlan.fields, body.nam',
    );
  });

  // Asserts contract/conventions.md#unknown.
  test('are refused under handling=strict, after what is wrong otherwise', async () => {
    const search = (given: object) => refusal('POST', '/entities/w_Box/search', given);
    expect(await search({ filter })).toEqual([400, 'REQ_UNKNOWN_MEMBER', "Unknown member 'filter.also'"]);
    const { conditions } = filter;
    expect((await search({ filter: { conditions: [{ ...conditions[0], oops: undefined }] } }))[2]).toBe(
      "Unknown member 'filter.conditions[0].valu'; did you mean value?",
    );
    expect((await search({ filter: { conditions: [conditions[1]] } }))[2]).toBe(
      "Unknown member 'filter.conditions[0].property'",
    );
    expect((await search({ filter: {}, fetchPlan: { ...plan, fields: undefined } }))[2]).toBe(
      "Unknown member 'fetchPlan.properties[1].fetchPlan.propertes'; did you mean properties?",
    );
    expect((await search({ filter, fetchPlan: 'none' }))[1]).toBe('REQ_FETCH_PLAN_NOT_FOUND');
    const wrong = { filter: { conditions: [{ property: 'nam', operator: '=', value: 1, oops: 1 }] } };
    expect((await search(wrong))[2]).toBe('Property for w_Box not found: nam');
    const parameter = `responseFetchPlan=${text({ ...plan, properties: [] })}`;
    const before = (await send('POST', '/entities/w_Box/search/count', { filter: {} })).text;
    expect((await refusal('POST', `/entities/w_Box?${parameter}`, { name: 'a' }))[2]).toBe(
      "Unknown member 'responseFetchPlan.fields'",
    );
    expect((await refusal('GET', `/queries/w_Box/byName?name=a&fetchPlan=${text(plan)}`))[2]).toBe(
      "Unknown member 'fetchPlan.fields'",
    );
    expect((await send('POST', '/entities/w_Box/search/count', { filter: {} })).text).toBe(before);
  });

  // Asserts contract/conventions.md#unknown.
  test('of a plan of the metadata and of an empty group are none', async () => {
    const whole = { name: 'p', entity: 'w_Box', extends: '_local', properties: [{ name: 'name', fetch: 'AUTO' }] };
    const group = { conditions: [{ group: 'and' }, { group: 'OR', conditions: [] }] };
    expect(await ignored('POST', '/entities/w_Box/search', { filter: group, fetchPlan: whole })).toBeNull();
    expect((await send('POST', '/entities/w_Box/search', { filter: group, fetchPlan: whole }, STRICT)).status).toBe(
      200,
    );
  });

  // Asserts contract/conventions.md#unknown.
  test('many make a short header', async () => {
    const conditions = Array.from({ length: 50 }, (_, at) => ({
      property: 'name',
      operator: 'notEmpty',
      [`${'x'.repeat(3_000)}${at}`]: 1,
      [`o${at}`]: 1,
    }));
    const header = (await ignored('POST', '/entities/w_Box/search', { filter: { conditions } })) ?? '';
    expect([header.split(', ').length, header.endsWith(', *'), header.length < 1_500]).toEqual([21, true, true]);
  });
});

describe('Preference-Applied (RFC 7240 §3)', () => {
  // Asserts contract/conventions.md#unknown.
  test.each([
    ['GET', '/entities/w_Box', undefined, 'handling=strict'],
    ['GET', '/entities/w_Box?limit=1', undefined, 'handling=strict'],
    ['POST', '/entities/w_Box/search', { filter: {} }, 'handling=strict'],
    ['POST', '/entities/w_Box', { name: 'a' }, 'handling=strict, return=minimal'],
    ['GET', '/queries/w_Box/byName?name=a', undefined, 'handling=strict'],
    ['POST', '/queries/w_Box/byName', { name: 'a' }, 'handling=strict'],
    ['POST', '/services/w_Tools/half', { of: 4 }, 'handling=strict'],
    ['GET', '/userInfo', undefined, 'handling=strict'],
    ['GET', '/userInfo?x=1', undefined, 'handling=strict'],
    ['PUT', '/entities/w_Box/9b3c8c3e-0000-4000-8000-000000000000', { nam: 1 }, 'handling=strict'],
  ])('%s %s', async (method, path, body, applied) => {
    const prefer = 'return=minimal, handling=strict';
    const response = await send(method, path, body, { prefer });
    expect(response.headers.get('preference-applied')).toBe(applied);
  });

  // Asserts contract/conventions.md#unknown.
  test('is absent without the preference, with an unknown one, and joins that of a count', async () => {
    for (const headers of [{}, { prefer: 'handling=lenient' }, { prefer: 'handling=exact' }])
      expect((await send('GET', '/entities/w_Box', undefined, headers)).headers.get('preference-applied')).toBeNull();
    const counted = await send('GET', '/entities/w_Box', undefined, { prefer: 'handling=strict, count=exact' });
    expect(counted.headers.get('preference-applied')).toBe('handling=strict, count=exact');
    const patched = await send(
      'PATCH',
      `/entities/w_Box/${await newBox()}`,
      { name: 'b' },
      {
        ...MERGE,
        prefer: 'return=representation',
      },
    );
    expect(patched.headers.get('preference-applied')).toBe('return=representation');
  });
});

describe('members of bodies', () => {
  // Asserts contract/conventions.md#unknown.
  test('of searches', async () => {
    const search = { filter: { conditions: [] }, limt: 1, offset: 0, modelVersion: 'x' };
    expect(await ignored('POST', '/entities/w_Box/search', search)).toBe('body.limt');
    expect(await ignored('POST', '/entities/w_Box/search?limit=1', { filter: { conditions: [] } })).toBe('query.limit');
    expect((await refusal('POST', '/entities/w_Box/search', search))[2]).toBe(
      "Unknown member 'limt'; did you mean limit?",
    );
    expect(
      await ignored('POST', '/entities/w_Box/search/count', { filter: { conditions: [] }, sort: 'name' }),
    ).toBeNull();
  });

  // Asserts contract/conventions.md#unknown.
  test('of instances, at every level, in batches and patches', async () => {
    const body = {
      name: 'a',
      nam: 1,
      parts: [
        { name: 'p', colour: 1 },
        { name: 'q', colour: 2 },
      ],
      origin: { city: 'x' },
    };
    expect(await ignored('POST', '/entities/w_Box', body)).toBe('body.nam, body.origin.city, body.parts.colour');
    expect(await ignored('POST', '/entities/w_Box', [body, { name: 'b' }])).toBe(
      'body.nam, body.origin.city, body.parts.colour',
    );
    const id = await newBox({ label: { text: 'x' } });
    const whole = (await send('GET', `/entities/w_Box/${id}?fetchPlan=_base`)).json();
    expect(await ignored('PUT', `/entities/w_Box/${id}`, whole)).toBeNull();
    expect(await ignored('PATCH', `/entities/w_Box/${id}`, { label: { txt: 1 } }, MERGE)).toBe('body.label.txt');
    expect(await ignored('PUT', '/entities/w_Box', [{ id, owner: null, '+code': 1 }])).toBe(
      'body.%2Bcode'.replace('%2B', '+'),
    );
    const operations = [{ op: 'add', path: '/parts/-', value: { name: 'x', no: 1 } }];
    const type = { 'content-type': 'application/json-patch+json' };
    expect(await ignored('PATCH', `/entities/w_Box/${id}`, operations, type)).toBe('body.parts.no');
    expect(await ignored('PUT', `/entities/w_Box/${id}?x=1`, { y: 1 })).toBe('query.x, body.y');
    expect(
      await refusal('PUT', `/entities/w_Box/${id}`, { parts: [{ name: 'a' }, { name: 'b', positon: 1 }] }),
    ).toEqual([400, 'REQ_UNKNOWN_MEMBER', "Unknown member 'parts[1].positon'; did you mean position?"]);
    expect((await send('PUT', `/entities/w_Box/${id}`, whole, STRICT)).status).toBe(200);
    const minimal = await send('PUT', `/entities/w_Box/${id}`, { no: 1 }, { prefer: 'return=minimal' });
    expect([minimal.status, minimal.headers.get('x-ignored')]).toEqual([204, 'body.no']);
  });

  // Asserts contract/conventions.md#unknown.
  test('an attribute that the caller may not view is like one that does not exist', async () => {
    const id = await newBox();
    for (const name of ['internal', 'nothing']) {
      expect(await ignored('PUT', `/entities/w_Box/${id}`, { [name]: 'x' }, {}, 'clerk')).toBe(`body.${name}`);
      expect(await refusal('PUT', `/entities/w_Box/${id}`, { [name]: 'x' }, {}, 'clerk')).toEqual([
        400,
        'REQ_UNKNOWN_MEMBER',
        `Unknown member '${name}'`,
      ]);
    }
    expect((await refusal('PUT', `/entities/w_Box/${id}`, { intenal: 'x' }, {}, 'clerk'))[2]).toBe(
      "Unknown member 'intenal'",
    );
    expect(await ignored('PUT', `/entities/w_Box/${id}`, { price: 3 }, {}, 'clerk')).toBe('body.price');
    expect((await send('PUT', `/entities/w_Box/${id}`, { price: 'x' }, {}, 'clerk')).status).toBe(400);
    for (const name of ['origin', 'label', 'nothing'])
      expect(await ignored('PATCH', `/entities/w_Box/${id}`, { [name]: { zzz: 1 }, zz: 1 }, MERGE, 'clerk')).toBe(
        `body.${name}, body.zz`,
      );
    const slots = [{ zzz: { a: 1 } }, { zzz: 2 }];
    expect(await ignored('PUT', '/entities/w_Box', [{ id, slots, parts: [{ name: 'a', zzz: 1 }] }], {}, 'clerk')).toBe(
      'body.slots, body.parts.zzz',
    );
  });

  // Asserts contract/conventions.md#unknown.
  test('the type of a value shows no attribute that the caller may not view, in any form of write', async () => {
    const hidden = ['internal', 'made', 'price', 'version', 'colours', 'tags', 'slots', 'label', 'owner', 'data'];
    const origin = (member: string, value: unknown) => ({ origin: { [member]: value } });
    const part = (member: string, value: unknown) => ({ parts: [{ name: 'p', [member]: value }] });
    const operations = { 'content-type': 'application/json-patch+json' };
    const bodyOf = (id: string, member: string, value: unknown, inOrigin: string, inPart: string) => [
      ['POST', '/entities/w_Box', { name: 'a', [member]: value }],
      ['POST', '/entities/w_Box', [{ name: 'a', [member]: value }]],
      ['POST', '/entities/w_Box', { name: 'a', ...origin(inOrigin, value), ...part(inPart, value) }],
      ['PUT', `/entities/w_Box/${id}`, { [member]: value, ...part(inPart, value), ...origin(inOrigin, value) }],
      ['PUT', '/entities/w_Box', [{ id, [member]: value }]],
      ['PATCH', `/entities/w_Box/${id}`, { [member]: value, ...origin(inOrigin, value) }, MERGE],
      ['PATCH', '/entities/w_Box', [{ id, [member]: value }], MERGE],
      ['PATCH', `/entities/w_Box/${id}`, [{ op: 'add', path: `/${member}`, value }], operations],
      ['PATCH', `/entities/w_Box/${id}`, [{ op: 'test', path: '/origin', value: { [inOrigin]: value } }], operations],
      ['PATCH', `/entities/w_Box/${id}`, [{ op: 'add', path: '/origin', value: { [inOrigin]: value } }], operations],
      [
        'PATCH',
        `/entities/w_Box/${id}`,
        [{ op: 'add', path: '/parts/-', value: part(inPart, value).parts[0] }],
        operations,
      ],
    ];
    const shown = async (requests: readonly (readonly unknown[])[], headers = {}) => {
      const responses: string[] = [];
      for (const [method, path, body, own = {}] of requests as [string, string, unknown, object?][]) {
        const { status, headers: sent, text } = await send(method, path, body, { ...own, ...headers }, 'packer');
        const withoutIds = text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
        responses.push(JSON.stringify([status, sent.get('x-error-code'), sent.get('x-ignored'), withoutIds]));
      }
      return responses;
    };
    for (const value of [5, 'x', [{ id: 'x' }, null]])
      for (const headers of [{}, STRICT]) {
        const expected = await shown(bodyOf(await newBox(), 'zzzzzz', value, 'yyyy', 'vvvvvvvv'), headers);
        for (const name of hidden) {
          const found = await shown(bodyOf(await newBox(), name, value, 'town', 'position'), headers);
          expect(found).toEqual(
            expected.map((text) =>
              text.replaceAll('zzzzzz', name).replaceAll('yyyy', 'town').replaceAll('vvvvvvvv', 'position'),
            ),
          );
        }
      }
  });

  // Asserts contract/conventions.md#unknown.
  test('of operations of a JSON Patch', async () => {
    const id = await newBox();
    const type = { 'content-type': 'application/json-patch+json' };
    const operations = [
      { op: 'test', path: '/name', value: 'box', from: '/note', oops: 1 },
      { op: 'remove', path: '/note', value: 1 },
    ];
    expect(await ignored('PATCH', `/entities/w_Box/${id}`, operations, type)).toBe('body.from, body.oops, body.value');
    expect((await refusal('PATCH', `/entities/w_Box/${id}`, operations, type))[2]).toBe(
      "Unknown member 'operations[0].from'",
    );
  });

  // Asserts contract/conventions.md#unknown.
  test('of service methods and queries', async () => {
    expect(await ignored('GET', '/services/w_Tools/half?of=4&off=1')).toBe('query.off');
    expect(await ignored('POST', '/services/w_Tools/half', { of: 4, off: 1 })).toBe('body.off');
    expect((await refusal('GET', '/services/w_Tools/half?of=4&off=1'))[2]).toBe(
      "Unknown parameter 'off'; did you mean of?",
    );
    expect(await ignored('GET', '/queries/w_Box/byName?name=a&limit=1&nam=1')).toBe('query.nam');
    expect(await ignored('POST', '/queries/w_Box/byName?limit=1&sort=x', { name: 'a', nam: 1 })).toBe(
      'query.sort, body.nam',
    );
    expect((await refusal('GET', '/queries/w_Box/byName?name=a&nam=1'))[2]).toBe(
      "Unknown parameter 'nam'; did you mean name?",
    );
    const hidden = await refusal('GET', '/queries/w_Box/byName?name=a&nam=1', undefined, {}, 'nobody');
    expect(hidden.slice(0, 2)).toEqual([403, 'ACCESS_READ_DENIED']);
  });

  describe('inside the parameters of service methods', () => {
    const weigh = '/services/w_Tools/weigh';
    const box = { id: crypto.randomUUID(), name: 'a', nam: 1, '+no': 1, origin: { city: 1 }, parts: [{ colour: 2 }] };

    // Asserts contract/conventions.md#unknown.
    test('are named in a header, at every level of instances, lists and records', async () => {
      const ofBox = ['nam', '+no', 'origin.city', 'parts.colour'];
      const named = (where: string) => ofBox.map((name) => `${where}.${name}`).join(', ');
      expect(await ignored('POST', weigh, { box })).toBe(named('body.box'));
      expect(await ignored('POST', weigh, { boxes: [{ name: 'b' }, box, box] })).toBe(named('body.boxes'));
      expect(await ignored('POST', weigh, { size: { width: 1, depth: 2 }, x: 1 })).toBe('body.x, body.size.depth');
      expect(await ignored('GET', `${weigh}?box=${encodeURIComponent(JSON.stringify(box))}`)).toBe(named('query.box'));
    });

    // Asserts contract/conventions.md#unknown.
    test('what the method gets is no unknown member', async () => {
      const known = {
        _entityName: 'w_Box',
        _instanceName: 'x',
        __securityToken: 'y',
        version: 1,
        owner: { name: 'o' },
      };
      expect(await ignored('POST', weigh, { box: known, more: { any: { thing: 1 } } })).toBeNull();
      const hidden = { internal: 'x', label: { zzz: 1 } };
      expect(await ignored('POST', weigh, { box: hidden }, {}, 'clerk')).toBeNull();
    });

    // Asserts contract/conventions.md#unknown.
    test('are refused under handling=strict with the nearest name that the caller may view, before the call', async () => {
      const detailsOf = async (body: unknown, user?: string) => (await refusal('POST', weigh, body, {}, user))[2];
      expect(await detailsOf({ boxes: [{}, { nam: 1 }] })).toBe("Unknown member 'boxes[1].nam'; did you mean name?");
      expect(await detailsOf({ size: { width: 1, heigth: 2 } })).toBe(
        "Unknown member 'size.heigth'; did you mean height?",
      );
      expect(await detailsOf({ box: { intenal: 1 } })).toBe("Unknown member 'box.intenal'; did you mean internal?");
      expect(await detailsOf({ box: { intenal: 1 } }, 'clerk')).toBe("Unknown member 'box.intenal'");
      expect(await detailsOf({ box: { nam: 1, price: 'x' } })).toBe('Invalid parameter value for box');
    });

    test('many make a short header', async () => {
      const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${'x'.repeat(80)}${at}`, 1]));
      const header = (await ignored('POST', weigh, { box: { ...many, a: 1 }, size: { width: 1, ...many } })) ?? '';
      expect(header.length).toBeLessThan(1_500);
    });
  });
});

// Asserts contract/conventions.md#unknown.
test('svc.rest.unknown-members=refuse refuses without the preference', async () => {
  const created = await strict.send('admin', 'POST', '/entities/w_Box', { name: 'a', nam: 1 });
  expect([created.status, created.json()]).toEqual([
    400,
    { error: 'Unknown parameter or member', details: "Unknown member 'nam'; did you mean name?" },
  ]);
  expect((await strict.send('admin', 'GET', '/entities/w_Box?lmit=1')).status).toBe(400);
  expect((await strict.send('admin', 'GET', '/entities/w_Box?limit=1')).status).toBe(200);
});
