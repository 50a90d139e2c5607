import { parseIdempotencyKey } from './parse-idempotency-key.ts';

test('a key is taken as it is, or from between the quotes of a structured field', () => {
  expect(parseIdempotencyKey(undefined)).toBeUndefined();
  expect(parseIdempotencyKey('8e03978e-40d5-43dd')).toBe('8e03978e-40d5-43dd');
  expect(parseIdempotencyKey('"8e03978e-40d5-43dd"')).toBe('8e03978e-40d5-43dd');
  expect(parseIdempotencyKey('k'.repeat(255))).toHaveLength(255);
});

test.each([
  ['nothing', ''],
  ['nothing in quotes', '""'],
  ['a blank', 'a b'],
  ['two keys', 'a, b'],
  ['a character that is not ASCII', 'schlüssel'],
  ['a control character', 'a\tb'],
  ['more than 255 characters', 'k'.repeat(256)],
])('a key of %s is refused', (_, header) => {
  expect(() => parseIdempotencyKey(header)).toThrow(
    'Invalid idempotency key: Idempotency-Key must be 1 to 255 visible ASCII characters',
  );
});
