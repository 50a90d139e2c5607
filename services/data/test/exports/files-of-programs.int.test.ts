import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bindApplication, loadQueries } from '@lintel/application';
import { type DataFixture, startData } from '../data-fixture.ts';
import { exportsApplication } from './exports-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(await loadQueries(bindApplication(exportsApplication, []), [], async () => ''), {
    admin: { resourceRoles: ['system-full-access'] },
  });
  await data.query(`INSERT INTO x.country (code, name) VALUES ('DE', 'Germany')`);
});
afterAll(() => data?.close());
afterEach(() => expect(data.errors).toEqual([]));

const send = (file: string | Uint8Array, query = '', type = 'text/csv') =>
  data.send('admin', 'POST', `/imports/x_Item${query}`, file, { 'content-type': type });
const rows = (where: string) =>
  data.query(
    `SELECT title, number, money::text, day::text, stamp::text, flag, state FROM x.item WHERE ${where} ORDER BY title`,
  );
const columns = (mapping: object): string => `?columns=${encodeURIComponent(JSON.stringify(mapping))}`;
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

interface Shape {
  readonly file: string | Uint8Array;
  readonly query?: string;
  readonly type?: string;
  /** Values of the rows whose titles begin with the name of the shape. */
  readonly rows: readonly object[];
  readonly found?: object;
}

/** Files as programs save them. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'excel-de': {
    file: latin(
      'Title;Money;Day;Flag\r\nexcel-de Größe;1.234,50;30.11.2026;WAHR\r\nexcel-de b;0,5;1.2.2026;FALSCH\r\n',
    ),
    type: 'text/csv;charset=windows-1252',
    rows: [
      { title: 'excel-de Größe', money: '1234.5000', day: '2026-11-30', flag: true },
      { title: 'excel-de b', money: '0.5000', day: '2026-02-01', flag: false },
    ],
    found: { decimal: ',', dateOrder: 'dmy' },
  },
  'excel-us': {
    file: '\uFEFFTitle,Money,Day,Flag\r\nexcel-us,"1,234.50",11/30/2026,TRUE\r\n',
    rows: [{ money: '1234.5000', day: '2026-11-30', flag: true }],
    found: { decimal: '.', dateOrder: 'mdy' },
  },
  'excel-unicode-text': {
    file: utf16('Title\tNumber\tDay\r\nexcel-unicode-text 😀\t7\t2026-11-30\r\n'),
    rows: [{ title: 'excel-unicode-text 😀', number: 7, day: '2026-11-30' }],
  },
  'excel-semicolon-utf8': {
    // Rows and columns without values are after the others.
    file: '\uFEFFTitle;Number;;\r\n"excel-semicolon-utf8 ""a""; b";7;;\r\n;;;\r\n',
    rows: [{ title: 'excel-semicolon-utf8 "a"; b', number: 7 }],
  },
  'excel-fr': {
    file: 'Title;Money;Day\r\nexcel-fr;1\u202F234,5;30/11/2026\r\n',
    rows: [{ money: '1234.5000', day: '2026-11-30' }],
  },
  'excel-ch': { file: "Title;Money\r\nexcel-ch;1'234.50\r\n", rows: [{ money: '1234.5000' }] },
  libreoffice: {
    file: '"Title","Money","Stamp"\n"libreoffice",12.5,"2026-11-30 23:59:58"\n',
    rows: [{ money: '12.5000', stamp: '2026-11-30 23:59:58' }],
  },
  'libreoffice-de': {
    file: '"Title"\t"Money"\t"Day"\n"libreoffice-de"\t12,5\t30.11.2026\n',
    rows: [{ money: '12.5000', day: '2026-11-30' }],
  },
  'google-sheets': {
    file: 'Title,Number,Stamp\r\n"google-sheets, two\nlines",7,11/30/2026 9:05:00',
    rows: [{ title: 'google-sheets, two\nlines', number: 7, stamp: '2026-11-30 09:05:00' }],
  },
  'google-sheets-empty-columns': {
    file: 'Title,Number,Extra\r\ngoogle-sheets-empty-columns,7,\r\n',
    rows: [{ number: 7 }],
  },
  'sap-alv': {
    file: 'Title\tNumber\tMoney\tDay\r\nsap-alv\t7\t1.234,50\t30.11.2026\r\n',
    rows: [{ number: 7, money: '1234.5000', day: '2026-11-30' }],
  },
  'sap-table': {
    file: 'TITLE;NUMBER;DAY;BIG\r\nsap-table;12-;20261130;9.007.199.254.740.993-\r\n',
    query: columns({ BIG: 'big', DAY: 'day' }),
    rows: [{ number: -12, day: '2026-11-30' }],
  },
  'postgres-copy': {
    file: 'title,number,flag\npostgres-copy,7,t\n',
    rows: [{ number: 7, flag: true }],
  },
  'captions-of-constants': {
    file: 'Title,State\ncaptions-of-constants,closed\n',
    rows: [{ state: 20 }],
  },
  pipes: { file: 'Title|Number\npipes|7\n', rows: [{ number: 7 }] },
};

// Asserts contract/imports.md#local-forms, contract/imports.md#cells, contract/imports.md#files.
test.each(Object.entries(SHAPES))(
  'a file such as %s is imported',
  async (name, { file, query, type, rows: expected, found }) => {
    const { status, text } = await send(file, query, type);
    const report = JSON.parse(text);
    expect([status, report.errors, report.created]).toEqual([200, [], expected.length]);
    expect(report).toMatchObject(found ?? {});
    const stored = await rows(`title LIKE '${name}%'`);
    expect(stored).toMatchObject(expected);
  },
);

/** Why other files are refused. */
const REFUSED: readonly (readonly [string, string | Uint8Array, string, string])[] = [
  [
    'DATEV bookings, whose first line describes the file',
    'EXTF;700;21;"Buchungsstapel";13;20261130\r\nUmsatz;Soll/Haben-Kennzeichen\r\n1234,50;S\r\n',
    '',
    "Column 1 'EXTF' is no attribute of x_Item",
  ],
  [
    'German text without its encoding',
    latin('Title\nGröße\n'),
    '',
    'The file is not valid utf-8: Content-Type names its encoding (text/csv;charset=windows-1252)',
  ],
  ['a workbook that is named CSV', Buffer.from('PK\u0003\u0004\u0000\u0000'), '', 'contains a NUL character'],
  [
    'numbers that are thousands or fractions',
    'Title,Money\na,"1,234"\n',
    '',
    "'1,234' in column 'Money' may be a fraction or thousands: the parameter 'decimal' names the sign",
  ],
  [
    'dates whose order is not clear',
    'Title,Day\na,03/04/2026\n',
    '',
    "'03/04/2026' in column 'Day' may begin with the day or the month: the parameter 'dateOrder' is dmy or mdy",
  ],
  ['dates in two orders', 'Title,Day\na,13/04/2026\nb,04/13/2026\n', '', 'with the month'],
  ['another sign', 'Title,Money\na,1\n', '?decimal=;', "Parameter 'decimal' must be . or ,"],
  ['values in a column without a name', 'Title,\na,b\n', '', "Column 2 '' is no attribute of x_Item"],
  ['a name in two columns', 'Title,title\na,b\n', '', "Several columns are the attribute 'title'"],
];

// Asserts contract/imports.md#local-forms, contract/imports.md#files.
test.each(REFUSED)('%s: nothing is imported', async (_name, file, query, details) => {
  const before = await rows('true');
  const response = await send(file, query);
  expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(details)]);
  expect(await rows('true')).toEqual(before);
});

// Asserts contract/imports.md#local-forms.
test('parameters decide where a file does not', async () => {
  const { text } = await send('Title,Money,Day\nchosen,"1,234",03/04/2026\n', '?decimal=,&dateOrder=dmy');
  expect(JSON.parse(text)).toMatchObject({ created: 1, decimal: ',', dateOrder: 'dmy' });
  expect(await rows(`title = 'chosen'`)).toMatchObject([{ money: '1.2340', day: '2026-04-03' }]);
});

// Asserts contract/imports.md#local-forms, contract/exports.md#parameters.
test('an export in the form of a language is imported unchanged', async () => {
  const id = '00000000-0000-4000-8000-0000000000e1';
  const item = {
    id,
    title: 'again',
    money: '1234.5',
    flag: true,
    state: 'OPEN',
    day: '2026-11-30',
    stamp: '2026-11-30T23:59:58',
  };
  expect((await data.send('admin', 'POST', '/entities/x_Item', item)).status).toBe(201);
  const filter = encodeURIComponent(JSON.stringify({ conditions: [{ property: 'id', operator: '=', value: id }] }));
  const plan = encodeURIComponent(JSON.stringify({ entity: 'x_Item', properties: Object.keys(item) }));
  const exported = await data.send(
    'admin',
    'GET',
    `/entities/x_Item/search?filter=${filter}&fetchPlan=${plan}`,
    undefined,
    {
      accept: 'text/csv;headers=captions;values=locale',
    },
  );
  expect(JSON.parse((await send(exported.text, '?mode=upsert')).text)).toMatchObject({ rows: 1, unchanged: 1 });
});

// Asserts contract/imports.md#imports.
test('a table that a package of the registry ships is imported', async () => {
  const folder = dirname(createRequire(import.meta.url).resolve('import-in-the-middle/package.json'));
  const file = readFileSync(join(folder, 'LICENSE-3rdparty.csv'));
  const mapping = { Component: 'title', Origin: 'link', License: null, Copyright: 'address.city' };
  const { status, text } = await send(file, columns(mapping));
  expect([status, JSON.parse(text).errors]).toEqual([200, []]);
  expect(JSON.parse(text).created).toBe(file.toString().trim().split('\n').length - 1);
});
