import { cases, fc } from '@lintel/testkit/properties';
import { plainDecimal } from './plain-decimal.ts';

test.each([
  ['1', '1'],
  ['-1.50', '-1.50'],
  ['+7', '7'],
  ['007', '7'],
  ['1.5e3', '1500'],
  ['1.5E-3', '0.0015'],
  ['12e-1', '1.2'],
  ['0e5', '0'],
  ['1e401', undefined],
  ['1.', undefined],
  ['.5', undefined],
  ['', undefined],
])('%j is %j', (text, expected) => {
  expect(plainDecimal(text)).toBe(expected);
});

test('every double that JavaScript writes keeps its value', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const plain = plainDecimal(String(number));
      expect(plain).not.toMatch(/e/i);
      expect(Number(plain) === number).toBe(true);
    }),
    cases(500),
  );
});
