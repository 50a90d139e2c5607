import { compareDecimals, fromInputNumber, toInputNumber } from './decimals.ts';

test.each([
  ['10,50', 'de', '10.50'],
  ['10.50', 'de', '10.50'],
  ['1.234', 'de', '1234'],
  ['1.234.567,8', 'de', '1234567.8'],
  ['1,234.5', 'en', '1234.5'],
  ['-0.10', 'en', '-0.10'],
  [' 12 345,6 ', 'fr', '12345.6'],
  ['.5', 'en', '0.5'],
  ['5,', 'de', '5'],
  ['123456789012345678901234567890.1', 'en', '123456789012345678901234567890.1'],
  ['', 'en', ''],
  ['ten', 'en', 'ten'],
  ['1,2,3', 'en', '1,2,3'],
])('%j in %s is %s', (input, locale, expected) => {
  expect(fromInputNumber(input, locale)).toBe(expected);
});

test('all digits are shown but a fraction of zeros, with the separator of the language', () => {
  expect([
    toInputNumber('12345678901234567890.10', 'de'),
    toInputNumber('1.5', 'en'),
    toInputNumber('2.000', 'en'),
    toInputNumber('x', 'de'),
  ]).toEqual(['12345678901234567890,10', '1.5', '2', 'x']);
});

test.each([
  ['1', '1.0', 0],
  ['-1', '1', -1],
  ['0.10000000000000000002', '0.10000000000000000001', 1],
  ['9', '10', -1],
])('%s and %s compare as %d', (one, other, expected) => {
  expect(compareDecimals(one, other)).toBe(expected);
});
