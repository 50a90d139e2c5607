import type { AttributeInfo } from '@lintel/client';
import type { ResolvedPath } from '@lintel/react';
import { createText } from '../../../../language/create-text.ts';
import { csvOfRows } from './csv-of-rows.ts';
import { fileOfRows } from './file-of-rows.ts';

const column = (path: string, type: string, attributeType: AttributeInfo['attributeType'] = 'DATATYPE') =>
  ({ path, caption: path.toUpperCase(), attribute: { name: path, type, attributeType } }) as ResolvedPath;
const columns = [
  column('number', 'string'),
  column('amount', 'decimal'),
  column('status', 'Status', 'ENUM'),
  column('customer', 'Customer', 'ASSOCIATION'),
  column('customer.name', 'string'),
];
const made = (rows: AsyncIterable<Readonly<Record<string, unknown>>>, signal = new AbortController().signal) => {
  const enums = new Map([['Status', { name: 'Status', values: [{ name: 'NEW', id: 'N', caption: 'Neu' }] }]]);
  const text = createText('en', {}, {});
  const progress: number[] = [];
  const file = fileOfRows(rows, csvOfRows({ columns, text, enums }), {
    signal,
    onProgress: (count) => progress.push(count),
  });
  return file.then(async (found) => ({ progress, text: await found?.text() }));
};
async function* repeated(count: number, row: Readonly<Record<string, unknown>>) {
  for (let index = 0; index < count; index++) yield row;
}

test('a line has the captions, then each row has one', async () => {
  const row = {
    number: '=1+1',
    amount: '-1234.50',
    status: 'NEW',
    customer: { id: 1, _instanceName: 'Smith', name: 'S, J' },
  };
  expect((await made(repeated(1, row))).text).toBe(
    `NUMBER,AMOUNT,STATUS,CUSTOMER,CUSTOMER.NAME\r\n'=1+1,-1234.50,Neu,Smith,"S, J"\r\n`,
  );
});

test('values that are missing are empty', async () => {
  expect((await made(repeated(1, { customer: null }))).text).toContain('\r\n,,,,\r\n');
});

test('long files report how far they are, and end when they are cancelled', async () => {
  const { progress, text } = await made(repeated(2_500, {}));
  expect(text?.split('\r\n')).toHaveLength(2_502);
  expect(progress).toEqual([1_000, 2_000, 2_500]);
  expect((await made(repeated(1, {}), AbortSignal.abort())).text).toBeUndefined();
});
