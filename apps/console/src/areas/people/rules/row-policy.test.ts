import type { RowPolicy } from '../api/roles.ts';
import { NEW_POLICY, previewedPolicies, writtenPolicy } from './row-policy.ts';

const query: RowPolicy = { ...NEW_POLICY, entityName: 'Order', whereClause: "{E}.status = 'OPEN'", joinClause: '' };
const predicate: RowPolicy = {
  ...query,
  type: 'predicate',
  script: 'order.total < 100',
  joinClause: 'join {E}.lines l',
};
const ofApplication: RowPolicy = { ...predicate, script: null };

test('a query is saved without a script, and without a join that is empty', () => {
  expect(writtenPolicy({ ...query, script: 'left over' })).toEqual({ ...query, joinClause: null, script: null });
  expect(writtenPolicy({ ...query, joinClause: 'join {E}.lines l' }).joinClause).toBe('join {E}.lines l');
});

test('a predicate is saved without the clauses of a query', () => {
  expect(writtenPolicy(predicate)).toEqual({ ...predicate, whereClause: null, joinClause: null });
});

test('a preview has the policies as they are written, with the action that a policy without one has', () => {
  expect(previewedPolicies([query, { ...predicate, action: null }])).toEqual([query, { ...predicate, action: 'read' }]);
  expect(previewedPolicies([])).toEqual([]);
});

test('a role with a function of the application is previewed as it is', () => {
  expect(previewedPolicies([query, ofApplication])).toBeUndefined();
});
