import { get } from 'node:http';
import { bindApplication, loadQueries } from '@lintel/application';
import { sheetRows } from '@lintel/documents/tables';
import { FORWARDING_PROOF_HEADER, forwardingProofOf } from '@lintel/http';
import { createMessages } from '@lintel/metadata';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData, type TestResponse } from '../data-fixture.ts';
import { exportsApplication } from './exports-application.ts';

const TEXTS = [
  '=1+1',
  "'=1",
  "''@",
  '+49',
  '-5',
  '@home',
  '\ttab',
  '＝wide',
  "'s",
  'a "b", c',
  'two\nlines',
  '',
  'é 😀',
];
const ITEM = '00000000-0000-4000-8000-0000000000';

const messages = createMessages(...exportsApplication.messages.layers, [
  { locale: '', texts: { 'x/Item.number': 'Number', 'x/State.CLOSED': 'Closed' } },
  {
    locale: 'de',
    texts: {
      ...{
        'x/Item.number': 'Nummer',
        'x/Item.money': 'Betrag',
        'x/Item.state': 'Zustand',
        'x/State.CLOSED': 'Zu',
      },
      ...{ 'x/Item.country': 'Land', 'x/Country.name': 'Name' },
    },
  },
]);

let data: DataFixture;
beforeAll(async () => {
  const admin = { resourceRoles: ['system-full-access'] };
  data = await startData(
    { ...(await loadQueries(bindApplication(exportsApplication, []), [], async () => '')), messages },
    {
      admin,
      coded: { ...admin, rowLevelRoles: ['by-code'] },
      limited: { ...admin, rowLevelRoles: ['small'] },
      titles: { resourceRoles: ['titles'] },
    },
    { 'svc.rest.default-max-fetch-size': '10', 'svc.core.available-locales': 'en,de' },
  );
  await data.query(`INSERT INTO x.country (code, name) VALUES ('DE', '=Germany'), ('FR', 'France')`);
  for (const [at, title] of TEXTS.entries()) {
    const response = await data.send('admin', 'POST', '/entities/x_Item', {
      id: `${ITEM}${String(at + 10)}`,
      title,
      number: at,
      ...{ big: '9007199254740993', ratio: at === 1 ? 1e21 : -0.1, part: 2, money: '12345678901234.5678', flag: true },
      ...{
        ident: `${ITEM}09`,
        day: '2026-01-02',
        instant: '2026-01-02T03:04:05.006Z',
        stamp: '2026-01-02T03:04:05.000',
      },
      ...{ clock: '03:04:05', bytes: 'AQID', link: 'https://example.org/?a=1,2', state: 'OPEN', email: 'a@b.example' },
      ...(at === 0 ? {} : { country: { code: at % 2 === 0 ? 'DE' : 'FR' } }),
      address: { country: 'DE', city: title },
      tags: ['x', 'y "z"'],
      extra: { a: null, b: [1.1] },
      lines: [{ label: title }],
    });
    expect([response.status, response.text]).toEqual([201, expect.anything()]);
  }
  const empty = await data.send('admin', 'POST', '/entities/x_Item', { id: `${ITEM}99`, number: 99 });
  expect([empty.status, empty.text]).toEqual([201, expect.anything()]);
});
afterAll(() => data?.close());

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ask = (path: string, accept: string, user = 'admin'): Promise<TestResponse> =>
  data.send(user, 'GET', path, undefined, { accept });
const plan = (...properties: unknown[]): string => planOf('x_Item', ...properties);
const planOf = (entity: string, ...properties: unknown[]): string =>
  encodeURIComponent(JSON.stringify({ entity, properties }));
const ADDRESS = { name: 'address', fetchPlan: { properties: ['country', 'city'] } };
const COUNTRY = { name: 'country', fetchPlan: { properties: ['name'] } };

// Asserts contract/exports.md#csv.
test('CSV has the attributes of the plan, ids of references, and texts that are no formula', async () => {
  const path = `/entities/x_Item?sort=number&limit=3&fetchPlan=${plan('title', 'money', ADDRESS, COUNTRY, 'state')}`;
  const { status, text, headers } = await ask(path, CSV);
  expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
    200,
    'text/csv;charset=utf-8',
    'Accept, Authorization, Accept-Language',
  ]);
  expect(text.split('\n')).toEqual([
    '"id","title","money","state","country","country.name","address.country","address.city"',
    `${ITEM}10,"'=1+1",12345678901234.5678,"OPEN",,,"DE","'=1+1"`,
    `${ITEM}11,"''=1",12345678901234.5678,"OPEN","FR","France","DE","''=1"`,
    `${ITEM}12,"'''@",12345678901234.5678,"OPEN","DE","'=Germany","DE","'''@"`,
    '',
  ]);
});

// Asserts contract/exports.md#csv.
test('code writes the same CSV as PostgreSQL, for every datatype', async () => {
  const path = '/entities/x_Item?sort=number&fetchPlan=_local';
  const flat = `/entities/x_Item?sort=number&fetchPlan=${plan(
    ...['title', 'number', 'big', 'ratio', 'part', 'money', 'flag', 'ident', 'day', 'instant', 'stamp', 'clock'],
    ...['bytes', 'link', 'state', ADDRESS, COUNTRY],
  )}`;
  await data.query(`UPDATE x.item SET ratio = 'NaN', part = '-Infinity' WHERE number = 3`);
  for (const one of [path, flat]) {
    const [written, coded] = [await ask(one, CSV), await ask(one, CSV, 'coded')];
    expect([written.status, written.text.split('\n').length]).toEqual([200, expect.any(Number)]);
    expect(written.text.split('\n').length).toBeGreaterThan(TEXTS.length);
    expect(coded.text).toBe(written.text);
    expect(written.text).toContain(',NaN,-Infinity,');
  }
  await data.query('UPDATE x.item SET ratio = -0.1, part = 2 WHERE number = 3');
});

// Asserts contract/exports.md#csv.
test('collections and JSON values are JSON in their cell, as the JSON of the list has them', async () => {
  const LINES = { name: 'lines', fetchPlan: { properties: ['label'] } };
  const path = `/entities/x_Item?sort=number&limit=1&offset=9&fetchPlan=${plan('tags', 'extra', LINES)}`;
  const [json, { text }] = [await ask(path, 'application/json'), await ask(path, CSV)];
  const [item] = json.json();
  const cell = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  expect(text).toBe(
    `"id","tags","extra","lines"\n${item.id},${cell(item.tags)},${cell(item.extra)},${cell(item.lines)}\n`,
  );
});

// Asserts contract/exports.md#parameters.
test('children are columns with a row for each member, as CSV and in workbooks', async () => {
  const id = `${ITEM}98`;
  const lines = [{ label: '=a' }, { label: 'b' }, { label: 'c' }];
  expect((await data.send('admin', 'POST', '/entities/x_Item', { id, number: 98, title: 'T', lines })).status).toBe(
    201,
  );
  const LINES = { name: 'lines', fetchPlan: { properties: ['label'] } };
  const path = `/entities/x_Item?sort=number&offset=${TEXTS.length}&fetchPlan=${plan('title', LINES, 'number')}`;
  for (const user of ['admin', 'coded']) {
    const { text } = await ask(path, `${CSV};children=rows`, user);
    const [header, ...rows] = text.split('\n').slice(0, -1);
    expect(header).toBe('"id","title","number","lines.id","lines.label"');
    expect(rows.map((row) => row.replace(/[\da-f]{8}-[\da-f-]{27}(?=,"(?:'=a|b|c)")/, 'line'))).toEqual([
      `${id},"T",98,line,"'=a"`,
      `${id},,,line,"b"`,
      `${id},,,line,"c"`,
      `${ITEM}99,,99,,`,
    ]);
  }
  const continued = await ask(`${path}&limit=1`, `${CSV};children=rows;headers=captions`);
  expect(continued.text.split('\n')).toHaveLength(5);
  expect(continued.headers.get('link')).toContain('rel="next"');
  const headers = { authorization: 'Bearer admin', accept: `${XLSX};children=rows` };
  const workbook = await fetch(`${data.url}/rest${path}`, { headers });
  const { rows } = await sheetRows(Buffer.from(await workbook.arrayBuffer()));
  const cells = (await Array.fromAsync(rows))
    .slice(1)
    .map(([own, title, number, , label]) => [own, title, number, label]);
  expect(cells).toEqual([
    [id, 'T', '98', '=a'],
    [id, null, null, 'b'],
    [id, null, null, 'c'],
    [`${ITEM}99`, null, '99', undefined],
  ]);
  expect((await data.send('admin', 'DELETE', `/entities/x_Item/${id}`)).status).toBe(204);
});

// Asserts contract/exports.md#ndjson.
test.each(['admin', 'coded'])('NDJSON has the JSON of the list, a row on each line, for %s', async (user) => {
  for (const parameters of ['sort=number&limit=10', 'sort=-number&limit=3&returnNulls=true', 'limit=0']) {
    const path = `/entities/x_Item?fetchPlan=_base&${parameters}`;
    const [json, { text, headers }] = [await ask(path, 'application/json', user), await ask(path, NDJSON, user)];
    expect(headers.get('content-type')).toBe(NDJSON);
    const lines = text.split('\n').slice(0, -1);
    expect(text).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(`[${lines.join(',')}]`).toBe(json.text);
  }
});

// Asserts contract/exports.md#exports, contract/exports.md#limits.
test('an export has all rows; a list has at most the maximum', async () => {
  expect((await ask('/entities/x_Item', 'application/json')).json()).toHaveLength(10);
  expect((await ask('/entities/x_Item?limit=50', 'application/json')).status).toBe(400);
  for (const parameters of ['', '?limit=50', '?offset=0']) {
    const { text } = await ask(`/entities/x_Item${parameters}`, NDJSON);
    expect(text.split('\n')).toHaveLength(TEXTS.length + 2);
  }
  const { text, headers } = await ask('/entities/x_Item?offset=12&returnCount=true&sort=number', NDJSON);
  expect([text.split('\n').length, headers.get('x-total-count')]).toEqual([3, String(TEXTS.length + 1)]);
});

// Asserts contract/exports.md#limits, contract/reading.md#cursors.
test.each([CSV, NDJSON])('%s is continued after its last row by the link', async (accept) => {
  const first = await ask('/entities/x_Item?sort=number&limit=12&fetchPlan=_local', accept);
  const next = /^<\/rest([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const rest = await ask(next, accept);
  const all = await ask('/entities/x_Item?sort=number&fetchPlan=_local', accept);
  const body = accept === CSV ? rest.text.slice(rest.text.indexOf('\n') + 1) : rest.text;
  expect(first.text + body).toBe(all.text);
});

// Asserts contract/exports.md#rights, contract/personal-data.md#masks.
test('an export shows what the caller may view, and personal attributes to holders of the permission', async () => {
  expect((await ask('/entities/x_Item?fetchPlan=_local', 'application/json', 'titles')).json()[0].email).toBe(
    'a@b.example',
  );
  const { text } = await ask('/entities/x_Item?fetchPlan=_local&sort=number&limit=1', CSV, 'titles');
  expect(text.split('\n')).toEqual(['"id","title","number"', `${ITEM}10,"'=1+1",0`, '']);
  expect((await ask('/entities/x_Item', NDJSON, 'limited')).text.split('\n')).toHaveLength(4);
  expect((await ask('/entities/x_Country', NDJSON, 'titles')).status).toBe(403);
  expect((await ask('/entities/x_Item?sort=email', CSV, 'titles')).status).toBe(403);
});

// Asserts contract/exports.md#rights, contract/access-log.md#recorded.
test.each([CSV, NDJSON])('the access log has the rows of an export as %s', async (accept) => {
  const code = `K-${accept.length}`;
  const created = await data.send('admin', 'POST', '/entities/x_Kind', { code });
  const { id } = created.json();
  const filter = encodeURIComponent(JSON.stringify({ conditions: [{ property: 'code', operator: '=', value: code }] }));
  const { text } = await ask(
    `/entities/x_Kind/search?filter=${filter}&fetchPlan=${planOf('x_Kind', 'code')}`,
    accept,
    'limited',
  );
  expect(text).toContain(code);
  await eventually(async () =>
    expect(
      await data.query(`SELECT operation, ids FROM history.access WHERE username = 'limited' AND '${id}' = ANY(ids)`),
    ).toEqual([{ operation: 'search', ids: [id] }]),
  );
});

/** An item with a name of its country, decimals and dates. */
const READABLE = { id: `${ITEM}50`, title: 'r', number: 1_234, money: '1234.5600', flag: false, state: 'CLOSED' };
const DATES = { day: '2026-11-30', stamp: '2026-11-30T23:59:58.000', clock: '03:04:05', country: { code: 'DE' } };
const askIn = (accept: string, language: string, user = 'admin'): Promise<TestResponse> => {
  const columns = plan('number', 'money', 'flag', 'state', 'day', 'stamp', 'clock', COUNTRY, ADDRESS);
  const filter = encodeURIComponent(JSON.stringify({ conditions: [{ property: 'title', operator: '=', value: 'r' }] }));
  const path = `/entities/x_Item/search?filter=${filter}&fetchPlan=${columns}`;
  return data.send(user, 'GET', path, undefined, { accept, 'accept-language': language });
};

// Asserts contract/exports.md#parameters, contract/exports.md#csv.
describe('the parameters of a table', () => {
  beforeAll(async () => {
    expect((await data.send('admin', 'POST', '/entities/x_Item', { ...READABLE, ...DATES })).status).toBe(201);
  });
  afterAll(() => data.send('admin', 'DELETE', `/entities/x_Item/${READABLE.id}`));

  test.each(['admin', 'coded'])('headers are captions in the language of the caller, for %s', async (user) => {
    const { text } = await askIn('text/csv;headers=captions', 'de', user);
    const [header, row] = text.split('\n');
    expect(header).toBe(
      '"ID","Nummer","Betrag","Flag","Day","Stamp","Clock","Zustand","Land","Land › Name","Address › Country","Address › City"',
    );
    expect(row).toContain('"CLOSED"');
    expect((await askIn('text/csv; headers="captions"', 'en', user)).text.split('\n')[0]).toContain('"Number"');
  });

  test('references are ids, the attributes of their plan, or instance names', async () => {
    const cellsOf = async (form: string, user: string): Promise<readonly string[]> => {
      const lines = (await askIn(`text/csv;references=${form}`, 'en', user)).text.split('\n');
      return lines.slice(0, 2).map((line) => line.split(',').slice(8, -2).join());
    };
    for (const user of ['admin', 'coded']) {
      expect(await cellsOf('ids', user)).toEqual(['"country","country.name"', '"DE","\'=Germany"']);
      expect(await cellsOf('keys', user)).toEqual(['"country.name"', '"\'=Germany"']);
      expect(await cellsOf('names', user)).toEqual(['"country","country.name"', '"x_Country-DE","\'=Germany"']);
    }
  });

  test.each([
    ['de', '1234;1234,5600;Nein;30.11.2026;30.11.2026 23:59:58;03:04:05;"Zu";"DE"'],
    ['en', '1234,1234.5600,False,30/11/2026,30/11/2026 23:59:58,03:04:05,"Closed","DE"'],
  ])('values of %s are exact, in the form of the language', async (language, cells) => {
    const { text } = await askIn('text/csv;values=locale', language);
    expect(text.split('\n')[1]).toContain(cells);
  });

  test('cells of a workbook keep their types, and have texts of constants', async () => {
    const url = `/entities/x_Item/search?fetchPlan=${plan('money', 'state', 'country')}&filter=`;
    const filter = encodeURIComponent(
      JSON.stringify({ conditions: [{ property: 'title', operator: '=', value: 'r' }] }),
    );
    const accept = `${XLSX};headers=captions;values=locale;references=names`;
    const headers = { authorization: 'Bearer admin', [FORWARDING_PROOF_HEADER]: forwardingProofOf('x') };
    const fileOf = async (form: string): Promise<Buffer> => {
      const response = await fetch(`${data.url}/rest${url}${filter}`, {
        headers: { ...headers, accept: form, 'accept-language': 'de' },
      });
      return Buffer.from(await response.arrayBuffer());
    };
    const { rows } = await sheetRows(await fileOf(accept));
    expect(await Array.fromAsync(rows)).toEqual([
      ['ID', 'Betrag', 'Zustand', 'Land'],
      [READABLE.id, '1234.56', 'Zu', 'x_Country-DE'],
    ]);
    expect((await fileOf('text/csv;values=locale')).subarray(0, 5)).toEqual(Buffer.from('\uFEFF"i'));
  });

  test('other values, and those of NDJSON, are refused', async () => {
    for (const [accept, details] of [
      ['text/csv;headers=labels', "'headers' of text/csv is names or captions"],
      ['text/csv;children=all', "'children' of text/csv is json or rows"],
      [`${NDJSON};values=locale`, `'values' of ${NDJSON} is not available`],
    ] as const) {
      const { status, text } = await askIn(accept, 'en');
      expect([status, JSON.parse(text).details]).toEqual([406, details]);
    }
    expect((await askIn('text/csv;charset=utf-8, application/json;q=0.5;values=other', 'en')).status).toBe(200);
  });
});

// Asserts contract/exports.md#exports.
test('searches by GET and POST, queries and aggregates are exported', async () => {
  const filter = { conditions: [{ property: 'number', operator: '<', value: 2 }] };
  const search = { filter, sort: 'number', fetchPlan: { entity: 'x_Item', properties: ['number'] } };
  const expected = `"id","number"\n${ITEM}10,0\n${ITEM}11,1\n`;
  const url = `filter=${encodeURIComponent(JSON.stringify(filter))}&sort=number&fetchPlan=${plan('number')}`;
  expect((await ask(`/entities/x_Item/search?${url}`, CSV)).text).toBe(expected);
  const posted = await data.send('admin', 'POST', '/entities/x_Item/search', search, { accept: CSV });
  expect(posted.text).toBe(expected);
  expect((await ask('/queries/x_Item/values?limit=2', CSV)).text).toBe(
    `"title","money"\n"'=1+1",12345678901234.5678\n"''=1",12345678901234.5678\n`,
  );
  expect((await ask('/queries/x_Item/two', NDJSON)).text).toBe(
    (await ask('/queries/x_Item/two', 'application/json')).text.slice(1, -1).replace('},{', '}\n{').concat('\n'),
  );
  const body = { groupBy: ['country'], aggregates: { rows: { count: '*' }, total: { sum: 'money' } }, sort: 'rows' };
  const aggregated = await data.send('admin', 'POST', '/aggregates/x_Item', body, { accept: CSV });
  expect([aggregated.status, aggregated.text]).toEqual([
    200,
    `"country","rows","total"\n,2,12345678901234.5678\n"FR",6,74074073407407.4068\n"DE",6,74074073407407.4068\n`,
  ]);
});

// Asserts contract/exports.md#exports, contract/conventions.md#endpoints.
test.each([
  ['text/csv;q=0.4, application/json;q=0.5', 'application/json'],
  ['text/csv;q=0.6, application/json;q=0.5', 'text/csv;charset=utf-8'],
  ['text/*, */*;q=0.1', 'text/csv;charset=utf-8'],
  ['application/x-ndjson;charset=utf-8', NDJSON],
  ['text/html, */*', 'application/json'],
  ['application/*', 'application/json'],
])('Accept: %s chooses %s', async (accept, expected) => {
  expect((await ask('/entities/x_Country', accept)).headers.get('content-type')).toBe(expected);
});

// Asserts contract/exports.md#exports, contract/conventions.md#endpoints.
test('an instance is JSON only, and a list has no other forms', async () => {
  const one = `/entities/x_Item/${ITEM}10`;
  const refused = 'This endpoint returns application/json';
  for (const [path, accept, details] of [
    [one, CSV, refused],
    ['/entities/x_Country', 'text/html', `${refused} or text/csv or application/x-ndjson or ${XLSX}`],
    ['/queries/x_Item/values', 'text/html', `${refused} or text/csv or application/x-ndjson or ${XLSX}`],
    ['/queries/x_Item', CSV, refused],
    ['/metadata/entities', CSV, refused],
  ] as const) {
    const { status, text } = await ask(path, accept);
    expect([path, status, JSON.parse(text).details]).toEqual([path, 406, details]);
  }
  const written = await data.send('admin', 'POST', '/entities/x_Country', {}, { accept: CSV });
  expect(written.status).toBe(406);
  const head = await data.send('admin', 'HEAD', '/entities/x_Country', undefined, { accept: CSV });
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/csv;charset=utf-8']);
});

// Asserts contract/exports.md#csv.
test('a list without rows has the header alone', async () => {
  expect((await ask('/entities/x_Country?offset=5', CSV)).text).toBe('"id","code","name"\n');
  expect((await ask('/entities/x_Country?offset=5', NDJSON)).text).toBe('');
  expect((await ask('/entities/x_Item?offset=500&fetchPlan=_local', CSV, 'coded')).text).toMatch(/^"id",.*\n$/);
});

// Asserts contract/exports.md#limits.
test('a client that leaves ends the cursor, and its connection is free', async () => {
  await data.query(`INSERT INTO x.kind (id, version, code, name)
    SELECT gen_random_uuid(), 1, 'N' || i, repeat('x', 2000) FROM generate_series(1, 60000) i`);
  const headers = { authorization: 'Bearer coded', accept: CSV, [FORWARDING_PROOF_HEADER]: forwardingProofOf('x') };
  const path = `${data.url}/rest/entities/x_Kind?fetchPlan=_local`;
  const running = async (): Promise<number> => {
    const [row] = (await data.query(`SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND backend_xmin IS NOT NULL AND query LIKE 'SELECT%x_Kind%' AND pid <> pg_backend_pid()`)) as [
      { n: number },
    ];
    return row.n;
  };
  const request = get(path, { headers });
  await new Promise<void>((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      response.once('data', () => {
        response.pause();
        resolve();
      });
    });
  });
  expect(await running()).toBe(1);
  request.on('error', () => {}).destroy();
  await eventually(async () => expect([await running(), data.database.metrics().waiting]).toEqual([0, 0]));
  expect(data.errors).toEqual([]);
});
