import { isSame } from './changed-values.ts';

test('nothing is nothing, a reference is its id, decimals are compared as texts', () => {
  expect([isSame(null, undefined), isSame('', null), isSame({ id: 1, _instanceName: 'A' }, { id: 1 })]).toEqual([
    true,
    true,
    true,
  ]);
  expect(isSame('0.10000000000000000001', '0.10000000000000000002')).toBe(false);
});
