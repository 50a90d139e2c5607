import type { Datatype } from '@lintel/metadata';
import { ExactNumber } from '../json/exact-json.ts';
import { parseLiteral, parseScalar } from './parse-literal.ts';
import { parseText } from './parse-text.ts';

const parse = (datatype: Datatype, text: string) => parseText({ kind: 'datatype', datatype }, text)?.value;

test.each<[Datatype, string, unknown]>([
  ['int', '-2147483648', '-2147483648'],
  ['long', '9223372036854775807', '9223372036854775807'],
  ['decimal', '12345678901234567890.120', '12345678901234567890.120'],
  ['double', '1e-10', '1e-10'],
  ['boolean', 'TRUE', true],
  ['uuid', '0000000000004000800000000000000A', '00000000-0000-4000-8000-00000000000a'],
  ['localDate', '2024-02-29', '2024-02-29'],
  ['localDate', '2024-02-29+02:00', '2024-02-29'],
  ['localDateTime', '2024-02-29T10:00', '2024-02-29T10:00'],
  ['dateTime', '2024-02-29T10:00:00.5Z', '2024-02-29T10:00:00.5'],
  ['offsetDateTime', '2024-02-29T10:00:00+04:00', '2024-02-29T10:00:00+04:00'],
  ['localTime', '10:00', '10:00'],
  ['offsetTime', '10:00Z', '10:00Z'],
  ['byteArray', 'AP8=', '\\x00ff'],
  ['string', '', ''],
])('%s reads %s', (datatype, text, value) => {
  expect(parse(datatype, text)).toBe(value);
});

test.each<[Datatype, string]>([
  ['int', '2147483648'],
  ['int', '1.0'],
  ['int', '+5'],
  ['int', ' 5'],
  ['int', ''],
  ['long', '9223372036854775808'],
  ['decimal', '1,5'],
  ['decimal', 'NaN'],
  ['double', '1e400'],
  ['double', '1e-400'],
  ['float', '1e39'],
  ['boolean', '1'],
  ['uuid', '1-1-1-1-1'],
  ['localDate', '2023-02-29'],
  ['localDate', '0000-01-01'],
  ['localDateTime', '2024-02-29T24:00'],
  ['localDateTime', '2024-02-29T10:00Z'],
  ['offsetDateTime', '2024-02-29T10:00:00'],
  ['offsetDateTime', '2024-02-29T10:00:00+99:00'],
  ['localTime', '10:60'],
  ['byteArray', 'AP8'],
  ['string', 'a\u0000b'],
  ['char', 'ab'],
])('%s refuses %j', (datatype, text) => {
  expect(parse(datatype, text)).toBeUndefined();
});

test('a body is read strictly, a filter by the text of its values', () => {
  const string = { kind: 'datatype', datatype: 'string' } as const;
  const decimal = { kind: 'datatype', datatype: 'decimal' } as const;
  const boolean = { kind: 'datatype', datatype: 'boolean' } as const;
  expect(parseLiteral(string, new ExactNumber('5'))).toBeUndefined();
  expect(parseScalar(string, new ExactNumber('5'))).toEqual({ value: '5' });
  expect(parseLiteral(decimal, '10.50')).toEqual({ value: '10.50' });
  expect(parseLiteral(decimal, new ExactNumber('10.50'))).toEqual({ value: '10.50' });
  expect(parseLiteral(decimal, true)).toBeUndefined();
  expect(parseLiteral(boolean, true)).toEqual({ value: true });
  expect(parseLiteral(boolean, {})).toBeUndefined();
});
