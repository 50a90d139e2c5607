import { defineApplication, loadQueries, predefinedQuery } from '@lintel/application';
import { integer, keyedEntity, string, textForm } from '@lintel/metadata';
import { compareWithModel, detectDrift } from '@lintel/schema';
import { queryPolicy, rowLevelRole } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

const forms = {
  span: textForm('interval'),
  sizes: textForm('int4range'),
  booked: textForm('tstzrange'),
  days: textForm('datemultirange'),
  address: textForm('inet'),
  network: textForm('cidr'),
  card: textForm('macaddr'),
  flags: textForm('bit(4)'),
  bits: textForm('bit varying(6)'),
  doc: textForm('xml'),
  price: textForm('money'),
  words: textForm('tsvector').readOnly(),
  terms: textForm('tsquery'),
  board: textForm('integer[][]'),
};

const application = defineApplication({
  id: 't',
  name: 'Text forms',
  queries: [
    predefinedQuery('t_Item', 'bySpan', {
      text: `select e from t_Item e where e.span = :span and lower(e.address) like '10.%' order by e.span`,
      parameters: { span: 'string' },
      fetchPlan: '_local',
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('own-span', {
      name: 'Own span',
      policies: [queryPolicy('t_Item', '{E}.span = :current_user_country')],
    }),
  ],
  entities: [
    keyedEntity('t_Item', {
      key: 'code',
      traits: {},
      attributes: { code: string(20), number: integer(), ...forms },
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  const loaded = await loadQueries(application, [], () => Promise.reject(new Error('none')));
  data = await startData(loaded, {
    ada: { resourceRoles: ['system-full-access'] },
    eve: {
      resourceRoles: ['system-full-access'],
      rowLevelRoles: ['own-span'],
      attributes: { country: 'confidential' },
    },
  });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) =>
  data.send('ada', method, path, body, { 'content-type': 'application/json' });

const search = (property: string, operator: string, value?: unknown, more: object = {}) => {
  const filter = { conditions: [{ property, operator, ...(value === undefined ? {} : { value }) }] };
  return send('POST', '/entities/t_Item/search', { filter, sort: 'code', ...more });
};

/** Codes of the items that the condition finds. */
async function find(property: string, operator: string, value?: unknown): Promise<readonly string[]> {
  const { status, text } = await search(property, operator, value);
  expect([status, text]).toEqual([200, text]);
  return (JSON.parse(text) as readonly { code: string }[]).map(({ code }) => code);
}

beforeAll(async () => {
  const items = [
    {
      code: 'a',
      span: '1 day 90 minutes',
      sizes: '[1,5]',
      booked: '[2026-01-01 10:00+01,2026-01-02)',
      days: '{[2026-01-01,2026-01-03],[2026-02-01,2026-02-02)}',
      address: '10.0.0.5',
      network: '10.0.0.0/8',
      card: '08-00-2B-01-02-03',
      flags: '1010',
      bits: '101',
      doc: '<a>1</a>',
      price: '$1,234.50',
      board: '{{1,2},{3,4}}',
    },
    { code: 'b', board: '{{5}}', span: 'PT2H', sizes: '(10,20]', address: '10.0.0.40', flags: '0001', price: '2' },
    { code: 'c' },
  ];
  const response = await send('POST', '/entities/t_Item', items);
  expect([response.status, response.text]).toEqual([201, response.text]);
  await data.query(`UPDATE t.item SET words = to_tsvector('simple', 'one two') WHERE code = 'a'`);
});

test('values are written in any form that PostgreSQL reads, and returned in the form that it writes', async () => {
  const { text } = await send('GET', '/entities/t_Item/a');
  expect(JSON.parse(text)).toMatchObject({
    span: 'P1DT1H30M',
    sizes: '[1,6)',
    booked: '["2026-01-01 09:00:00+00","2026-01-02 00:00:00+00")',
    days: '{[2026-01-01,2026-01-04),[2026-02-01,2026-02-02)}',
    address: '10.0.0.5',
    network: '10.0.0.0/8',
    card: '08:00:2b:01:02:03',
    flags: '1010',
    bits: '101',
    doc: '<a>1</a>',
    price: '$1,234.50',
    board: '{{1,2},{3,4}}',
    words: "'one':1 'two':2",
  });
});

test('a value is changed, cleared and left as it is', async () => {
  await send('POST', '/entities/t_Item', { code: 'x1', span: 'PT1H', address: '::1' });
  await send('POST', '/entities/t_Item', { code: 'x2', span: 'PT1H', address: '::1' });
  const one = await send('PUT', '/entities/t_Item/x1', { span: '-3 days', words: 'ignored' });
  expect([one.status, one.text]).toEqual([200, one.text]);
  const both = await send('PUT', '/entities/t_Item', [
    { code: 'x1', id: 'x1', span: null },
    { code: 'x2', id: 'x2', span: '1 year' },
  ]);
  expect([both.status, both.text]).toEqual([200, both.text]);
  const { text } = await search('code', 'startsWith', 'x');
  expect(JSON.parse(text)).toMatchObject([
    { code: 'x1', address: '::1' },
    { code: 'x2', span: 'P1Y', address: '::1' },
  ]);
  expect(JSON.parse(text)[0]).not.toHaveProperty('span');
  for (const code of ['x1', 'x2']) await send('DELETE', `/entities/t_Item/${code}`);
});

test('an array of two dimensions is found by its text form and replaced as a whole', async () => {
  expect(await find('board', '=', '{{1,2},{3,4}}')).toEqual(['a']);
  const { status, text } = await send('PUT', '/entities/t_Item/b', { board: '{{7,8},{9,10}}' });
  expect([status, text]).toEqual([200, text]);
  expect(await find('board', '=', '{{7,8},{9,10}}')).toEqual(['b']);
});

test.each([
  ['span', 'soon'],
  ['sizes', '[5,1]'],
  ['sizes', '1 to 5'],
  ['booked', '[yesterdayish,]'],
  ['days', '[1,2]'],
  ['address', '10.0.0.256'],
  ['network', '10.0.0.1/8'],
  ['card', 'x'],
  ['flags', '2'],
  ['bits', '2'],
  ['doc', '<a>'],
  ['price', 'much'],
  ['span', ''],
  ['terms', '&'],
  ['board', '{{1,2},{3}}'],
  ['board', '{{x}}'],
  // PostgreSQL has arrays of at most six dimensions.
  ['board', '{{{{{{{1}}}}}}}'],
])(
  'a value of %s that PostgreSQL refuses is an error of the client that names the attribute: %j',
  async (name, value) => {
    const bodies = [
      { [name]: value },
      [
        { code: 'b', id: 'b', [name]: value },
        { code: 'c', id: 'c', [name]: null },
      ],
    ];
    const responses = [
      await send('POST', '/entities/t_Item', { code: 'n', [name]: value }),
      await send('POST', '/entities/t_Item', [{ code: 'n', [name]: value }, { code: 'm' }]),
      await send('PUT', '/entities/t_Item/b', bodies[0]),
      await send('PUT', '/entities/t_Item', bodies[1]),
    ];
    for (const { status, text } of responses) {
      expect([status, text]).toEqual([400, text]);
      expect(JSON.parse(text)).toMatchObject([{ path: name }]);
    }
  },
);

test('a number of bits that the column does not have is an error of the client', async () => {
  for (const [path, value] of Object.entries({ flags: '101', bits: '1010101' })) {
    const { status, json } = await send('PUT', '/entities/t_Item/b', { [path]: value });
    expect([status, json()]).toEqual([400, [expect.objectContaining({ path })]]);
  }
  expect((await send('PUT', '/entities/t_Item/b', { flags: 'xFF' })).status).toBe(400);
  expect((await send('PUT', '/entities/t_Item/b', { flags: 'x1' })).status).toBe(200);
});

test.each([
  ['span', '=', '120 minutes', ['b']],
  ['span', '<>', 'PT2H', ['a']],
  ['span', '>', '23 hours', ['a']],
  ['span', '<=', '1 day', ['b']],
  ['span', 'in', ['P1DT90M', '2:00'], ['a', 'b']],
  ['span', 'notIn', ['2:00'], ['a']],
  ['span', 'isNull', undefined, ['c']],
  ['span', 'notEmpty', undefined, ['a', 'b']],
  ['sizes', '=', '[1,5]', ['a']],
  ['sizes', '>', '[2,3)', ['b']],
  ['booked', '=', '[2026-01-01T09:00Z,2026-01-02T00:00Z)', ['a']],
  ['address', '<', '10.0.0.10', ['a']],
  ['address', 'startsWith', '10.0.0.', ['a', 'b']],
  ['network', '=', '10/8', ['a']],
  ['card', '=', '08002b010203', ['a']],
  ['flags', '=', '1010', ['a']],
  ['flags', 'in', ['0001', '1111'], ['b']],
  ['bits', '=', '101', ['a']],
  ['price', '>=', '$2.00', ['a', 'b']],
  ['price', '=', 2, ['b']],
  ['doc', '=', '<a>1</a>', ['a']],
  ['doc', 'contains', '>1<', ['a']],
  ['words', 'contains', "'two'", ['a']],
  ['words', 'notEmpty', undefined, ['a']],
] as const)('%s %s %j finds %j', async (property, operator, value, codes) => {
  expect(await find(property, operator, value)).toEqual(codes);
});

test.each([
  ['span', '=', 'soon'],
  ['span', 'in', ['PT1H', 'soon']],
  ['sizes', '>', '[5,1]'],
  ['address', '=', 'x'],
  ['flags', '=', '12'],
])(
  'a filter with a value that PostgreSQL refuses is an error of the client: %s %s %j',
  async (property, operator, value) => {
    for (const more of [{}, { returnCount: true }, { limit: 2 }, { limit: 5_000 }]) {
      const { status, text } = await search(property, operator, value, more);
      expect([status, text]).toEqual([400, text]);
      expect(text).toContain('Cannot parse property value');
    }
    const filter = { conditions: [{ property, operator, value }] };
    const table = await data.send('ada', 'POST', '/entities/t_Item/search', { filter }, { accept: 'text/csv' });
    expect([table.status, table.text]).toEqual([400, expect.stringContaining('Cannot parse property value')]);
  },
);

test('a value of a row-level policy that PostgreSQL refuses is not the mistake of the client, who never sees it', async () => {
  for (const path of ['', '?returnCount=true', '?limit=2', '?limit=5000']) {
    const { status, text } = await data.send('eve', 'GET', `/entities/t_Item${path}`);
    expect([status, text]).toEqual([500, expect.not.stringContaining('confidential')]);
  }
});

test('types without an order have no comparison of order', async () => {
  const { status, text } = await search('doc', '>', '<a/>');
  expect([status, text]).toEqual([400, text]);
  expect(text).toContain('Operator > is not available');
});

test.each([
  ['span', ['b', 'a', 'c']],
  ['-address', ['c', 'b', 'a']],
  ['flags', ['b', 'a', 'c']],
  ['doc', ['a', 'b', 'c']],
])('lists are sorted by %s, also in pages', async (sort, codes) => {
  const found: string[] = [];
  let next: string | undefined = `/entities/t_Item?sort=${sort}&limit=1`;
  while (next !== undefined && found.length < 10) {
    const { headers, text } = await send('GET', next);
    found.push(...(JSON.parse(text) as { code: string }[]).map(({ code }) => code));
    next = /<.*?\/rest(\/.*?)>/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(found).toEqual(codes);
});

test('queries see texts', async () => {
  const { status, text } = await send('GET', '/queries/t_Item/bySpan?span=PT2H');
  expect([status, text]).toEqual([200, text]);
  expect(JSON.parse(text)).toMatchObject([{ code: 'b' }]);
});

test('metadata and the API document describe texts', async () => {
  const { text } = await send('GET', '/metadata/entities/t_Item');
  const properties = JSON.parse(text).properties as { name: string }[];
  expect(properties.find(({ name }) => name === 'span')).toMatchObject({
    attributeType: 'DATATYPE',
    type: 'string',
    cardinality: 'NONE',
  });
  const document = JSON.parse((await send('GET', '/docs/openapiDetailed.json')).text);
  expect(document.components.schemas.entity_t_Item.properties.span).toMatchObject({
    type: ['string', 'null'],
    description: 'Text form of the PostgreSQL type interval',
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
