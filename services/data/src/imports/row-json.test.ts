import type { ImportColumn } from './map-columns.ts';
import { CellError, rowJson } from './row-json.ts';

const column = (path: string, kind: ImportColumn['kind'] = 'plain'): ImportColumn => ({
  column: path,
  path: path.split('.'),
  kind,
});
const jsonOf = (columns: readonly ImportColumn[], ...cells: (string | null)[]): unknown =>
  JSON.parse(rowJson(columns, cells, { skipsEmpty: false }));

test.each(['{"a":null}', '{"id":"x","b":"y"}', '{"a":{"b":null}}', '{}', '[{"id":null}]', '{"n":1.10}'])(
  'the JSON %s of a cell stays as it is',
  (cell) => {
    expect(rowJson([column('data', 'json')], [cell], { skipsEmpty: false })).toBe(`{"data":${cell}}`);
  },
);

test('a reference whose cells are empty is null, with an id it has the id alone', () => {
  const columns = [column('customer.id'), column('customer.code')];
  expect(jsonOf(columns, null, null)).toEqual({ customer: null });
  expect(jsonOf(columns, 'a', 'C-1')).toEqual({ customer: { id: 'a' } });
  expect(jsonOf(columns, null, 'C-1')).toEqual({ customer: { code: 'C-1' } });
});

test.each([
  ['broken', '{'],
  ['two values', '1 2'],
  ['nested deeply', `${'['.repeat(201)}${']'.repeat(201)}`],
])('a cell of JSON that is %s is refused', (_, cell) => {
  expect(() => rowJson([column('data', 'json')], [cell], { skipsEmpty: false })).toThrow(CellError);
});
