import { defineApplication, entityListener, loadQueries, predefinedQuery } from '@lintel/application';
import {
  arrayOf,
  boolean,
  byteArray,
  decimal,
  double,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  offsetDateTime,
  softDeletedEntity,
  string,
  text,
  textForm,
  toOne,
  uuid,
} from '@lintel/metadata';
import { compareWithModel, detectDrift } from '@lintel/schema';
import { type DataFixture, startData } from '../data-fixture.ts';

const arrays = {
  tags: arrayOf(text()),
  codes: arrayOf(string(5)),
  sizes: arrayOf(integer()),
  counts: arrayOf(long()),
  prices: arrayOf(decimal(8, 2)),
  weights: arrayOf(double()),
  flags: arrayOf(boolean()),
  keys: arrayOf(uuid()),
  days: arrayOf(localDate()),
  times: arrayOf(offsetDateTime()),
  moments: arrayOf(localDateTime()),
  hours: arrayOf(localTime()),
  blobs: arrayOf(byteArray()),
  hosts: arrayOf(textForm('inet')),
};

/** The tags that the listener has seen. */
const seen: unknown[] = [];

const application = defineApplication({
  id: 't',
  name: 'Arrays',
  queries: [
    predefinedQuery('t_Item', 'tagged', {
      text: `select e from t_Item e where :tag member of e.tags and e.sizes is not empty and size(e.sizes) > 1`,
      parameters: { tag: 'string' },
      fetchPlan: '_local',
    }),
  ],
  listeners: [
    entityListener({
      entity: 't_Item',
      beforeSave: async ({ before, after }) => {
        seen.push([before?.['sizes'], after?.['sizes']]);
        return after?.['code'] === 'set' ? { tags: ['by', 'listener'], prices: ['1.5'] } : undefined;
      },
    }),
  ],
  entities: [
    keyedEntity('t_Item', { key: 'code', traits: {}, attributes: { code: string(20), ...arrays } }),
    softDeletedEntity('t_Box', {
      attributes: { value: arrayOf(text()).mandatory(), item: toOne('t_Item'), position: integer() },
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  const loaded = await loadQueries(application, [], () => Promise.reject(new Error('none')));
  data = await startData(loaded, { ada: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) =>
  data.send('ada', method, path, body, { 'content-type': 'application/json' });

const plan = encodeURIComponent(JSON.stringify({ entity: 't_Item', properties: Object.keys(arrays) }));
const read = async (code: string) => (await send('GET', `/entities/t_Item/${code}?fetchPlan=${plan}`)).text;

async function create(...items: readonly object[]): Promise<void> {
  const { status, text } = await send('POST', '/entities/t_Item', items.length === 1 ? items[0] : items);
  expect([status, text]).toEqual([201, text]);
}

/** Codes of the items that the condition finds. */
async function find(property: string, operator: string, value?: unknown): Promise<readonly string[]> {
  const filter = { conditions: [{ property, operator, ...(value === undefined ? {} : { value }) }] };
  const { status, text } = await send('POST', '/entities/t_Item/search', { filter, sort: 'code' });
  expect([status, text]).toEqual([200, text]);
  return (JSON.parse(text) as readonly { code: string }[]).map(({ code }) => code).filter((code) => /^f/.test(code));
}

const KEYS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

const ALL = {
  tags: ['a "quoted" \\ one', '', '{,}', 'NULL', ' é '],
  codes: ['12345'],
  sizes: [3, -1, 3],
  counts: ['9007199254740993'],
  prices: ['10.50', 0],
  weights: [1, 0.5],
  flags: [true, false],
  keys: KEYS,
  days: ['2026-02-03'],
  times: ['2026-01-01T10:00:00.5+01:00'],
  moments: ['2026-01-01T10:00:00.000'],
  hours: ['10:20:30'],
  blobs: ['AQID'],
  hosts: ['10.0.0.1', '::1'],
};

const SHOWN = {
  ...ALL,
  counts: [9007199254740993n],
  prices: [10.5, 0],
  times: ['2026-01-01T09:00:00.500Z'],
};

test('arrays of every datatype are stored in columns and returned in the form of their elements', async () => {
  await create({ code: 'A', ...ALL });
  const stored = await data.query(
    `SELECT tags, sizes, prices::text, pg_typeof(codes)::text AS codes, times::text FROM t.item WHERE code = 'A'`,
  );
  expect(stored).toEqual([
    {
      tags: ALL.tags,
      sizes: ALL.sizes,
      prices: '{10.50,0.00}',
      codes: 'character varying[]',
      times: '{"2026-01-01 09:00:00.5+00"}',
    },
  ]);
  const text = await read('A');
  expect(text).toContain('"counts":[9007199254740993]');
  expect(text).toContain('"prices":[10.50,0.00]');
  expect(text).toContain('"weights":[1.0,0.5]');
  expect(JSON.parse(text)).toMatchObject({ ...SHOWN, counts: [9007199254740992] });
});

test('several instances are written in one request, changed and cleared', async () => {
  await create({ code: 'm1', ...ALL }, { code: 'm2', tags: ['x'], sizes: [1, 2, 3, 4] }, { code: 'm3' });
  expect(JSON.parse(await read('m1'))).toMatchObject({ tags: ALL.tags, hosts: ALL.hosts, blobs: ALL.blobs });
  expect(JSON.parse(await read('m3'))).toMatchObject({ tags: [], sizes: [] });
  const { status, text } = await send('PUT', '/entities/t_Item', [
    { code: 'm1', id: 'm1', sizes: [7], tags: null },
    { code: 'm2', id: 'm2', sizes: [], tags: ['y', 'z'] },
  ]);
  expect([status, text]).toEqual([200, text]);
  expect(JSON.parse(await read('m1'))).toMatchObject({ sizes: [7], tags: [], keys: KEYS });
  expect(JSON.parse(await read('m2'))).toMatchObject({ sizes: [], tags: ['y', 'z'] });
  expect((await send('PUT', '/entities/t_Item/m2', { codes: ['q'] })).status).toBe(200);
  expect(JSON.parse(await read('m2'))).toMatchObject({ codes: ['q'], tags: ['y', 'z'] });
  for (const code of ['m1', 'm2', 'm3']) expect((await send('DELETE', `/entities/t_Item/${code}`)).status).toBe(204);
});

test('nulls of other programs are read: no array is an empty one', async () => {
  await data.query(`INSERT INTO t.item (code, tags, sizes) VALUES ('null', NULL, ARRAY[1, NULL, 2])`);
  expect(JSON.parse(await read('null'))).toMatchObject({ tags: [], sizes: [1, null, 2] });
  expect((await send('PUT', '/entities/t_Item/null', { tags: ['x'] })).status).toBe(200);
  expect(await data.query(`SELECT tags, sizes FROM t.item WHERE code = 'null'`)).toEqual([
    { tags: ['x'], sizes: [1, null, 2] },
  ]);
  await send('DELETE', '/entities/t_Item/null');
});

test.each([
  ['sizes', [1, 'x'], 'sizes[1]'],
  ['sizes', [1, null], 'sizes[1]'],
  ['sizes', [[1]], 'sizes[0]'],
  ['sizes', 1, 'sizes'],
  ['sizes', [2147483648], 'sizes[0]'],
  ['codes', ['1', '123456'], 'codes[1]'],
  ['prices', ['1', '1.234'], 'prices[1]'],
  ['keys', [KEYS[0], 'x'], 'keys[1]'],
  ['days', ['2026-13-01'], 'days[0]'],
  ['tags', ['a\u0000'], 'tags[0]'],
  ['hosts', ['10.0.0.1', 'x'], 'hosts'],
])('a wrong element of %s is an error of the client that names it: %j', async (name, value, path) => {
  // It exists already, if another row of the table has named the attribute.
  expect([201, 409]).toContain((await send('POST', '/entities/t_Item', { code: `w${name}` })).status);
  for (const [method, url, body] of [
    ['POST', '/entities/t_Item', { code: 'new', [name]: value }],
    ['PUT', `/entities/t_Item/w${name}`, { [name]: value }],
  ] as const) {
    const { status, text } = await send(method, url, body);
    expect([status, text]).toEqual([400, text]);
    expect(text).toContain(path);
  }
});

test('elements have the operators of their datatype, and one of them must keep the condition', async () => {
  await create(
    { code: 'f1', tags: ['red', 'Blue'], sizes: [1, 5], hosts: ['10.0.0.1'], keys: [KEYS[0]], prices: ['1.5'] },
    { code: 'f2', tags: ['green'], sizes: [9], days: ['2026-05-01'] },
    { code: 'f3' },
  );
  expect(await find('tags', '=', 'red')).toEqual(['f1']);
  expect(await find('tags', 'contains', 'blu')).toEqual(['f1']);
  expect(await find('tags', 'in', ['green', 'Blue'])).toEqual(['f1', 'f2']);
  expect(await find('sizes', '>', 4)).toEqual(['f1', 'f2']);
  expect(await find('sizes', '<>', 1)).toEqual(['f1', 'f2']);
  expect(await find('sizes', 'isNull')).toEqual(['f3']);
  expect(await find('tags', 'notEmpty')).toEqual(['f1', 'f2']);
  expect(await find('hosts', '=', '10.0.0.1/32')).toEqual(['f1']);
  expect(await find('keys', 'in', KEYS)).toEqual(['f1']);
  expect(await find('prices', '=', '1.50')).toEqual(['f1']);
  expect(await find('days', '>=', '2026-05-01')).toEqual(['f2']);
  const refused = await send('POST', '/entities/t_Item/search', {
    filter: { conditions: [{ property: 'hosts', operator: '=', value: 'x' }] },
  });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Cannot parse property value')]);
});

test('many tests of one array, tests over a reference, and pages', async () => {
  const sizes = [1, 5, 1, 5, 1, 5].map((value) => ({ property: 'sizes', operator: '=', value }));
  const both = await send('POST', '/entities/t_Item/search', { filter: { conditions: sizes } });
  expect(both.json()).toMatchObject([{ code: 'f1' }]);
  const box = await send('POST', '/entities/t_Box', { value: ['v'], item: { id: 'f1' } });
  expect([box.status, box.text]).toEqual([201, box.text]);
  const filter = { conditions: [{ property: 'item.tags', operator: '=', value: 'red' }] };
  const fetchPlan = {
    entity: 't_Box',
    properties: ['value', 'position', { name: 'item', fetchPlan: { properties: ['tags', 'sizes'] } }],
  };
  for (const page of [{}, { limit: 1, sort: '-item.code', returnCount: true }]) {
    const { status, text } = await send('POST', '/entities/t_Box/search', { filter, fetchPlan, ...page });
    expect([status, text]).toEqual([200, text]);
    expect(JSON.parse(text)).toMatchObject([{ value: ['v'], item: { tags: ['red', 'Blue'], sizes: [1, 5] } }]);
  }
  expect((await send('DELETE', `/entities/t_Box/${box.json().id}`)).status).toBe(204);
});

test('an index of the array serves equality and lists', async () => {
  await data.query('CREATE INDEX item_tags ON t.item USING gin (tags)');
  await data.query(`INSERT INTO t.item (code, tags) SELECT 'n' || i, ARRAY['n' || i] FROM generate_series(1, 3000) i`);
  await data.query('ANALYZE t.item');
  const plan = async (condition: string) =>
    JSON.stringify(await data.query(`EXPLAIN SELECT 1 FROM t.item t0 WHERE ${condition}`));
  expect(await plan(`(t0.tags IS NOT NULL AND t0.tags @> ARRAY['n7'::text]::text[])`)).toContain('item_tags');
  expect(await plan(`(t0.tags IS NOT NULL AND t0.tags && ARRAY['n7', 'n8']::text[])`)).toContain('item_tags');
  expect(
    (
      await send('POST', '/entities/t_Item/search', {
        filter: { conditions: [{ property: 'tags', operator: 'in', value: ['n7', 'n8', 'none'] }] },
        sort: 'code',
      })
    ).json(),
  ).toMatchObject([{ code: 'n7' }, { code: 'n8' }]);
  await data.query(`DROP INDEX t.item_tags`);
  await data.query(`DELETE FROM t.item WHERE code LIKE 'n%'`);
});

test('a mandatory array may be empty', async () => {
  const { status, text } = await send('POST', '/entities/t_Box', {});
  expect([status, text]).toEqual([201, text]);
  expect(await data.query(`SELECT value FROM t.box WHERE deleted_date IS NULL`)).toEqual([{ value: [] }]);
});

test('queries test members, sizes and emptiness', async () => {
  const { status, text } = await send('GET', '/queries/t_Item/tagged?tag=red');
  expect([status, text]).toEqual([200, text]);
  expect(JSON.parse(text)).toMatchObject([{ code: 'f1' }]);
});

test('listeners see and set arrays', async () => {
  await create({ code: 'set', sizes: [1] });
  expect(JSON.parse(await read('set'))).toMatchObject({ tags: ['by', 'listener'], prices: [1.5], sizes: [1] });
  seen.length = 0;
  await send('PUT', '/entities/t_Item/set', { sizes: [2, 3] });
  expect(seen).toEqual([[[1], [2, 3]]]);
});

test('a sort by an array is refused', async () => {
  const { status, text } = await send('GET', '/entities/t_Item?sort=tags');
  expect([status, text]).toEqual([400, expect.stringContaining('tags')]);
});

test('metadata and the API document describe collections', async () => {
  const { text } = await send('GET', '/metadata/entities/t_Item');
  const properties = JSON.parse(text).properties as { name: string }[];
  expect(properties.find(({ name }) => name === 'sizes')).toMatchObject({
    attributeType: 'DATATYPE',
    type: 'int',
    cardinality: 'ONE_TO_MANY',
  });
  const document = JSON.parse((await send('GET', '/docs/openapiDetailed.json')).text);
  expect(document.components.schemas.entity_t_Item.properties.sizes).toMatchObject({
    items: { type: 'integer', format: 'int32' },
  });
});

test('the tables fit the model, and migrations find no difference', async () => {
  const { findings } = await detectDrift({ url: data.databaseUrl, model: application.model, migrations: [] });
  expect(findings.filter(({ table }) => table.startsWith('t.'))).toEqual([]);
  const { up, down } = await compareWithModel({ url: data.databaseUrl, model: application.model, migrations: [] });
  const migrations = [{ name: '1763700000000-all', up, down }];
  const again = await compareWithModel({ url: data.databaseUrl, model: application.model, migrations });
  expect(again).toMatchObject({ up: [], down: [] });
});
