import { defineApplication, entityListener } from '@lintel/application';
import { embeddable, embedded, json, keyedEntity, string, toMany, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

/** What the listener has seen. */
const seen: unknown[] = [];

const application = defineApplication({
  id: 't',
  name: 'JSON',
  listeners: [
    entityListener({
      entity: 't_Part',
      beforeSave: async ({ before, after }) => {
        seen.push([before?.['data'], after?.['data']]);
        return after?.['code'] === 'set' ? { data: { by: ['listener', 1.5] } } : undefined;
      },
      afterSave: async ({ id }, { data: manager }) => {
        const part = await manager.load('t_Part', id, { fetchPlan: '_local' });
        seen.push(part?.['data']);
      },
    }),
  ],
  entities: [
    embeddable('t_Origin', { attributes: { land: string(50), notes: json() } }),
    keyedEntity('t_Item', {
      key: 'code',
      traits: {},
      attributes: {
        code: string(20),
        data: json(),
        old: json().storedAs('json'),
        secret: json().secret(),
        checked: json({ schema: { type: 'object', properties: { sizes: { items: { type: 'integer' } } } } }),
        origin: embedded('t_Origin'),
        parts: toMany('t_Part', 'item'),
      },
    }),
    keyedEntity('t_Part', {
      key: 'code',
      traits: {},
      attributes: { code: string(20), data: json(), size: json().default({ min: 1.5, of: [] }), item: toOne('t_Item') },
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, { ada: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) =>
  data.send('ada', method, path, body, { 'content-type': 'application/json' });
const plan = encodeURIComponent(
  JSON.stringify({
    entity: 't_Item',
    properties: ['data', 'old', { name: 'origin', fetchPlan: { properties: ['land', 'notes'] } }],
  }),
);
const read = async (code: string) => (await send('GET', `/entities/t_Item/${code}?fetchPlan=${plan}`)).text;

/** Codes of the items that the condition finds. */
async function find(property: string, operator: string, value?: unknown): Promise<readonly string[]> {
  const filter = { conditions: [{ property, operator, ...(value === undefined ? {} : { value }) }] };
  const { status, json: body } = await send('POST', '/entities/t_Item/search', { filter, sort: 'code' });
  expect(status).toBe(200);
  return (body() as readonly { code: string }[]).map(({ code }) => code).filter((code) => code.startsWith('f'));
}

test('a JSON attribute is stored and returned as JSON, with every digit, and replaced as a whole', async () => {
  const value = '{"color":"red","sizes":[1.50,12345678901234567890],"empty":null,"deep":{"é\\"":[]}}';
  const body = `{"code":"A","data":${value},"old":${value},"origin":{"land":"DE","notes":["x"]}}`;
  expect((await data.send('ada', 'POST', '/entities/t_Item', body)).status).toBe(201);
  const stored = await data.query(
    `SELECT jsonb_typeof(data) AS type, data #>> '{sizes,1}' AS big FROM t.item WHERE code = 'A'`,
  );
  expect(stored).toEqual([{ type: 'object', big: '12345678901234567890' }]);
  const text = await read('A');
  expect(text).toContain('12345678901234567890');
  expect(text).toContain('1.50');
  expect(JSON.parse(text)).toMatchObject({
    data: { color: 'red', empty: null, deep: { 'é"': [] } },
    old: { color: 'red', empty: null },
    origin: { land: 'DE', notes: ['x'] },
  });
  expect((await send('PUT', '/entities/t_Item/A', { data: { size: 2 }, old: [1] })).status).toBe(200);
  expect(JSON.parse(await read('A'))).toMatchObject({ data: { size: 2 }, old: [1], origin: { notes: ['x'] } });
  expect((await send('PUT', '/entities/t_Item/A', { data: null })).status).toBe(200);
  expect(await data.query(`SELECT data IS NULL AS unset FROM t.item WHERE code = 'A'`)).toEqual([{ unset: true }]);
});

test.each([['text'], [5], [true], [false], [[]], [{}], [[null]], ['']])(
  'the JSON value %j is stored as it is',
  async (value) => {
    await send('DELETE', '/entities/t_Item/V');
    expect((await send('POST', '/entities/t_Item', { code: 'V', data: value })).status).toBe(201);
    expect(JSON.parse(await read('V')).data).toEqual(value);
  },
);

test('several instances are written in one request', async () => {
  const items = [
    { code: 'm1', data: { a: ['"', '\\', '{', ','] } },
    { code: 'm2', data: null },
    { code: 'm3', data: 'a,b' },
  ];
  expect((await send('POST', '/entities/t_Item', items)).status).toBe(201);
  expect(JSON.parse(await read('m1')).data).toEqual({ a: ['"', '\\', '{', ','] });
  const changed = [
    { code: 'm1', id: 'm1', data: [1] },
    { code: 'm3', id: 'm3', data: {} },
  ];
  expect((await send('PUT', '/entities/t_Item', changed)).status).toBe(200);
  expect(JSON.parse(await read('m3')).data).toEqual({});
});

test('a value that the database cannot store is refused with the name of the attribute', async () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  for (const value of ['"a\\u0000b"', '{"\\u0000":1}', '"\\ud800"', '1e9999', nested(101)]) {
    const { status, text } = await data.send('ada', 'POST', '/entities/t_Item', `{"code":"B","data":${value}}`);
    expect([status, text]).toEqual([400, expect.stringContaining('data')]);
  }
  expect((await data.send('ada', 'POST', '/entities/t_Item', `{"code":"D","data":${nested(100)}}`)).status).toBe(201);
});

test('a secret JSON attribute is stored, and neither returned nor usable in filters', async () => {
  const { status, text } = await send('POST', '/entities/t_Item', { code: 'S', secret: { a: 'hidden' } });
  expect([status, text.includes('hidden')]).toEqual([201, false]);
  const filter = { conditions: [{ property: 'secret.a', operator: '=', value: 'hidden' }] };
  expect((await send('POST', '/entities/t_Item/search', { filter })).status).toBe(400);
});

test('listeners and the data manager see and set plain values', async () => {
  seen.length = 0;
  expect((await send('POST', '/entities/t_Part', { code: 'set', data: { a: 1.5 } })).status).toBe(201);
  expect((await send('PUT', '/entities/t_Part/set', { data: [2] })).status).toBe(200);
  expect(seen).toEqual([[undefined, { a: 1.5 }], { by: ['listener', 1.5] }, [{ by: ['listener', 1.5] }, [2]]]);
});

test('a value that its schema does not allow is refused with the path to the mistake', async () => {
  const { status, json: body } = await send('POST', '/entities/t_Item', { code: 'C', checked: { sizes: [1, 'x'] } });
  expect([status, body()]).toEqual([
    400,
    [
      {
        message: 'Does not fit the schema: must be integer',
        messageTemplate: '{lintel.validation.JsonSchema.message}',
        path: 'checked.sizes[1]',
        invalidValue: null,
      },
    ],
  ]);
  expect((await send('POST', '/entities/t_Item', { code: 'C', checked: { sizes: [1] } })).status).toBe(201);
  expect((await send('PUT', '/entities/t_Item/C', { checked: [] })).status).toBe(400);
  expect((await send('PUT', '/entities/t_Item/C', { checked: null })).status).toBe(200);
});

test('a new instance has the default value', async () => {
  expect((await send('POST', '/entities/t_Part', { code: 'default' })).status).toBe(201);
  const { json: body } = await send('GET', '/entities/t_Part/default?fetchPlan=_local');
  expect(body().size).toEqual({ min: 1.5, of: [] });
});

describe('filters by path', () => {
  beforeAll(async () => {
    const rows: readonly (readonly [string, unknown])[] = [
      ['f1', { color: 'Red', size: 5, on: true, address: { city: 'Berlin' }, tags: ['a', 'b'], 'it\'s "q\\': 1 }],
      ['f2', { color: 'blue', size: 12.5, on: false, address: { city: 'Bern' }, tags: ['c'] }],
      ['f3', { color: '5', size: '5', on: null, address: null }],
      ['f4', null],
      ['f5', 'text'],
    ];
    for (const [code, value] of rows)
      expect(
        (await send('POST', '/entities/t_Item', { code, data: value, old: value, origin: { notes: value } })).status,
      ).toBe(201);
    await send('POST', '/entities/t_Part', { code: 'p1', item: { id: 'f1' }, data: { kind: 'wheel' } });
  });

  test.each<[string, string, unknown, readonly string[]]>([
    ['data.color', '=', 'Red', ['f1']],
    ['data.color', '=', 'red', []],
    ['data.size', '=', 5, ['f1']],
    ['data.size', '=', '5', ['f3']],
    ['data.size', '=', 5.0, ['f1']],
    ['data.on', '=', true, ['f1']],
    ['data.on', '=', 'true', []],
    ['data.color', '<>', 'Red', ['f2', 'f3']],
    ['data.size', '>', 4, ['f1', 'f2']],
    ['data.size', '>=', 12.5, ['f2']],
    ['data.size', '<', 10, ['f1']],
    ['data.color', '<=', '9', ['f3']],
    ['data.color', 'in', ['Red', 'blue'], ['f1', 'f2']],
    ['data.size', 'in', [5, '5'], ['f1', 'f3']],
    ['data.color', 'notIn', ['Red'], ['f2', 'f3']],
    ['data.color', 'contains', 'E', ['f1', 'f2']],
    ['data.color', 'doesNotContain', 'e', ['f3']],
    ['data.color', 'startsWith', 'r', ['f1']],
    ['data.color', 'endsWith', 'UE', ['f2']],
    ['data.address.city', 'startsWith', 'ber', ['f1', 'f2']],
    ['data.address.city', '=', 'Bern', ['f2']],
    ['data.tags.0', '=', 'a', ['f1']],
    ['data.tags', 'contains', '"b"', ['f1']],
    ['data.unknown.name', '=', 'x', []],
    ['data.unknown.name', 'isNull', undefined, ['f1', 'f2', 'f3', 'f4', 'f5']],
    ['data.on', 'isNull', undefined, ['f3', 'f4', 'f5']],
    ['data.on', 'notEmpty', undefined, ['f1', 'f2']],
    ['data', 'isNull', undefined, ['f4']],
    ['data', '=', 'text', ['f5']],
    [`data.it's "q\\`, '=', 1, ['f1']],
    ['data.{a}', '=', 1, []],
    ['old.color', '=', 'Red', ['f1']],
    ['old.size', '>', 4, ['f1', 'f2']],
    ['old', 'notEmpty', undefined, ['f1', 'f2', 'f3', 'f5']],
    ['origin.notes.color', '=', 'blue', ['f2']],
    ['parts.data.kind', '=', 'wheel', ['f1']],
    ['parts.data.kind', 'in', ['wheel', 'x'], ['f1']],
  ])('%s %s %j', async (property, operator, value, found) => {
    expect(await find(property, operator, value)).toEqual(found);
  });

  test.each<[string, string, unknown]>([
    ['data.', '=', 'x'],
    ['data..a', '=', 'x'],
    [`data${'.a'.repeat(101)}`, '=', 'x'],
    ['data.\u0000', '=', 'x'],
    ['data.a', '=', { b: 1 }],
    ['data.a', 'in', [{ b: 1 }]],
    ['data.a', '=', '\u0000'],
    ['data.a', 'contains', '\u0000'],
    ['code.a', '=', 'x'],
  ])('%j %s %j is refused', async (property, operator, value) => {
    const filter = { conditions: [{ property, operator, value }] };
    const { status } = await send('POST', '/entities/t_Item/search', { filter });
    expect(status).toBe(400);
  });

  test.each(['data', 'data.color'])('sorting by %s is refused', async (sort) => {
    expect((await send('GET', `/entities/t_Item?sort=${sort}`)).status).toBe(400);
  });
});
