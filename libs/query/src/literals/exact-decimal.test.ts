import {
  compareDecimals,
  countDigits,
  decimalOf,
  type ExactDecimal,
  formatDecimal,
  isPlainDecimal,
  trimDecimal,
  wholeDigitsOf,
} from './exact-decimal.ts';

const of = (text: string): ExactDecimal => {
  const decimal = decimalOf(text);
  if (decimal === undefined) throw new Error(`${text} is no number`);
  return decimal;
};

test.each([
  ['10.50', '10.50'],
  ['-0.5', '-0.5'],
  ['+7', '7'],
  ['1e3', '1000'],
  ['1.25E-3', '0.00125'],
  ['12345678901234567890.123456789', '12345678901234567890.123456789'],
  ['000.10', '0.10'],
])('%s is written as %s', (text, expected) => {
  expect(formatDecimal(of(text))).toBe(expected);
});

test.each(['', 'x', '1.', '.5', '1,5', '0x10', '1e', 'NaN', 'Infinity'])('%j is no number', (text) => {
  expect(decimalOf(text)).toBeUndefined();
});

test.each([
  ['10.5', '10.50', 0],
  ['0.1', '0.10000000000000000001', -1],
  ['-1', '-2', 1],
  ['1e2', '100', 0],
  ['9007199254740993', '9007199254740992', 1],
])('%s compared with %s is %d', (left, right, expected) => {
  expect(compareDecimals(of(left), of(right))).toBe(expected);
});

test('needless zeros are cut and digits before the point counted', () => {
  expect(formatDecimal(trimDecimal(of('10.500')))).toBe('10.5');
  expect(formatDecimal(trimDecimal(of('100')))).toBe('100');
  expect([wholeDigitsOf(of('0.999')), wholeDigitsOf(of('-123.4')), wholeDigitsOf(of('0'))]).toEqual([0, 3, 0]);
});

test.each([
  '0',
  '0.00',
  '7',
  '10.500',
  '100',
  '0.999',
  '1234567890123456789.12',
  '-10.50',
  '+1',
  '007.50',
  '1e3',
  '.5',
])('the digits of %s are counted as those of the number, and a plain text is the form of the number', (text) => {
  const decimal = decimalOf(text);
  const number = decimal && trimDecimal(decimal);
  expect(countDigits(text)).toEqual(number && { whole: wholeDigitsOf(number), fraction: number.scale });
  expect(isPlainDecimal(text) && decimal !== undefined && formatDecimal(decimal) !== text).toBe(false);
});
