import { integerText } from './integer-text.ts';

// Asserts contract/decisions.md#15, contract/decisions.md#49, contract/instances.md#values.
test.each([
  ['7', '7'],
  ['-7', '-7'],
  ['7.0', '7'],
  ['-7.000', '-7'],
  ['100.0', '100'],
  ['1e2', '100'],
  ['1.5E+1', '15'],
  ['1.50e1', '15'],
  ['70e-1', '7'],
  ['0.0', '0'],
  ['-0.0', '0'],
  ['0e999', '0'],
  ['9223372036854775807.0', '9223372036854775807'],
])('%s is the integer %s (contract/instances.md#values)', (text, digits) => {
  expect(integerText(text)).toBe(digits);
});

test.each(['1.5', '-0.1', '15e-1', '1e-2', '1e999', '1e1000000', `1.${'0'.repeat(500)}`])(
  '%s is no integer, or too long',
  (text) => {
    expect(integerText(text)).toBeUndefined();
  },
);
