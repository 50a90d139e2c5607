import { buildModel, compositionOfMany, entityOf, standardEntity, string, toOne } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import { compareStates, type InstanceChange, type State } from '../compare-states.ts';
import { conflictsOf, isWhole, undoMembers } from './undo-body.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Line', { attributes: { name: string(20), order: toOne('t_Order') } }),
    standardEntity('t_Order', {
      attributes: {
        number: string(20),
        note: string(20),
        previous: toOne('t_Order'),
        lines: compositionOfMany('t_Line', 'order'),
      },
    }),
  ],
});
const ORDER = entityOf(model, 't_Order');

const changeOf = (before: State | undefined, after: State | undefined): InstanceChange | undefined =>
  compareStates(model, ORDER, before, after);

const between = (before: State | undefined, after: State | undefined): InstanceChange =>
  changeOf(before, after) as InstanceChange;

const line = (id: string, name: string): State => ({ id, name });

test('states that differ in the name of a reference alone are equal', () => {
  const named = (name: string): State => ({ id: '1', previous: { id: '2', _instanceName: name } });
  expect(changeOf(named('A'), named('B'))).toBeUndefined();
});

test('an undone update contains the former values of what was written, and no others', () => {
  const before = {
    id: '1',
    number: 'A',
    previous: { id: '2', number: 'X' },
    lines: [line('a', 'old'), line('b', 'b')],
  };
  const after = { id: '1', number: 'B', note: 'new', lines: [line('a', 'new'), line('b', 'b'), line('c', 'c')] };
  const created = new WeakMap<object, readonly ExactJson[]>();
  const members = undoMembers(model, ORDER, between(before, after), created);
  expect(members).toEqual({
    _entityName: 't_Order',
    number: 'A',
    note: null,
    previous: { id: '2' },
    lines: [{ _entityName: 't_Line', id: 'a', name: 'old' }],
  });
  expect(created.get(members['lines'] as object)).toEqual(['c']);
});

test('later changes of the same attributes and children conflict, others do not', () => {
  const [first, second] = [
    { id: '1', number: 'A', lines: [line('a', '1')] },
    { id: '1', number: 'B', lines: [line('a', '2')] },
  ];
  const change = between(first, second);
  const conflicts = (now: State | undefined): readonly string[] => conflictsOf(change, changeOf(second, now));
  expect(conflicts({ ...second, note: 'later' })).toEqual([]);
  expect(conflicts({ ...second, number: 'C' })).toEqual(['number']);
  expect(conflicts({ ...second, lines: [line('a', '3')] })).toEqual(['lines[a].name']);
  expect(conflicts({ ...second, lines: [] })).toEqual(['lines[a]']);
  expect(conflicts(undefined)).toEqual(['deleted']);
});

test('a caller who does not see a changed child does not see the whole change', () => {
  const [before, after] = [
    { id: '1', lines: [] },
    { id: '1', number: 'A', lines: [line('a', '1')] },
  ];
  const full = between(before, after);
  expect(isWhole(full, full)).toBe(true);
  expect(isWhole(between(before, { ...after, lines: [] }), full)).toBe(false);
});
