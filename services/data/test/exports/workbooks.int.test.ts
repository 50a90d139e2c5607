import { bindApplication, loadQueries } from '@lintel/application';
import { EXPORT_TYPES } from '@lintel/contracts';
import { workbook } from '@lintel/documents';
import { type SheetCell, sheetRows } from '@lintel/documents/tables';
import { FORWARDING_PROOF_HEADER, forwardingProofOf } from '@lintel/http';
import { type DataFixture, startData } from '../data-fixture.ts';
import { exportsApplication } from './exports-application.ts';

const XLSX = EXPORT_TYPES.xlsx;

let data: DataFixture;
beforeAll(async () => {
  const admin = { resourceRoles: ['system-full-access'] };
  data = await startData(
    await loadQueries(bindApplication(exportsApplication, []), [], async () => ''),
    { admin, coded: { ...admin, rowLevelRoles: ['by-code'] }, titles: { resourceRoles: ['titles'] } },
    { 'svc.rest.default-max-fetch-size': '10' },
  );
  await data.query(`INSERT INTO x.country (code, name) VALUES ('DE', 'Germany')`);
});
afterAll(() => data?.close());

async function ask(path: string, user = 'admin', method = 'GET') {
  const headers = {
    authorization: `Bearer ${user}`,
    accept: XLSX,
    [FORWARDING_PROOF_HEADER]: forwardingProofOf('x'),
  };
  const response = await fetch(`${data.url}/rest${path}`, { method, headers });
  return { status: response.status, headers: response.headers, file: Buffer.from(await response.arrayBuffer()) };
}
const rowsOf = async (file: Uint8Array): Promise<readonly (readonly SheetCell[])[]> =>
  Array.fromAsync((await sheetRows(file)).rows);
const send = (target: string, file: Uint8Array, user = 'admin') =>
  data.send(user, 'POST', `/imports/${target}`, file, { 'content-type': XLSX });
const query = (members: object): string => encodeURIComponent(JSON.stringify(members));
const filterOf = (title: string): string => query({ conditions: [{ property: 'title', operator: '=', value: title }] });
const tableOf = (...rows: readonly (readonly (string | number)[])[]): Uint8Array => {
  const cells = rows.flatMap((row, at) => row.map((value, column) => [`${'ABCDEF'[column]}${at + 1}`, value] as const));
  return workbook({
    sheets: [{ name: 'A', cells: Object.fromEntries(cells) }],
    styles: [{}, { format: 'dd.mm.yyyy' }],
  });
};

const VALUES = {
  ...{ title: "'=1+1", number: 7, big: '9007199254740993', ratio: 1e-7, part: 2, money: '12.3400', flag: true },
  ...{ day: '2026-01-02', instant: '2026-01-02T03:04:05.006Z', stamp: '2026-01-02T03:04:05.006', clock: '03:04:05' },
  ...{ bytes: 'AQID', state: 'OPEN', extra: { a: [1.5, null] }, country: { code: 'DE' }, tags: ['x'] },
  address: { country: 'DE', city: '=x' },
};

// Asserts contract/exports.md#xlsx, contract/imports.md#xlsx.
test.each(['admin', 'coded'])(
  'a workbook has numbers, dates and texts, and is imported again, for %s',
  async (user) => {
    const id = `00000000-0000-4000-8000-0000000000${user === 'admin' ? 'a1' : 'a2'}`;
    const created = await data.send('admin', 'POST', '/entities/x_Item', {
      id,
      ...VALUES,
      title: `${VALUES.title} ${user}`,
    });
    expect([created.status, created.text]).toEqual([201, expect.anything()]);
    const plan = query({
      entity: 'x_Item',
      extends: '_local',
      properties: [
        { name: 'country', fetchPlan: { properties: ['name'] } },
        'address.country',
        'address.city',
        'tags',
        'extra',
      ],
    });
    const path = `/entities/x_Item?fetchPlan=${plan}&filter=${filterOf(`${VALUES.title} ${user}`)}`;
    const { status, headers, file } = await ask(path.replace('x_Item?', 'x_Item/search?'), user);
    expect([status, headers.get('content-type')]).toEqual([200, XLSX]);
    const [header = [], row = [], ...others] = await rowsOf(file);
    expect(others).toEqual([]);
    const named = Object.fromEntries(header.map((name, at) => [name, row[at] ?? null]));
    expect(named).toMatchObject({
      ...{
        id,
        title: `'=1+1 ${user}`,
        number: '7',
        big: '9007199254740993',
        money: '12.34',
        flag: 'true',
        state: 'OPEN',
      },
      ...{
        day: { serial: 46024 },
        instant: '2026-01-02T03:04:05.006Z',
        country: 'DE',
        'address.city': '=x',
        tags: '["x"]',
      },
    });
    const imported = await send('x_Item?mode=upsert', file);
    expect([imported.json().unchanged, imported.json().errors]).toEqual([1, []]);
  },
);

// Asserts contract/exports.md#xlsx.
test('a workbook without rows has its header, and HEAD has no body', async () => {
  const { file } = await ask(
    `/entities/x_Item/search?fetchPlan=${query({ entity: 'x_Item', properties: ['title'] })}&filter=${filterOf('no')}`,
  );
  expect(await rowsOf(file)).toEqual([['id', 'title']]);
  const head = await ask('/entities/x_Item', 'admin', 'HEAD');
  expect([head.status, head.headers.get('content-type'), head.file.length]).toEqual([200, XLSX, 0]);
  expect((await ask('/entities/x_Item?sort=nothing')).status).toBe(400);
});

// Asserts contract/imports.md#xlsx.
test('cells of a workbook are dates, values of formulas and errors', async () => {
  const file = tableOf(['title', 'number', 'day', 'stamp'], ['w1', 1], ['w2', 2], ['w3', 3]);
  const dated = workbook({
    sheets: [
      {
        name: 'A',
        cells: {
          ...{
            A1: 'title',
            B1: 'day',
            C1: 'stamp',
            D1: 'clock',
            A2: 'w4',
            A3: 'w5',
            B3: { value: 45_000.5, style: 1 },
          },
          ...{ B2: { value: 45_000, style: 1 }, C2: { value: 45_000, style: 1 }, D2: { value: 0.75, style: 1 } },
        },
      },
    ],
    styles: [{}, { format: 'dd.mm.yyyy hh:mm' }],
    isCalendarOf1904: true,
  });
  expect((await send('x_Item', file)).json().created).toBe(3);
  const { json } = await send('x_Item?refused=skip', dated);
  expect([json().created, json().errors]).toEqual([
    1,
    [{ row: 2, column: 'day', attribute: 'day', reason: expect.stringContaining('day') }],
  ]);
  const [row] = await data.query(`SELECT day::text, stamp::text, clock::text FROM x.item WHERE title = 'w4'`);
  expect(row).toEqual({ day: '2027-03-16', stamp: '2027-03-16 00:00:00', clock: expect.stringMatching(/^18:00:00/) });
  const formulas = await send('x_Kind?refused=skip', tableOf(['code', 'name'], ['x1', '=1/0'], ['x2', 'b', 'c']));
  expect(formulas.json().errors).toEqual([
    { row: 1, column: 'name', attribute: 'name', reason: 'The cell has a formula without a stored value' },
    { row: 2, reason: 'The row has 3 cells, the header has 2' },
  ]);
});

// Asserts contract/imports.md#xlsx.
test.each<readonly [string, Uint8Array, string, string]>([
  ['text', Buffer.from('code\nI\n'), 'x_Kind', 'The workbook cannot be read: the file is no zip archive'],
  ['no rows', tableOf(), 'x_Kind', 'The first sheet of the workbook is empty'],
  [
    'a date as a name',
    workbook({ sheets: [{ name: 'A', cells: { A1: { value: 1, style: 1 } } }], styles: [{}, { format: 'd' }] }),
    'x_Kind',
    'Column 1 has no text as its name',
  ],
  [
    'merged cells',
    workbook({ sheets: [{ name: 'A', cells: { A1: 'code' }, merges: ['A1:B1'] }] }),
    'x_Kind',
    'the cells A1:B1 are merged',
  ],
  [
    'too many columns',
    workbook({ sheets: [{ name: 'A', cells: { XFD1: 'code' } }] }),
    'x_Kind',
    'A row has 16384 cells',
  ],
  ['a delimiter', tableOf(['code']), 'x_Kind?delimiter=;', "Parameter 'delimiter' is for text/csv"],
])('a workbook with %s is refused', async (_name, file, target, details) => {
  const response = await send(target, file);
  expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(details)]);
  expect(data.errors).toEqual([]);
});

// Asserts contract/exports.md#rights.
test('a workbook has no attribute that the caller may not view, and no personal one', async () => {
  await send('x_Item', tableOf(['title', 'email', 'number'], ['p', 'p@x.example', 4]));
  const { file } = await ask(`/entities/x_Item/search?filter=${filterOf('p')}`, 'titles');
  const [header, row] = await rowsOf(file);
  expect([header, row?.slice(1)]).toEqual([
    ['id', 'title', 'number'],
    ['p', '4'],
  ]);
});
