import { changedValues, compareThreeWays } from './changed-values.ts';

test('only what differs is written: references by their ids, an empty text as no value', () => {
  const before = { name: 'A', notes: 'x', amount: '10.50', customer: { id: 1, _instanceName: 'Duarte' }, empty: null };
  expect(changedValues(before, { ...before, empty: '', amount: '10.50', customer: { id: 1 } })).toEqual({});
  expect(changedValues(before, { ...before, notes: '', customer: { id: 2, _instanceName: 'Huang' } })).toEqual({
    notes: null,
    customer: { id: 2 },
  });
});

test('exact decimals are compared as texts', () => {
  expect(changedValues({ amount: '0.10000000000000000001' }, { amount: '0.10000000000000000002' })).toEqual({
    amount: '0.10000000000000000002',
  });
});

test('a conflict is what both have changed to different values', () => {
  const before = { a: 1, b: 1, c: 1, d: 1, e: 1 };
  const mine = { a: 2, b: 2, c: 1, d: 2, e: 1 };
  const theirs = { a: 3, b: 1, c: 4, d: 2, e: 1 };
  expect(
    compareThreeWays(before, mine, theirs, Object.keys(before)).map(({ name, isConflict }) => [name, isConflict]),
  ).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
    ['d', false],
  ]);
});
