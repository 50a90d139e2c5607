import { randomBytes } from 'node:crypto';
import readXlsxFile from 'read-excel-file/node';
import { type ZipEntry, zipStream } from '../rendering/ooxml/zip/zip-stream.ts';
import { workbook } from '../rendering/xlsx/writing/workbook.ts';
import { isoOfSerial, type SheetCell, sheetRows, type WrittenCell, workbookStream } from './index.ts';

const read = async (file: Uint8Array): Promise<readonly (readonly SheetCell[])[]> =>
  Array.fromAsync((await sheetRows(file)).rows);
const written = async (header: readonly string[], ...batches: (readonly (readonly WrittenCell[])[])[]) => {
  async function* rows() {
    yield* batches;
  }
  return Buffer.concat(await Array.fromAsync(workbookStream(header, rows())));
};

const SHEET = 'xl/worksheets/sheet1.xml';
/** A file whose first sheet has this text. */
const withSheet = (xml: string, parts: Record<string, string> = {}) =>
  workbook({ sheets: [{ name: 'A', cells: {} }], parts: { [SHEET]: xml, ...parts } });
const row = (cells: string, number = 1): string =>
  `<worksheet><sheetData><row r="${number}">${cells}</row></sheetData></worksheet>`;

test('rows that were written are read again, and by other readers', async () => {
  const rows: WrittenCell[][] = [
    ['=1+1', 12.5, true, { iso: '2026-02-03', kind: 'date' }, null, ' a\n_x000D_<&>\u0007'],
    ["'", -0.1, false, { iso: '2026-02-03T04:05:06.789', kind: 'dateTime' }, '', { iso: '04:05:06', kind: 'time' }],
    [{ iso: '0001-01-01', kind: 'date' }],
  ];
  const file = await written(['text', 'number', 'flag', 'day', 'none', 'more'], rows.slice(0, 2), rows.slice(2));
  const [header, first, second, third] = await read(file);
  expect(header).toEqual(['text', 'number', 'flag', 'day', 'none', 'more']);
  expect(first).toEqual(['=1+1', '12.5', 'true', { serial: 46056 }, null, ' a\n_x000D_<&>\u0007']);
  expect(second?.slice(0, 3)).toEqual(["'", '-0.1', 'false']);
  expect([second?.[3], second?.[5]].map((cell) => isoOfSerial((cell as { serial: number }).serial, false))).toEqual([
    '2026-02-03T04:05:06.789',
    '04:05:06',
  ]);
  expect([second?.[4], third]).toEqual(['', ['0001-01-01']]);
  const [sheet] = await readXlsxFile(file);
  expect(sheet?.data[1]?.slice(0, 4)).toEqual(['=1+1', 12.5, true, new Date('2026-02-03')]);
});

test('cells of other programs are read by their types, formats and positions', async () => {
  const cells =
    '<c r="A1" t="s"><v>0</v></c><c r="C1" s="1"><v>1.5</v></c><c r="D1" t="b"><v>0</v></c>' +
    '<c r="E1" t="str"><f>A1&amp;"x"</f><v>ax</v></c><c r="F1"><f>1/4</f><v>0.25</v></c><c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>' +
    '<c r="I1" t="e"><v>#DIV/0!</v></c><c r="J1"><f>NOW()</f></c><c r="K1" s="2"><v>3</v></c>';
  const file = withSheet(
    `<x:worksheet xmlns:x="m">${row(cells)
      .replaceAll(/<(\/?)(?=\w)/g, '<$1x:')
      .slice(13)}`,
    {
      'xl/sharedStrings.xml': '<sst><si><r><t>Ä</t></r><rPh><t>no</t></rPh><r><t>b</t></r></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]0.0&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="22"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    },
  );
  expect(await read(file)).toEqual([
    [
      ...['Äb', null, { serial: 1.5 }, 'false', 'ax', '0.25', 'ab', null, { error: '#DIV/0!' }],
      ...[{ error: 'a formula without a stored value' }, '3'],
    ],
  ]);
});

test('cells without a position follow the last one, which may be empty', async () => {
  const cells = '<c><v>1</v></c><c/><c><v>3</v></c><c r="F1"/><c><v>7</v></c>';
  expect(await read(withSheet(row(cells)))).toEqual([['1', null, '3', null, null, null, '7']]);
});

test.each([
  [45_000, false, '2023-03-15'],
  [45_000, true, '2027-03-16'],
  [1, false, '1900-01-01'],
  [59, false, '1900-02-28'],
  [60, false, undefined],
  [61, false, '1900-03-01'],
  [0, true, '1904-01-01'],
  [0.5, false, '12:00:00'],
  [0.5, true, '1904-01-01T12:00:00'],
  [2.25, false, '1900-01-02T06:00:00'],
  [-1, false, undefined],
  [3_000_000, false, undefined],
])('the number %p with the calendar of 1904 %p is %p', (serial, is1904, iso) => {
  expect(isoOfSerial(serial, is1904)).toBe(iso);
});

const archive = async (...entries: readonly ZipEntry[]) => Buffer.concat(await Array.fromAsync(zipStream(entries)));

test.each<readonly [string, () => Uint8Array | Promise<Uint8Array>, string]>([
  ['text', () => Buffer.from('a,b\n'), 'the file is no zip archive that can be read'],
  ['a file of Excel 97', () => new Uint8Array([0xd0, 0xcf, 0x11]), 'the format of Office before 2007'],
  ['another archive', () => archive({ name: 'a', content: async function* () {} }), 'the file has no part _rels/.rels'],
  ['no sheet', () => workbook({ sheets: [] }), 'the workbook has no sheet'],
  ['broken XML', () => withSheet('<worksheet><sheetData><row'), 'is no well-formed XML'],
  ['a cut sheet', () => withSheet('<worksheet><sheetData><row><c><v>1</v></c></row>'), 'is no well-formed XML'],
  ['a deep sheet', () => withSheet('<a>'.repeat(200_000)), 'has elements that are nested too deeply'],
  ['an empty sheet', () => withSheet(''), 'is no well-formed XML'],
  ['a wrong text', () => withSheet(row('<c r="A1" t="s"><v>7</v></c>')), 'the cell A1 names a text'],
  ['a wrong number', () => withSheet(row('<c r="B1"><v>1,5</v></c>')), 'the cell B1 has a number'],
  ['a column that no sheet has', () => withSheet(row('<c r="XFE1"><v>1</v></c>')), 'the cell XFE1 is behind the last'],
  ['a cell that no sheet has', () => withSheet(row('<c r="foo"><v>1</v></c>')), 'there is no cell foo'],
  [
    'a long format',
    () =>
      withSheet(row('<c><v>1</v></c>'), {
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(256)}"/></numFmts></styleSheet>`,
      }),
    'a number format has more than 255 characters',
  ],
  [
    'a text that many cells share',
    () =>
      withSheet(`<worksheet><sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(120)}</sheetData></worksheet>`, {
        'xl/sharedStrings.xml': `<sst><si><t>${randomBytes(500_000).toString('hex')}</t></si></sst>`,
      }),
    'the sheet has more than 104857600 characters',
  ],
  [
    'merged cells',
    () => withSheet('<worksheet><sheetData/><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>'),
    'the cells A1:B2 are merged',
  ],
  [
    'a cell of 2 MB',
    () => withSheet(row(`<c r="A7" t="str"><v>${randomBytes(800_000).toString('hex')}</v></c>`, 7)),
    'row 7 has more than 1048576 characters',
  ],
  [
    'a bomb',
    () => withSheet(row('<c><v>1</v></c>'), { 'xl/theme.xml': ' '.repeat(3_000_000) }),
    'the file unpacks to more than it may',
  ],
])('%s is refused', async (_name, file, message) => {
  const given = await file();
  await expect(read(given)).rejects.toThrow(message);
});

test('rows are no longer read when the reader of a workbook leaves', async () => {
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield [['x'.repeat(10_000)]];
    } finally {
      isClosed = true;
    }
  }
  let chunks = 0;
  for await (const _ of workbookStream(['a'], endless())) {
    chunks += 1;
    if (chunks > 2) break;
  }
  expect(isClosed).toBe(true);
});
