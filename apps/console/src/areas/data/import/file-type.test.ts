import { RestError } from '@lintel/client';
import { columnsIn, contentTypeOf } from './file-type.ts';

test.each([
  ['a.csv', 'utf-8', 'text/csv'],
  ['a.TXT', 'windows-1252', 'text/csv;charset=windows-1252'],
  ['a.XLSX', 'windows-1252', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['a.jsonl', 'utf-8', 'application/x-ndjson'],
])('the file %s in %s has the type %s', (name, encoding, type) => {
  expect(contentTypeOf(name, encoding)).toBe(type);
});

test('the columns are in reports, and in the error about one without an attribute', () => {
  const columns = [{ column: 'a', attribute: null }];
  const response = {
    status: 400,
    code: 'HTTP_400',
    error: '',
    details: '',
    traceId: undefined,
    retryAfterMs: undefined,
  };
  expect(columnsIn({ columns })).toEqual(columns);
  expect(columnsIn(new RestError({ ...response, body: { columns } }))).toEqual(columns);
  expect([undefined, null, new Error('x'), new RestError({ ...response, body: 'x' })].flatMap(columnsIn)).toEqual([]);
});
