import { attribute, children, entity, modelOf } from '../../../../test/page/model-of-tests.ts';
import { actionsOf, searchableAttributes } from './history-actions.ts';

const ORDER = entity('Order', [
  attribute('id', 'uuid'),
  attribute('version', 'int'),
  attribute('number'),
  attribute('pin', 'string', { writeOnly: true }),
  attribute('age', 'int', { persistent: false }),
  attribute('salary', 'decimal'),
  children('lines', 'Line', 'order'),
]);
const model = modelOf([ORDER]);
const seen = { ...model, isSeen: true as const };
const reader = modelOf([ORDER], { without: ['Order:update', 'Order.salary'] });

test.each([
  ['a change', model, 'updated', false, ['state', 'restore', 'undo']],
  ['a creation', model, 'created', false, ['state', 'restore', 'undo']],
  ['a deletion', model, 'deleted', true, ['undo']],
  ['a change of an instance that is deleted', model, 'updated', true, ['state', 'undo']],
  ['a change, without the right to change', reader, 'updated', false, ['state', 'undo']],
  ['a change, seen as another user', seen, 'updated', false, ['state']],
  ['a deletion, seen as another user', seen, 'deleted', true, []],
] as const)('%s has its dialogs', (_case, of, operation, isMissing, expected) => {
  expect(actionsOf(of, 'Order', { operation }, isMissing)).toEqual(expected);
});

test('changes are searched by stored attributes that the user may view', () => {
  expect(searchableAttributes(model, 'Order')).toEqual(['number', 'salary', 'lines']);
  expect(searchableAttributes(reader, 'Order')).toEqual(['number', 'lines']);
  expect(searchableAttributes(model, 'Unknown')).toEqual([]);
});
