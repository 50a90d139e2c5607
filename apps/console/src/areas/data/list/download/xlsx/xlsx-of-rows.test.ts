import type { AttributeInfo } from '@lintel/client';
import type { ResolvedPath } from '@lintel/react';
import { strFromU8, unzipSync } from 'fflate';
import { createText } from '../../../../../language/create-text.ts';
import { fileOfRows, TooManyRowsError } from '../file-of-rows.ts';
import { xlsxOfRows } from './xlsx-of-rows.ts';

const column = (path: string, type: string, attributeType: AttributeInfo['attributeType'] = 'DATATYPE') =>
  ({ path, caption: path.toUpperCase(), attribute: { name: path, type, attributeType } }) as ResolvedPath;
const columns = [
  column('number', 'string'),
  column('amount', 'decimal'),
  column('date', 'localDate'),
  column('status', 'Status', 'ENUM'),
  column('customer', 'Customer', 'ASSOCIATION'),
];
const enums = new Map([['Status', { name: 'Status', values: [{ name: 'NEW', id: 'N', caption: 'Neu' }] }]]);
const writer = () =>
  xlsxOfRows({ columns, sheet: 'Aufträge', isRightToLeft: false, locale: 'de', text: createText('en', {}, {}), enums });
const followed = { signal: new AbortController().signal, onProgress: () => {} };
async function* repeated(count: number, row: Readonly<Record<string, unknown>>) {
  for (let index = 0; index < count; index++) yield row;
}
const partsOf = async (file: Blob | undefined) => unzipSync(new Uint8Array((await file?.arrayBuffer()) ?? []));
const ROW = {
  number: '=1+1',
  amount: '-1234.50',
  date: '2026-11-26',
  status: 'NEW',
  customer: { id: 1, _instanceName: 'Müller & Co' },
};

test('a workbook has the captions, then each row has one, with values of their types', async () => {
  const file = await fileOfRows(repeated(1, ROW), writer(), followed);
  const parts = await partsOf(file);
  expect(Object.keys(parts)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  const read = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  expect(read('xl/workbook.xml')).toContain('<sheet name="Aufträge"');
  const text = (reference: string, style: number, value: string) =>
    `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
  const captions = ['NUMBER', 'AMOUNT', 'DATE', 'STATUS', 'CUSTOMER'].map((caption, at) =>
    text(`${'ABCDE'[at]}1`, 1, caption),
  );
  const cells = [
    text('A2', 5, '=1+1'),
    '<c r="B2"><v>-1234.50</v></c>',
    '<c r="C2" s="2"><v>46352</v></c>',
    text('D2', 0, 'Neu'),
    text('E2', 0, 'Müller &amp; Co'),
  ];
  expect(read('xl/worksheets/sheet1.xml')).toContain(
    `<sheetData><row r="1">${captions.join('')}</row><row r="2">${cells.join('')}</row></sheetData></worksheet>`,
  );
});

test('many rows are written in parts', async () => {
  const parts = await partsOf(await fileOfRows(repeated(2_500, ROW), writer(), followed));
  expect(strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array()).match(/<row /g)).toHaveLength(2_501);
});

test('more rows than a file may have are an error, and a file that was cancelled is none', async () => {
  await expect(fileOfRows(repeated(4, ROW), writer(), { ...followed, maxRows: 3 })).rejects.toThrow(TooManyRowsError);
  expect(await fileOfRows(repeated(3, ROW), writer(), { ...followed, maxRows: 3 })).toBeInstanceOf(Blob);
  expect(await fileOfRows(repeated(1, ROW), writer(), { ...followed, signal: AbortSignal.abort() })).toBeUndefined();
});
