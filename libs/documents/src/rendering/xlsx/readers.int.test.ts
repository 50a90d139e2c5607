import { convertByOffice, textOfPdf } from '@lintel/testkit';
import readSheets from 'read-excel-file/node';
import { CROSS, ORDERS } from '../../../test/workbooks.ts';
import { renderWorkbook } from '../../../test/xlsx-result.ts';

/** All cells quoted, formulas calculated, dates as cells show them. */
const csvOf = async (workbook: Uint8Array): Promise<readonly string[]> =>
  (await convertByOffice(workbook, 'xlsx', 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false'))
    .toString()
    .trimEnd()
    .split('\n');

// Asserts contract/report-templates.md#templates.
test('LibreOffice calculates the sums of every level, and prints the pages', async () => {
  const { bytes } = await renderWorkbook(ORDERS.template, ORDERS.root);
  expect(await csvOf(bytes)).toEqual([
    'Orders of 2026,,,,',
    'Customer,Date,Product,Quantity,Amount',
    'Aldi & Söhne,,,,',
    ',2026-01-31,A-1,,',
    ',,Pen,3,3.75',
    ',,=Ink,10,125',
    ',,Sum,,128.75',
    ',2026-02-28,A-2,,',
    ',,Paper,1,5',
    ',,Sum,,5',
    'Sum of Aldi & Söhne,,,,133.75',
    'Beck <GmbH>,,,,',
    ',2026-03-01,B-1,,',
    ',,Pen,2,2.5',
    ',,Sum,,2.5',
    'Sum of Beck <GmbH>,,,,2.5',
    'Total,,,16,136.25',
  ]);
  const text = await textOfPdf(await convertByOffice(bytes, 'xlsx', 'pdf'));
  for (const part of ['Orders of 2026', 'Amounts', '136.25', 'second']) expect(text).toContain(part);
});

// Asserts contract/report-templates.md#templates.
test('LibreOffice and another library read the same cells of a cross table', async () => {
  const { bytes } = await renderWorkbook(CROSS.template, CROSS.root);
  expect(await csvOf(bytes)).toEqual(['Product,N,S,W', 'Pen,5,,7', 'Ink,1,2,3']);
  expect((await readSheets(Buffer.from(bytes)))[0]).toEqual({
    sheet: 'Stock',
    data: [
      ['Product', 'N', 'S', 'W'],
      ['Pen', 5, null, 7],
      ['Ink', 1, 2, 3],
    ],
  });
});

// Asserts contract/report-templates.md#templates.
test('another library reads dates, numbers and texts by their types', async () => {
  const { bytes } = await renderWorkbook(ORDERS.template, ORDERS.root);
  const [orders, notes] = await readSheets(Buffer.from(bytes));
  expect(orders?.data[3]).toEqual([null, new Date('2026-01-31T00:00:00Z'), 'A-1', null, null]);
  expect(orders?.data[5]?.slice(2, 4)).toEqual(['=Ink', 10]);
  expect(notes?.data.map(([text]) => text)).toEqual(['first', 'second']);
});
