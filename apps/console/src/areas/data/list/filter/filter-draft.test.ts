import type { ConditionGroup } from '@lintel/client';
import { type Draft, draftOf, emptyCondition, filterOf, isGroup, isKept, replaceMember } from './filter-draft.ts';

const number = { property: 'number', operator: '=', value: 'A' };
const date = { property: 'date', operator: 'isNull' };

test.each<[string, ConditionGroup]>([
  ['conditions', { conditions: [number, date] }],
  ['alternatives', { conditions: [{ group: 'OR', conditions: [number, date] }] }],
  ['a negation', { conditions: [{ group: 'NOT', conditions: [number] }] }],
  [
    'groups in groups',
    { conditions: [number, { group: 'OR', conditions: [date, { group: 'NOT', conditions: [number] }] }] },
  ],
  [
    'conditions of members',
    { conditions: [{ some: 'lines', conditions: [number, { none: 'taxes', conditions: [date] }] }] },
  ],
  ['members of another member', { conditions: [{ every: 'lines', conditions: [{ some: 'taxes' }] }] }],
  ['counts of members', { conditions: [number, { count: 'lines', operator: '>', value: 2, conditions: [number] }] }],
  ['comparisons of attributes', { conditions: [{ property: 'due', operator: '<', valueOf: 'date' }] }],
  ['times relative to now', { conditions: [{ property: 'due', operator: '<', value: { now: '-P7D' } }] }],
])('%s are the same after they were edited', (_case, filter) => {
  expect(filterOf(draftOf(filter))).toEqual(filter);
});

test.each([
  ['isNull', false, 'notEmpty'],
  ['notEmpty', false, 'isNull'],
  ['isNull', 'FALSE', 'notEmpty'],
  ['isNull', true, 'isNull'],
  ['notEmpty', 'true', 'notEmpty'],
])('the test %s with the value %j is the test %s', (operator, value, expected) => {
  const filter = { conditions: [{ property: 'date', operator, value }] } as unknown as ConditionGroup;
  expect(filterOf(draftOf(filter))).toEqual({ conditions: [{ property: 'date', operator: expected }] });
});

test('a filter without conditions is none, and its draft begins with a condition', () => {
  const draft = draftOf(undefined);
  expect(draft.members).toHaveLength(1);
  expect(filterOf({ ...draft, members: [] })).toBeUndefined();
  expect(filterOf({ ...draft, members: [{ key: 0, joined: 'OR', members: [] }] })).toBeUndefined();
});

test('what an address has instead of conditions is left out or has empty parts', () => {
  const broken = { conditions: [null, 1, { group: 'xor' }, { operator: 5 }] } as unknown as ConditionGroup;
  const parts = (draft: Draft): unknown =>
    isGroup(draft)
      ? [draft.joined, ...draft.members.map(parts)]
      : isKept(draft)
        ? draft.node
        : { path: draft.path, operator: draft.operator };
  expect(parts(draftOf(broken))).toEqual(['AND', ['AND'], { path: '', operator: '5' }]);
});

test('a member is replaced or removed, at any depth', () => {
  const draft = draftOf({ conditions: [number, { group: 'OR', conditions: [date, number] }] });
  const group = draft.members[1];
  const inner = group !== undefined && isGroup(group) ? group.members[0] : undefined;
  if (inner === undefined) throw new Error('There is no inner condition');
  const other = { ...emptyCondition(), path: 'notes', operator: 'notEmpty' };
  expect(filterOf(replaceMember(draft, inner.key, other))).toEqual({
    conditions: [number, { group: 'OR', conditions: [{ property: 'notes', operator: 'notEmpty' }, number] }],
  });
  expect(filterOf(replaceMember(draft, inner.key, undefined))).toEqual({
    conditions: [number, { group: 'OR', conditions: [number] }],
  });
});

test('a value inside of JSON is sent in the type that was chosen', () => {
  const draft = (value: unknown, jsonType?: 'number' | 'text') => ({
    ...draftOf(undefined),
    members: [{ ...emptyCondition(), path: 'data.size', operator: '>', value, ...(jsonType && { jsonType }) }],
  });
  const sent = (...parameters: Parameters<typeof draft>) => filterOf(draft(...parameters))?.conditions;
  expect(sent('5', 'number')).toEqual([{ property: 'data.size', operator: '>', value: 5 }]);
  expect(sent(5, 'text')).toEqual([{ property: 'data.size', operator: '>', value: '5' }]);
  expect(sent(5)).toEqual([{ property: 'data.size', operator: '>', value: 5 }]);
});
