import { filterOfUsers } from './filter-of-users.ts';

test('each word is searched in each attribute that may be seen', () => {
  expect(filterOfUsers(' ada  lind', (name) => name !== 'email')).toEqual({
    conditions: ['ada', 'lind'].map((value) => ({
      group: 'OR',
      conditions: ['username', 'firstName', 'lastName'].map((property) => ({ property, operator: 'contains', value })),
    })),
  });
});

test('without words there is no condition', () => {
  expect(filterOfUsers('', () => true)).toEqual({ conditions: [] });
});
