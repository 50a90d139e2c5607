import { parseCsv } from './parse-csv.ts';

test.each([
  [
    'fields',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'quotes, line breaks and separators in them',
    '"a;""b""";c\r\n"x\ny";',
    [
      ['a;"b"', 'c'],
      ['x\ny', ''],
    ],
  ],
  ['a last row without its end', 'a|b', [['a', 'b']]],
  ['nothing', '', []],
])('%s are read', (_title, text, rows) => expect(parseCsv(text, 100)).toEqual(rows));

test('rows above the maximum are left out', () => expect(parseCsv('a\nb\nc\n', 2)).toEqual([['a'], ['b']]));
