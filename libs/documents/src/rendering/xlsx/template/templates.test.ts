// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import type { ReportBand } from '@lintel/application';
import { zipSync } from 'fflate';
import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import { type WorkbookDefinition, workbook } from '../../../../test/drawn-workbook.ts';
import { caseOf, renderFile } from '../../../../test/xlsx-result.ts';
import { parseDocxTemplate } from '../../docx/docx-template.ts';
import { readPackage } from '../../ooxml/read-package.ts';
import { relationships } from '../writing/workbook.ts';
import { parseXlsxTemplate } from './parse-xlsx-template.ts';
import { streamedBandOf } from './streamed-band.ts';

const sheets = [{ name: 'S', cells: { A1: '${a}' } }];
const good: WorkbookDefinition = { sheets, names: { Row: 'S!$A$1' } };
const parse = (definition: Partial<WorkbookDefinition>, bands: readonly ReportBand[] = [{ name: 'Row' }]) =>
  parseXlsxTemplate(workbook({ ...good, ...definition }), bands);

// Asserts contract/report-templates.md#xlsx.
test('names that are no bands may hold anything; those of a sheet and of whole rows are bands too', async () => {
  const template = await parse(
    {
      names: {
        Row: 'S!$2:$3',
        rate: '19%',
        broken: '#REF!',
        moving: 'OFFSET(S!$A$1,0,0,3)',
        _xlnm_x: 'S!$A:$B,S!$1:$2',
      },
    },
    [{ name: 'Row' }, { name: 'Other' }],
  );
  expect([...template.ranges].map(([name, { area }]) => [name, area])).toEqual([
    ['Row', { top: 2, bottom: 3, left: 1, right: 255 }],
  ]);
});

const SIDE = Array.from({ length: 60 }, (_, at) => ({ name: `B${at}` }));
const named = (range: string) => Object.fromEntries(SIDE.map(({ name }) => [name, range]));

test('ranges of a million rows each cost no more than their content', async () => {
  const template = workbook({ sheets, names: named('S!$A$1:$A$1048576') });
  const { cells } = await renderFile(template, bandTree({ B0: rowsOf({ a: 'x' }), B59: rowsOf({ a: 'y' }) }));
  expect(cells()).toEqual({ A1: 'y' });
});

test('ranges that have too much content together are refused, and too many hints', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => [`A${at + 1}`, 'x']);
  const full = [{ name: 'S', cells: Object.fromEntries(rows) }];
  await expect(parse({ sheets: full, names: named('S!$A$1:$A$1048576') }, SIDE)).rejects.toThrow(
    'the ranges of the bands have more than 200000 rows, cells and merged areas together',
  );
  const hints = Array.from({ length: 201 }, (_, at) => [`hint_style_x_${at}`, 'S!$A$1']);
  await expect(parse({ names: { Row: 'S!$A$1', ...Object.fromEntries(hints) } })).rejects.toThrow(
    'the workbook has 201 named ranges of hints; 200 are allowed',
  );
});

// Asserts contract/report-templates.md#xlsx.
test('several elements of one row are one row', async () => {
  const { cells } = await renderFile(
    caseOf('rows-with-one-number.xlsx'),
    bandTree({ B: rowsOf({ a: 'x', b: 'y', c: 'z' }) }),
  );
  expect(cells()).toEqual({ A1: 'x', B1: 'y', C1: 'z' });
});

test.each(['<sheetData xml:space="preserve">', '<sheetData xmlns:x="urn:x" x:a="&gt;">'])(
  'a workbook with attributes of %s is filled',
  async (data) => {
    const sheet = new TextDecoder().decode((await readPackage(workbook(good))).get('xl/worksheets/sheet1.xml'));
    const parts = { 'xl/worksheets/sheet1.xml': sheet.replace('<sheetData>', data) };
    const { cells } = await renderFile(workbook({ ...good, parts }), bandTree({ Row: rowsOf({ a: 'x' }) }));
    expect(cells()).toEqual({ A1: 'x' });
  },
);

// Asserts contract/report-templates.md#xlsx.
test('a strict workbook is refused with the same words as a strict Word document', async () => {
  const refusal = 'the file is a strict document (ISO/IEC 29500 Strict): save it as an ordinary .docx or .xlsx';
  await expect(parseXlsxTemplate(caseOf('strict.xlsx'), [{ name: 'B' }])).rejects.toThrow(refusal);
  await expect(parseDocxTemplate(caseOf('strict.docx'))).rejects.toThrow(refusal);
});

const sheetOf = (data: string): Partial<WorkbookDefinition> => ({
  parts: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${data}</sheetData></worksheet>` },
});

// Asserts contract/report-templates.md#safety, contract/report-templates.md#xlsx.
test.each<[string, Partial<WorkbookDefinition>, RegExp, ReportBand[]?]>([
  ['no named range is a band', { names: { other: 'S!$A$1' } }, /no named range with the name of a band/],
  ['the workbook has no names at all', { names: {} }, /no named range with the name of a band/],
  ['a band is no range', { names: { Row: '19%' } }, /Wrong range value 19% of the name Row/],
  ['a band is several ranges', { names: { Row: 'S!$A$1,S!$B$1' } }, /Wrong range value/],
  ['a band is on a sheet that is not there', { names: { Row: 'T!$A$1' } }, /Wrong range value T!\$A\$1/],
  [
    'a hint is no range',
    { names: { Row: 'S!$A$1', hint_style_x: '1' } },
    /Wrong range value 1 of the name hint_style_x/,
  ],
  [
    'a cross band lacks a range',
    { names: { X: 'S!$B$2', X_header: 'S!$A$1', X_master_data: 'S!$A$2' } },
    /the cross band X needs named ranges for X_dynamic_header as well/,
    [{ name: 'X', orientation: 'cross' }],
  ],
  [
    'the ranges of a cross band are not beside each other',
    { names: { X: 'S!$B$3', X_header: 'S!$A$1', X_master_data: 'S!$A$2', X_dynamic_header: 'S!$B$1' } },
    /must begin on the same row/,
    [{ name: 'X', orientation: 'cross' }],
  ],
  [
    'a sheet is no XML',
    { parts: { 'xl/worksheets/sheet1.xml': '<worksheet>' } },
    /xl\/worksheets\/sheet1\.xml is not well-formed/,
  ],
  [
    'a part declares entities',
    { parts: { 'xl/sharedStrings.xml': '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><sst>&e;</sst>' } },
    /a document type declaration/,
  ],
  [
    'a sheet holds macros',
    {
      parts: {
        'xl/_rels/workbook.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet" Target="worksheets/sheet1.xml"/></Relationships>',
      },
    },
    /the sheet S holds macros/,
  ],
  [
    'a sheet is missing',
    {
      parts: {
        'xl/_rels/workbook.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
      },
    },
    /the sheet S has no part/,
  ],
  [
    'a sheet is another part',
    { parts: { 'xl/_rels/workbook.xml.rels': relationships([['worksheet', 'workbook.xml']]) } },
    /the part xl\/workbook\.xml of the sheet S is no worksheet/,
  ],
  [
    'two sheets are one part',
    {
      sheets: [...sheets, { name: 'T', cells: {} }],
      parts: {
        'xl/_rels/workbook.xml.rels': relationships([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['worksheet', 'worksheets/sheet1.xml'],
        ]),
      },
    },
    /the sheet T has the same part as another one/,
  ],
  ['a sheet has no data', { parts: { 'xl/worksheets/sheet1.xml': '<worksheet/>' } }, /is no worksheet/],
  ['a row is no row', sheetOf('<row r="1.5"/>'), /the sheet S has a row 1\.5: 1 to 1048576 are possible/],
  ['a row is after the last one', sheetOf('<row r="1048576"/><row/>'), /the sheet S has a row 1048577/],
  ['a column is after the last one', sheetOf('<row><c r="XFE1"/></row>'), /the row 1 has a cell beyond XFD/],
])('a template is refused because %s', async (_case, change, message, bands = undefined as never) => {
  await expect(parse(change, bands ?? [{ name: 'Row' }])).rejects.toThrow(message);
});

// Asserts contract/report-templates.md#safety.
test.each<[string, Uint8Array, RegExp]>([
  ['is no archive', new TextEncoder().encode('PK no zip'), /no zip archive/],
  ['is another archive', zipSync({ 'a.txt': new Uint8Array(3) }), /no (?:part|document)/],
  ['is a bomb', zipSync({ 'a.xml': new Uint8Array(30_000_000) }), /unpacks to more than it may/],
])('a file that %s is refused', async (_case, bytes, message) => {
  await expect(parseXlsxTemplate(bytes, [{ name: 'Row' }])).rejects.toThrow(message);
});

describe('the streamed band', () => {
  const set = { kind: 'function', name: 's', rows: async () => [] } as const;
  const row: ReportBand = { name: 'Row', dataSets: [set] };
  const head: ReportBand = { name: 'Head' };
  const template = (
    change: Partial<WorkbookDefinition['sheets'][number]> = {},
    names: Readonly<Record<string, string>> = {},
  ) =>
    parse(
      {
        sheets: [{ ...sheets[0], ...change } as never],
        names: { Head: 'S!$A$5', Row: 'S!$A$6:$C$6', Foot: 'S!$A$7', ...names },
      },
      [head, row, { name: 'Foot' }, { name: 'More' }],
    );

  // Asserts contract/report-data.md#data, contract/report-templates.md#xlsx.
  test('is the only one that can be', async () => {
    expect(streamedBandOf(await template(), [head, row, { name: 'Foot' }])).toBe(row);
    const other = { name: 'Foot', dataSets: [set] };
    expect(streamedBandOf(await template(), [row, other])).toBeUndefined();
    expect(streamedBandOf(await template(), [row, { ...other, streaming: true }])?.name).toBe('Foot');
  });

  // Asserts contract/report-data.md#data, contract/report-templates.md#xlsx.
  test.each<[string, ReportBand[], Parameters<typeof template>, RegExp]>([
    ['it is vertical', [{ ...row, orientation: 'vertical' }], [], /it is not horizontal/],
    ['it has bands below', [{ ...row, bands: [{ name: 'X' }] }], [], /it has bands below it/],
    ['it has two sets', [{ ...row, dataSets: [set, { ...set, name: 't' }] }], [], /not exactly one data set/],
    ['another band is vertical', [row, { name: 'V', orientation: 'vertical' }], [], /vertical or cross bands/],
    ['it has no range', [{ ...row, name: 'None' }], [], /no range of its name/],
    ['it has two rows', [row], [{}, { Row: 'S!$A$5:$A$6', Head: 'S!$A$1' }], /several rows/],
    ['another band is beside it', [row], [{}, { More: 'S!$D$6' }], /other bands are on the same row/],
    [
      'a header shows it',
      [row],
      [{ tail: '<headerFooter><oddHeader>${Row.a}</oddHeader></headerFooter>' }],
      /header or footer/,
    ],
    [
      'it has a hyperlink',
      [row],
      [{ tail: '<hyperlinks><hyperlink ref="B6" location="S!A1"/></hyperlinks>' }],
      /hyperlinks/,
    ],
    ['a formula above needs it', [head, row], [{ cells: { A5: '=SUM(A6:A6)' } }], /refers to cells that come later/],
    ['its own formula looks down', [row], [{ cells: { B6: '=A6+A7' } }], /refers to cells that come later/],
  ])('cannot be one when %s', async (_case, bands, change, message) => {
    const parsed = await template(...change);
    expect(streamedBandOf(parsed, bands)).toBeUndefined();
    const wanted = bands.map((band) =>
      band.name === 'Row' || band.name === 'None' ? { ...band, streaming: true } : band,
    );
    expect(() => streamedBandOf(parsed, wanted)).toThrow(message);
  });

  // Asserts contract/report-templates.md#values.
  test('shows no pictures', async () => {
    const parsed = await template({ cells: { A6: '${logo}' } });
    expect(streamedBandOf(parsed, [row], { logo: '${image:10x10}' })).toBeUndefined();
    const wanted = { ...row, streaming: true };
    expect(() => streamedBandOf(parsed, [wanted], { 'Row.logo': '${bitmap:1x1}' })).toThrow('its cells show pictures');
    expect(streamedBandOf(parsed, [row], { logo: '%s' })).toBe(row);
  });

  // Asserts contract/report-data.md#data, contract/report-templates.md#xlsx.
  test('is not below another band, and there is one at most', async () => {
    const parsed = await template();
    expect(() => streamedBandOf(parsed, [{ name: 'X', bands: [{ ...row, streaming: true }] }])).toThrow(
      'below another band',
    );
    const both = [
      { ...row, streaming: true },
      { ...head, streaming: true },
    ];
    expect(() => streamedBandOf(parsed, both)).toThrow('only one band can be streamed, not Row and Head');
  });
});
