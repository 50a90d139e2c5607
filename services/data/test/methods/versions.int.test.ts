import {
  defineApplication,
  loadQueries,
  loadServices,
  loadTransformations,
  restMethod,
  service,
  t,
} from '@lintel/application';
import { compositionOfMany, decimal, integer, keyedEntity, standardEntity, string, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const Order = standardEntity('v_Order', {
  attributes: {
    number: string(10).mandatory(),
    total: decimal(9, 2),
    owner: toOne('v_Person'),
    lines: compositionOfMany('v_Line', 'order'),
  },
  instanceName: ['number'],
});

const TRANSFORMATIONS = `<transformations>
  <transformation modelVersion="1.0" oldEntityName="v_Bill" currentEntityName="v_Order">
    <renameAttribute oldName="no" currentName="number"/>
    <fromVersion><removeAttribute name="fax"/></fromVersion>
    <toVersion><removeAttribute name="total"/></toVersion>
  </transformation>
  <transformation modelVersion="1.0" oldEntityName="v_Row" currentEntityName="v_Line">
    <renameAttribute oldName="pieces" currentName="count"/>
  </transformation>
  <transformation modelVersion="1.0" currentEntityName="v_Box">
    <custom><fromVersion transformerBeanRef="inches"/><toVersion transformerBeanRef="metres"/></custom>
  </transformation>
</transformations>`;

const QUERIES = `<queries>
  <query name="byNumber" entity="v_Order" fetchPlan="_local">
    <jpql><![CDATA[select e from v_Order e where e.number = :number]]></jpql>
    <params><param name="number" type="java.lang.String"/></params>
  </query>
</queries>`;

async function application() {
  const bare = defineApplication({
    id: 'v',
    name: 'Versions',
    entities: [
      Order,
      standardEntity('v_Line', { attributes: { order: toOne('v_Order').mandatory(), count: integer() } }),
      standardEntity('v_Person', { attributes: { name: string(10) }, instanceName: ['name'] }),
      keyedEntity('v_Box', { key: 'code', attributes: { code: string(10), size: decimal(9, 2) } }),
    ],
    jsonTransformers: {
      inches: (object) => {
        if (object['inches'] === undefined) throw new Error('inches are missing');
        return { code: object['code'], size: Number(String(object['inches'])) * 2 };
      },
      metres: ({ _entityName, id, size }) => ({ _entityName, id, inches: Number(String(size)) / 2 }),
    },
    services: [
      service('v_Service', {
        one: restMethod({ params: { order: t.entity(Order) }, returns: t.entity(Order) }, ({ order }) => order),
        all: restMethod({ params: { orders: t.list(t.entity(Order)) }, returns: t.any }, ({ orders }) => ({
          numbers: orders.map(({ number }) => number),
          first: orders[0],
        })),
        text: restMethod({ returns: t.string }, () => '{"_entityName":"v_Order"}'),
      }),
    ],
  });
  const read = async (_: unknown, name: string): Promise<string> => (name === 't.xml' ? TRANSFORMATIONS : QUERIES);
  return loadTransformations(await loadQueries(await loadServices(bare, [], read), ['q.xml'], read), ['t.xml'], read);
}

let fixture: DataFixture;
beforeAll(async () => {
  fixture = await startData(await application(), { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => fixture.close());

const send = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fixture.send('admin', method, path, body, headers);
const V = 'modelVersion=1.0';
const ALL = 'fetchPlan=_local';
const LINES = encodeURIComponent(
  '{"properties":["number",{"name":"lines","fetchPlan":{"properties":["count"]}}],"entity":"v_Order"}',
);

async function create(no: string): Promise<string> {
  return (await send('POST', `/entities/v_Order`, { number: no, total: 1 })).json().id;
}

// Asserts contract/model-versions.md#model-versions.
test('an instance is created from old JSON, nested ones too, and returned in old JSON; Location keeps the old name', async () => {
  const body = { _entityName: 'v_Bill', no: 'c1', fax: '1', total: 5, lines: [{ _entityName: 'v_Row', pieces: 3 }] };
  const response = await send('POST', `/entities/v_Bill?${V}&responseFetchPlan=${LINES}`, body);
  expect(response.status).toBe(201);
  expect(response.json()).toMatchObject({
    _entityName: 'v_Bill',
    no: 'c1',
    lines: [{ _entityName: 'v_Row', pieces: 3 }],
  });
  expect(response.json()).not.toHaveProperty('number');
  expect(response.headers.get('location')).toContain('/rest/entities/v_Bill/');
  const stored = (await send('GET', `/entities/v_Order/${response.json().id}?${ALL}`)).json();
  expect(stored).toMatchObject({ _entityName: 'v_Order', number: 'c1', total: 5 });
});

// Asserts contract/model-versions.md#model-versions.
test('a nested object without an entity name is not converted', async () => {
  const body = { no: 'c2', lines: [{ pieces: 3, count: 4 }] };
  const response = await send('POST', `/entities/v_Bill?${V}&responseFetchPlan=${LINES}`, body);
  expect(response.json().lines).toMatchObject([{ _entityName: 'v_Row', pieces: 4 }]);
});

// Asserts contract/model-versions.md#model-versions.
test('an instance is read as old JSON under its old name, with the entity tag of that body', async () => {
  const id = await create('r1');
  const response = await send('GET', `/entities/v_Bill/${id}?${V}&${ALL}`);
  expect(response.json()).toMatchObject({ _entityName: 'v_Bill', _instanceName: 'r1', id, no: 'r1' });
  expect(response.json()).not.toHaveProperty('total');
  expect((await send('GET', `/entities/v_Bill/${id}?${V}&deleted=with`)).json()).toMatchObject({ no: 'r1' });
  const tag = response.headers.get('etag') ?? '';
  expect((await send('GET', `/entities/v_Bill/${id}?${V}&${ALL}`, undefined, { 'if-none-match': tag })).status).toBe(
    304,
  );
  expect((await send('GET', `/entities/v_Order/${id}?${ALL}`)).headers.get('etag')).not.toBe(tag);
});

// Asserts contract/model-versions.md#model-versions.
test('the current name is accepted too, and the response is old JSON as well', async () => {
  const id = await create('r2');
  expect((await send('GET', `/entities/v_Order/${id}?${V}&${ALL}`)).json()).toMatchObject({
    _entityName: 'v_Bill',
    no: 'r2',
  });
});

// Asserts contract/model-versions.md#model-versions.
test('a missing instance: the error of a batch update has the current name', async () => {
  const id = '00000000-0000-4000-8000-00000000dead';
  expect((await send('GET', `/entities/v_Bill/${id}?${V}`)).status).toBe(404);
  const response = await send('PUT', `/entities/v_Bill?${V}`, [{ id, no: 'x' }]);
  expect(response.json()).toEqual({ error: 'Entity not found', details: `Entity v_Order with id ${id} not found` });
});

// Asserts contract/model-versions.md#model-versions.
test('lists and searches return old JSON; filter and sort name current attributes', async () => {
  await create('l1');
  const list = await send('GET', `/entities/v_Bill?${V}&sort=number&${ALL}`);
  expect(list.json()[0]).toMatchObject({ _entityName: 'v_Bill', no: expect.any(String) });
  const filter = { conditions: [{ property: 'number', operator: '=', value: 'l1' }] };
  const byUrl = await send(
    'GET',
    `/entities/v_Bill/search?${V}&${ALL}&filter=${encodeURIComponent(JSON.stringify(filter))}`,
  );
  expect(byUrl.json()).toMatchObject([{ _entityName: 'v_Bill', no: 'l1' }]);
  const byBody = await send('POST', '/entities/v_Bill/search', { filter, fetchPlan: '_local', modelVersion: '1.0' });
  expect(byBody.json()).toMatchObject([{ _entityName: 'v_Bill', no: 'l1' }]);
  const old = { conditions: [{ property: 'no', operator: '=', value: 'l1' }] };
  expect((await send('POST', '/entities/v_Bill/search', { filter: old, modelVersion: '1.0' })).status).toBe(400);
});

// Asserts contract/model-versions.md#model-versions.
test('counts accept old names, in the URL and in the body', async () => {
  await create('n1');
  const filter = { conditions: [{ property: 'number', operator: '=', value: 'n1' }] };
  const text = encodeURIComponent(JSON.stringify(filter));
  expect((await send('GET', `/entities/v_Bill/search/count?${V}&filter=${text}`)).text).toBe('1');
  expect((await send('POST', '/entities/v_Bill/search/count', { filter, modelVersion: '1.0' })).text).toBe('1');
  expect((await send('POST', `/entities/v_Bill/search/count?${V}`, { filter })).status).toBe(404);
});

// Asserts contract/writing.md#upsert.
test('an upsert is refused with a model version', async () => {
  const response = await send('PUT', `/entities/v_Bill?${V}&key=id`, []);
  expect([response.status, response.json().details]).toEqual([400, expect.stringContaining("'modelVersion'")]);
});

// Asserts contract/model-versions.md#model-versions.
test('long lists are converted while they stream', async () => {
  await create('s1');
  const response = await send('GET', `/entities/v_Bill?${V}&limit=5000&${ALL}`);
  expect(response.json().every(({ _entityName, no }: Record<string, unknown>) => _entityName === 'v_Bill' && no)).toBe(
    true,
  );
});

// Asserts contract/model-versions.md#model-versions.
test('updates of one and of many accept and return old JSON, and deletes accept old names', async () => {
  const [one, two] = [await create('u1'), await create('u2')];
  const single = await send('PUT', `/entities/v_Bill/${one}?${V}&responseFetchPlan=_local`, { no: 'u1b', fax: 1 });
  expect([single.status, single.json().no]).toEqual([200, 'u1b']);
  expect(single.headers.get('etag')).toMatch(/^"2\./);
  const batch = [
    { id: one, no: 'u1c' },
    { id: two, no: 'u2c' },
  ];
  const many = await send('PUT', `/entities/v_Bill?${V}&responseFetchPlan=_local`, batch);
  expect(many.json().map(({ no }: { no: string }) => no)).toEqual(['u1c', 'u2c']);
  expect((await send('DELETE', `/entities/v_Bill/${one}?${V}`)).status).toBe(204);
  expect((await send('DELETE', `/entities/v_Bill?${V}`, [two])).status).toBe(204);
});

// Asserts contract/model-versions.md#model-versions.
test('predefined queries accept old names and return old JSON; their listing does not', async () => {
  await create('q1');
  const response = await send('GET', `/queries/v_Bill/byNumber?number=q1&${V}`);
  expect(response.json()).toMatchObject([{ _entityName: 'v_Bill', no: 'q1' }]);
  expect((await send('POST', `/queries/v_Bill/byNumber?${V}`, { number: 'q1' })).json()).toHaveLength(1);
  expect((await send('GET', `/queries/v_Bill/byNumber/count?number=q1&${V}`)).text).toBe('1');
  expect((await send('GET', `/queries/v_Bill?${V}`)).status).toBe(404);
});

// Asserts contract/model-versions.md#model-versions.
test('entities in parameters and results of services are old JSON, texts are unchanged', async () => {
  const order = { _entityName: 'v_Bill', no: 'm1', lines: [{ _entityName: 'v_Row', pieces: 2 }] };
  expect((await send('POST', `/services/v_Service/one?${V}`, { order })).json()).toMatchObject(order);
  const all = await send('POST', `/services/v_Service/all?${V}`, { orders: [order, { no: 'm2' }] });
  expect(all.json()).toMatchObject({ numbers: ['m1', 'm2'], first: { _entityName: 'v_Bill', no: 'm1' } });
  const byUrl = `orders=${encodeURIComponent(JSON.stringify([order]))}&${V}`;
  expect((await send('GET', `/services/v_Service/all?${byUrl}`)).json().numbers).toEqual(['m1']);
  expect((await send('GET', `/services/v_Service/text?${V}`)).text).toBe('{"_entityName":"v_Order"}');
});

// Asserts contract/conventions.md#general-rules, contract/errors.md#34, contract/model-versions.md#model-versions.
test('a transformer of the application is called once for each instance; if it throws, the response has the status 400', async () => {
  const created = await send('POST', `/entities/v_Box?${V}`, { code: 'b1', inches: 3 });
  expect(created.json()).toMatchObject({ _entityName: 'v_Box', id: 'b1' });
  expect((await send('GET', '/entities/v_Box/b1')).json().size).toBe(6);
  expect((await send('GET', `/entities/v_Box?${V}`)).json()).toMatchObject([{ inches: 3 }]);
  const refused = await send('POST', `/entities/v_Box?${V}`, { code: 'b2' });
  expect([refused.status, refused.json()]).toEqual([
    400,
    { error: 'JSON transformation failed', details: 'v_Box: inches are missing' },
  ]);
});

// Asserts contract/model-versions.md#model-versions.
test.each(['', '9.9'])('an empty or unknown version means the current one: "%s"', async (version) => {
  const id = await create('e1');
  const response = await send('GET', `/entities/v_Order/${id}?modelVersion=${version}&${ALL}`);
  expect(response.json()).toMatchObject({ _entityName: 'v_Order', number: 'e1', total: 1 });
  expect((await send('GET', `/entities/v_Bill/${id}?modelVersion=${version}`)).status).toBe(404);
});

// Asserts contract/decisions.md#8, contract/model-versions.md#model-versions.
test('a version that is given twice, or is not a text in a body, returns 400 everywhere, and nothing is written', async () => {
  const id = await create('w1');
  const twice = `${V}&${V}`;
  const filter = { conditions: [] };
  for (const [method, path, body] of [
    ['GET', `/entities/v_Order/${id}?${twice}`],
    ['GET', `/entities/v_Order?${twice}`],
    ['GET', `/entities/v_Order/search/count?filter={}&${twice}`],
    ['POST', '/entities/v_Order/search', { filter, modelVersion: ['1.0', '1.0'] }],
    ['POST', '/entities/v_Order/search', { filter, modelVersion: 1 }],
    ['POST', '/entities/v_Order/search/count', { filter, modelVersion: null }],
    ['POST', `/entities/v_Order?${twice}`, { number: 'w2' }],
    ['PUT', `/entities/v_Order/${id}?${twice}`, { number: 'w2' }],
    ['PUT', `/entities/v_Order?${twice}`, [{ id, number: 'w2' }]],
    ['DELETE', `/entities/v_Order/${id}?${twice}`],
    ['DELETE', `/entities/v_Order?${twice}`, [id]],
    ['GET', `/queries/v_Order/byNumber?number=w1&${twice}`],
    ['POST', `/queries/v_Order/byNumber?${twice}`, { number: 'w1' }],
    ['GET', `/services/v_Service/text?${twice}`],
    ['POST', `/services/v_Service/text?${twice}`, {}],
  ] as const) {
    const response = await send(method, path, body);
    expect([method, path, response.status, response.json()]).toEqual([
      method,
      path,
      400,
      { error: 'Invalid parameter value', details: "Parameter 'modelVersion' must be one text, given once" },
    ]);
  }
  expect((await send('GET', `/entities/v_Order/${id}?${ALL}`)).json().number).toBe('w1');
  expect((await send('GET', '/queries/v_Order/byNumber?number=w2')).json()).toEqual([]);
});

// Asserts contract/conventions.md#general-rules, contract/errors.md#34.
test('a body that is not JSON has the same error as without a version', async () => {
  const response = await send('POST', `/entities/v_Bill?${V}`, '{no:1}');
  expect([response.status, response.json().error]).toEqual([400, 'Malformed request JSON data structure']);
});
