import { maskedValue } from './mask-value.ts';

const attribute = (more: object) =>
  ({ name: 'code', type: 'string', ...more }) as unknown as Parameters<typeof maskedValue>[0];
const size = (min: number, max: number) => ({ kind: 'size', min, max });

test.each([
  ['the most', { length: 100, rules: [size(0, 10)] }, /^[0-9a-f]{10}$/],
  ['the least', { rules: [size(30, 40)] }, /^masked [0-9a-f]{12}0{11}$/],
])('false texts have the size of the rule: %s', (_, more, expected) => {
  expect(maskedValue(attribute(more), 'Ada', '1')).toMatch(expected);
});

test('an address that is longer than the attribute is left out', () => {
  expect(maskedValue(attribute({ length: 20, rules: [{ kind: 'email' }] }), 'a@b.c', '1')).toBeUndefined();
});
