import { ExactNumber } from '@lintel/query';
import { Decimal } from './decimal.ts';

test('sums, differences and products are exact', () => {
  expect(Decimal.of('0.1').plus('0.2').toString()).toBe('0.3');
  expect(Decimal.of(0.1).plus(0.2).equals('0.3')).toBe(true);
  expect(Decimal.of('12345678901234567890.12').times('100.01').toString()).toBe('1234691346912469134690.9012');
  expect(Decimal.of('1').minus('0.000000000000000000000000000001').toString()).toBe('0.999999999999999999999999999999');
  expect(Decimal.sum(['1.10', 2, new ExactNumber('3.005'), 4n]).toString()).toBe('10.105');
  expect(Decimal.sum([]).toString()).toBe('0');
});

test.each([
  ['2.345', 2, '2.35'],
  ['-2.345', 2, '-2.35'],
  ['2.3449', 2, '2.34'],
  ['2', 2, '2.00'],
  ['-0.004', 2, '0.00'],
  ['0.5', 0, '1'],
  ['999.995', 2, '1000.00'],
  ['1e3', 0, '1000'],
  ['12e-4', 4, '0.0012'],
])('%s with %i digits is %s', (text, digits, expected) => {
  expect(Decimal.of(text).toFixed(digits)).toBe(expected);
});

test('a quotient is rounded half up, away from zero', () => {
  expect(Decimal.of(10).dividedBy(3, 4).toString()).toBe('3.3333');
  expect(Decimal.of('-0.05').dividedBy(2, 2).toString()).toBe('-0.03');
  expect(Decimal.of('1').dividedBy('0.08', 1).toString()).toBe('12.5');
  expect(() => Decimal.of(1).dividedBy('0.00', 2)).toThrow(RangeError);
});

test('numbers are compared by value', () => {
  expect(['10', '9.5', '-1'].sort((left, right) => Decimal.of(left).compare(right))).toEqual(['-1', '9.5', '10']);
  expect(Decimal.of('1.50').equals('1.5')).toBe(true);
  expect(Decimal.of('1.50').compare('1.51')).toBe(-1);
});

test('absent values have a replacement; texts and JSON keep all digits', () => {
  expect(Decimal.from(null).toString()).toBe('0');
  expect(Decimal.from(undefined, 1).toString()).toBe('1');
  expect(Decimal.from('7.10').toString()).toBe('7.1');
  expect(JSON.stringify({ amount: Decimal.of('12345678901234567890.50') })).toBe('{"amount":"12345678901234567890.5"}');
});

test.each(['', 'x', '1,5', '1.', 'NaN', '0x10', null, undefined, Number.NaN])('%j is no decimal', (value) => {
  expect(() => Decimal.of(value as string)).toThrow(TypeError);
});
