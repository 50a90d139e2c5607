import type { ConditionGroup } from '@lintel/client';
import { attribute, children, dynamic, entity, modelOf, reference } from '../../../../../test/page/model-of-tests.ts';
import {
  addGroup,
  collectionsOf,
  type DraftCondition,
  draftOf,
  emptyCondition,
  emptyGroup,
  emptyMembers,
  isComplete,
  memberEntity,
  problemOf,
  withOperator,
  withPath,
} from './filter-draft.ts';

const ORDER = entity(
  'Order',
  [
    attribute('number'),
    attribute('secret'),
    attribute('total', 'decimal'),
    attribute('paid', 'boolean', { persistent: false }),
    attribute('data', 'json'),
    attribute('labels', 'string', { cardinality: 'ONE_TO_MANY' }),
    reference('customer', 'Customer'),
    children('lines', 'Line', 'order'),
    children('notes', 'Note', 'order'),
  ],
  { dynamicProperties: [dynamic('+points', 'int')] },
);
const CUSTOMER = entity('Customer', [attribute('name'), children('contacts', 'Contact', 'customer')]);
const model = modelOf(
  [ORDER, CUSTOMER, entity('Line', [attribute('quantity', 'int')]), entity('Note', []), entity('Contact', [])],
  { without: ['Order.secret', 'Note:read'] },
);
const condition = (path: string, operator: string, value?: unknown, more: Partial<DraftCondition> = {}) => ({
  ...emptyCondition(),
  ...{ path, operator, value },
  ...more,
});
const problem = (...parameters: Parameters<typeof condition>) => problemOf(model, 'Order', condition(...parameters));

test.each([
  [['', '='], 'filter.noAttribute'],
  [['none', '=', 'x'], 'filter.unknownAttribute'],
  [['secret', '=', 'x'], 'filter.unknownAttribute'],
  [['paid', '=', true], 'filter.unknownAttribute'],
  [['number', '>', 'x'], 'filter.noOperator'],
  [['total', 'contains', '1'], 'filter.noOperator'],
  [['number', '', 'x'], 'filter.noOperator'],
  [['number', '='], 'filter.noValue'],
  [['number', '=', null], 'filter.noValue'],
  [['number', '=', ''], 'filter.noValue'],
  [['number', 'in', []], 'filter.noValue'],
  [['number', 'in', 'A'], 'filter.noValue'],
  [['number', 'in', ['A']], undefined],
  [['number', 'isNull'], undefined],
  [['total', '=', 0], undefined],
  [['customer.name', 'contains', 'Zoë'], undefined],
  [['+points', '>=', 5], undefined],
  [['data.a.b', '=', 'x'], undefined],
  [['data.a..b', '=', 'x'], 'filter.badInside'],
  [['data..', '=', 'x'], 'filter.badInside'],
  [['data.size', '>', 'five', { jsonType: 'number' }], 'filter.wrongType'],
  [['data.size', '>', '5', { jsonType: 'number' }], undefined],
  [['data.size', 'in', ['5', 'five'], { jsonType: 'number' }], 'filter.wrongType'],
] as const)('the condition %j has the problem %s', (parameters, expected) => {
  const [path, operator, value, more] = parameters as readonly [string, string, unknown?, Partial<DraftCondition>?];
  expect(problem(path, operator, value, more)).toBe(expected);
});

test('another attribute keeps the key alone, and begins with its usual operator', () => {
  const before = condition('data.size', '>', '5', { jsonType: 'number' });
  const { key } = before;
  expect(withPath(model, 'Order', before, 'number')).toEqual({ key, path: 'number', operator: 'contains' });
  expect(withPath(model, 'Order', before, 'total')).toEqual({ key, path: 'total', operator: '=' });
  expect(withPath(model, 'Order', before, 'secret')).toEqual({ key, path: 'secret', operator: '=' });
});

test.each([
  ['=', 'in', 'A', ['A']],
  ['=', 'in', undefined, undefined],
  ['=', 'in', '', undefined],
  ['=', 'in', null, undefined],
  ['=', 'in', 0, [0]],
  ['in', '=', ['A', 'B'], 'A'],
  ['in', '=', [], undefined],
  ['in', '=', 'A', 'A'],
  ['in', 'notIn', ['A', 'B'], ['A', 'B']],
  ['=', '<>', 'A', 'A'],
  ['=', 'isNull', 'A', 'A'],
])('from %s to %s the value %j becomes %j', (operator, next, value, expected) => {
  const before = condition('number', operator, value);
  expect(withOperator(before, next)).toEqual({ ...before, operator: next, value: expected });
});

test('collections of instances that the user may see have conditions for their members', () => {
  expect(collectionsOf(model, 'Order').map(({ path }) => path)).toEqual(['lines']);
  expect(collectionsOf(model, 'Nothing')).toEqual([]);
  const of = (path: string) => memberEntity(model, 'Order', path);
  expect(['lines', 'customer.contacts', 'notes', 'labels', 'customer', 'number', ''].map(of)).toEqual([
    ...['Line', 'Contact', undefined, undefined, undefined, undefined, undefined],
  ]);
});

test('a draft is complete when each condition is, at any depth, by the entity of its members', () => {
  const complete = (conditions: readonly object[]) =>
    isComplete(model, 'Order', draftOf({ conditions } as unknown as ConditionGroup));
  const number = { property: 'number', operator: '=', value: 'A' };
  const quantity = { property: 'quantity', operator: '>', value: 1 };
  expect(complete([number, { group: 'OR', conditions: [number, { some: 'lines', conditions: [quantity] }] }])).toBe(
    true,
  );
  expect(complete([quantity])).toBe(false);
  expect(complete([{ some: 'lines', conditions: [number] }])).toBe(false);
  expect(complete([{ some: 'notes', conditions: [number] }])).toBe(false);
  expect(complete([{ group: 'NOT', conditions: [{ group: 'OR', conditions: [{ property: 'number' }] }] }])).toBe(false);
  expect(complete([{ count: 'lines', operator: '>', value: 1 }])).toBe(true);
});

test('a new condition, and a new group about members, is not complete', () => {
  expect(isComplete(model, 'Order', emptyGroup('OR'))).toBe(false);
  expect(isComplete(model, 'Order', emptyMembers(''))).toBe(false);
  expect(isComplete(model, 'Order', { ...emptyGroup('OR'), members: [] })).toBe(true);
});

test('a group replaces an empty condition, and no other', () => {
  const begun = addGroup(emptyGroup('AND'), emptyMembers('lines'));
  expect(begun.members).toEqual([expect.objectContaining({ of: { quantifier: 'some', path: 'lines' } })]);
  expect(addGroup(begun, emptyGroup('OR')).members).toHaveLength(2);
});
