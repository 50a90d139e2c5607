import { isBrokenFilter, nextSort, readListState, writeListState } from './list-state.ts';

const NOTHING = { filter: undefined, words: '', sort: undefined, columns: undefined, isCounted: false };
const filter = { conditions: [{ property: 'number', operator: '=', value: 'A-1' }] };

test('a state is the same after it was in an address, and other parameters stay', () => {
  const question = { groupBy: ['status', { attribute: 'date' }], aggregates: { n: { count: '*' } } };
  const state = { filter, words: 'x', sort: '-date', columns: ['number', 'customer.name'], isCounted: true, question };
  const search = writeListState(state, { view: 'v', sort: 'old' });
  expect(search).toEqual({
    view: 'v',
    filter,
    words: 'x',
    sort: '-date',
    columns: 'number,customer.name',
    count: 'exact',
    question,
  });
  expect(readListState(search)).toEqual(state);
});

test('nothing is in the address of a list without a choice', () => {
  expect(writeListState(NOTHING, {})).toEqual({});
  expect(writeListState({ ...NOTHING, filter: { conditions: [] } }, {})).toEqual({});
});

test('what was written by hand and cannot be read counts as absent', () => {
  expect(readListState({ filter: '{"cond', words: null, sort: {}, columns: ',', count: 'all' })).toEqual(NOTHING);
  for (const question of ['x', { groupBy: 'status' }, { groupBy: [1] }, { groupBy: [{}] }, { aggregates: 1 }])
    expect(readListState({ question })).toEqual(NOTHING);
  expect(readListState({ words: 12, sort: true })).toEqual({ ...NOTHING, words: '12', sort: 'true' });
});

test.each([
  [{}, false],
  [{ filter }, false],
  [{ filter: '{"cond' }, true],
  [{ filter: [] }, true],
  [{ filter: { conditions: 1 } }, true],
])('the filter of %j is broken: %s', (search, isBroken) => {
  expect(isBrokenFilter(search)).toBe(isBroken);
});

test('a column sorts rising, falling and not at all', () => {
  expect(nextSort(undefined, 'a')).toBe('a');
  expect(nextSort('a', 'a')).toBe('-a');
  expect(nextSort('-a', 'a')).toBeUndefined();
  expect(nextSort('-b', 'a')).toBe('a');
  expect(nextSort(undefined, '+vip')).toBe('++vip');
  expect(nextSort('++vip', '+vip')).toBe('-+vip');
  expect(nextSort('-+vip', '+vip')).toBeUndefined();
});
