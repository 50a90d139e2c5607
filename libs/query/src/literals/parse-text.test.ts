import type { Datatype } from '@lintel/metadata';
import { ExactNumber } from '../json/exact-json.ts';
import { parseFilterValue, parseLiteral, parseScalar } from './parse-literal.ts';
import { parseText } from './parse-text.ts';

const parse = (datatype: Datatype, text: string) => parseText({ kind: 'datatype', datatype }, text)?.value;

// Asserts contract/instances.md#values.
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
  ['offsetDateTime', '2024-02-29t10:00:00.5z', '2024-02-29T10:00:00.5Z'],
  ['offsetDateTime', '2024-02-29T10:00:00-0430', '2024-02-29T10:00:00-04:30'],
  ['offsetDateTime', '2024-02-29T10:00+0400', '2024-02-29T10:00+04:00'],
  ['dateTime', '2024-02-29t10:00:00+0400', '2024-02-29T10:00:00'],
  ['localDateTime', '2024-02-29t10:00', '2024-02-29T10:00'],
  ['offsetTime', '10:00:00.123+0100', '10:00:00.123+01:00'],
  ['offsetTime', '10:00z', '10:00Z'],
  ['localTime', '10:00', '10:00'],
  ['offsetTime', '10:00Z', '10:00Z'],
  ['byteArray', 'AP8=', '\\x00ff'],
  ['string', '', ''],
])('%s reads %s', (datatype, text, value) => {
  expect(parse(datatype, text)).toBe(value);
});

// Asserts contract/decisions.md#8, contract/filters.md#values, contract/instances.md#values.
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
  ['offsetDateTime', '2024-02-29T10:00:00+04'],
  ['offsetDateTime', '2024-02-29T10:00:00+9900'],
  ['localDate', '2024-0229'],
  ['localTime', '10:60'],
  ['byteArray', 'AP8'],
  ['string', 'a\u0000b'],
  ['char', 'ab'],
])('%s refuses %j', (datatype, text) => {
  expect(parse(datatype, text)).toBeUndefined();
});

test.each(['1.0', '1e3', '10e-1'])('the integer %s of a filter is one, as in a body', (text) => {
  for (const datatype of ['int', 'long', 'short', 'bigInteger'] as const) {
    const type = { kind: 'datatype', datatype } as const;
    const expected = { value: String(Number(text)) };
    expect([parseFilterValue(type, new ExactNumber(text)), parseFilterValue(type, text)]).toEqual([expected, expected]);
    expect(parseLiteral(type, new ExactNumber(text))).toEqual(expected);
    expect([parseFilterValue(type, '1.5'), parseScalar(type, text), parseLiteral(type, text)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  }
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

test.each<[Datatype, string, boolean]>([
  ['date', 'infinity', true],
  ['localDateTime', '-infinity', true],
  ['date', '0044-03-15 BC', true],
  ['localDate', '12026-02-28', true],
  ['localDateTime', '0001-02-29T10:00:00.000 BC', true],
  ['offsetDateTime', '12026-01-01T10:00:00.000000Z', true],
  ['date', '0000-03-15 BC', false],
  ['date', '4713-03-15 BC', true],
  ['localDateTime', '4713-01-01T00:00:00.000 BC', true],
  ['date', '4714-12-01 BC', false],
  ['date', '294276-01-01', false],
  ['date', '0002-02-29 BC', false],
  ['date', '02026-01-01', false],
  ['date', '0044-03-15T10:00:00.000 BC', false],
  ['localDateTime', '0044-03-15 BC', false],
  ['localDateTime', '12026-01-01T24:00:00.000', false],
  ['offsetDateTime', '12026-01-01T10:00:00.000', false],
  ['offsetDateTime', '294276-01-01T10:00:00.000Z', false],
  ['date', 'Infinity', false],
  ['localDate', '00044-03-15 BC', false],
  ['localDate', '0012026-01-01', false],
])('a %s of an unbounded type alone is read from %s: %s', (datatype, text, expected) => {
  expect(parseText({ kind: 'datatype', datatype, unbounded: true }, text)?.value).toBe(expected ? text : undefined);
  expect(parse(datatype, text)).toBeUndefined();
});
