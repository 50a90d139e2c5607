import {
  buildModel,
  byteArray,
  elements,
  entityOf,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  manyToMany,
  string,
  toOne,
} from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import type { Value } from '../values/value.ts';
import { planSave } from './plan-save.ts';

const State = enumeration('t.State', { OPEN: 'o', DONE: 'd' });
const model = buildModel({
  enums: [State],
  entities: [
    keyedEntity('t_Team', {
      key: 'id',
      attributes: { id: string(9), code: string(9).unique(), name: string(9), parent: toOne('t_Team') },
    }),
    keyedEntity('t_Member', {
      key: 'id',
      attributes: {
        id: string(9),
        name: string(9),
        rank: integer(),
        state: enumOf(State),
        photo: byteArray(),
        team: toOne('t_Team'),
        labels: elements(),
        friends: manyToMany('t_Member'),
      },
    }),
    keyedEntity('t_Boss', { key: 'id', extends: 't_Member', attributes: { car: string(9) } }),
    keyedEntity('t_Desk', {
      key: 'id',
      attributes: { id: string(9), floor: integer(), member: toOne('t_Member').unique() },
    }),
  ],
});

type Given = Readonly<Record<string, Value>>;

function nodeOf(entity: string, id: string, kind: InstanceNode['kind'], before: Given, after: Given): InstanceNode {
  const layout = writeModelOf(model).of(entityOf(model, entity));
  const initial = [...initialValues(layout, canonicalKey([id])), ...Object.entries(before)];
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey([id]),
    kind,
    path: '',
    before: kind === 'create' ? undefined : new Map(initial),
    after: new Map([...initial, ...Object.entries(after)]),
    sent: new Map(),
    children: new Map(),
  };
}
const created = (entity: string, id: string, values: Given = {}) => nodeOf(entity, id, 'create', {}, values);
const updated = (entity: string, id: string, before: Given, after: Given) =>
  nodeOf(entity, id, 'update', before, after);
const to = (id: string) => ({ key: canonicalKey([id]) });

const plan = (...nodes: readonly InstanceNode[]) => [...planSave(model, nodes)];
/** `INSERT team`, `UPDATE desk member_id`: what each statement writes. */
const outline = (...nodes: readonly InstanceNode[]) =>
  plan(...nodes).map(({ text }) => {
    const [, verb, table] = /^(\w+).*? "t"\."(\w+)"/.exec(text) ?? [];
    const set = verb === 'UPDATE' ? [...text.matchAll(/"(\w+)" = (?:\$\d+|new\.c\d+)(?=, | FROM| WHERE)/g)] : [];
    return [verb, table, ...set.map(([, column]) => column)].join(' ');
  });

test('values and targets are freed first, then rows are inserted after those they refer to, then the rest is written', () => {
  expect(
    outline(
      updated('t_Desk', 'd1', { member: to('m1'), floor: 1 }, { member: to('m2'), floor: 2 }),
      updated('t_Desk', 'd2', { member: to('m2') }, { member: to('m1') }),
      created('t_Member', 'm3', { team: to('t3'), labels: ['a'] }),
      created('t_Team', 't3', { code: 'A' }),
      updated('t_Team', 't1', { code: 'A', name: 'old' }, { code: 'B', name: 'new' }),
    ),
  ).toEqual([
    'UPDATE team code',
    'UPDATE desk member_id',
    'INSERT team',
    'INSERT member',
    'UPDATE desk floor member_id',
    'UPDATE desk member_id',
    'UPDATE team code name',
    'INSERT member_labels',
  ]);
});

test('nothing is written where nothing differs', () => {
  expect(plan()).toEqual([]);
  expect(plan(updated('t_Member', 'm', { name: 'a', labels: ['x'] }, { name: 'a', labels: ['x'] }))).toEqual([]);
});

test('only columns that differ are written', () => {
  expect(plan(updated('t_Member', 'm', { name: 'a', rank: 1 }, { rank: 2, team: to('t') }))).toEqual([
    { text: 'UPDATE "t"."member" SET "rank" = $1, "team_id" = $2 WHERE "id" = $3', values: [2, 't', 'm'] },
  ]);
});

test('rows that change the same columns share a statement, for any order of the changes', () => {
  const changed = plan(
    updated('t_Member', 'm1', {}, { name: 'a', rank: 1 }),
    updated('t_Member', 'm2', {}, { name: 'b' }),
    updated('t_Member', 'm3', {}, { rank: 3, name: 'c' }),
  );
  expect(changed.map(({ values }) => values)).toEqual([
    [
      ['a', 'c'],
      [1, 3],
      ['m1', 'm3'],
    ],
    ['b', 'm2'],
  ]);
});

test('values are written as their columns keep them', () => {
  const [statement] = plan(updated('t_Member', 'm', {}, { state: 'DONE', photo: 'AQI=', team: null, name: '' }));
  expect(statement?.values).toEqual(['', '\\x0102', 'd', 'm']);
});

test('a row of a descendant is inserted into the tables of its lineage, and updated where the column is', () => {
  const boss = plan(created('t_Boss', 'b', { name: 'n', car: 'c' }));
  expect(boss.map(({ text }) => /INTO (\S+)/.exec(text)?.[1])).toEqual(['"t"."member"', '"t"."boss"']);
  expect(boss[0]?.values).toContain('t_Boss');
  expect(boss[1]?.values).toEqual(['b', 'c']);
  expect(outline(updated('t_Boss', 'b', {}, { car: 'd' }))).toEqual(['UPDATE boss car']);
  expect(outline(updated('t_Boss', 'b', {}, { car: 'd', name: 'm' }))).toEqual([
    'UPDATE member name',
    'UPDATE boss car',
  ]);
});

test.each<[string, Given, Given, readonly string[]]>([
  [
    'that grow are written anew',
    { labels: ['a'] },
    { labels: ['a', 'b'] },
    ['DELETE member_labels', 'INSERT member_labels'],
  ],
  [
    'that change their order are written anew',
    { labels: ['a', 'b'] },
    { labels: ['b', 'a'] },
    ['DELETE member_labels', 'INSERT member_labels'],
  ],
  ['that become empty are removed', { labels: ['a'] }, { labels: [] }, ['DELETE member_labels']],
  ['that stay are not written', { labels: ['a'] }, { labels: ['a'] }, []],
])('elements %s', (_, before, after, expected) => {
  expect(outline(updated('t_Member', 'm', before, after))).toEqual(expected);
});

test('elements of new instances travel together, with their positions', () => {
  const members = [created('t_Member', 'm1', { labels: ['a', 'b'] }), created('t_Member', 'm2', { labels: ['c'] })];
  expect(plan(...members).at(-1)?.values).toEqual(['m1', 0, 'a', 'm1', 1, 'b', 'm2', 0, 'c']);
});

test('only links that come or go are written', () => {
  const member = updated('t_Member', 'm', { friends: [to('a'), to('b')] }, { friends: [to('c'), to('b')] });
  expect(plan(member).map(({ text, values }) => [text.slice(0, 6), values])).toEqual([
    ['DELETE', [['m'], ['a']]],
    ['INSERT', ['m', 'c']],
  ]);
  expect(plan(updated('t_Member', 'm', { friends: [to('a'), to('b')] }, { friends: [to('b'), to('a')] }))).toEqual([]);
});

test('a thousand rows at most go into one statement, unless they may refer to each other', () => {
  const rowsOf = (entity: string) =>
    plan(...Array.from({ length: 1_001 }, (_, at) => created(entity, String(at)))).map(({ values: [first] }) =>
      Array.isArray(first) ? first.length : 1,
    );
  expect(rowsOf('t_Desk')).toEqual([1_000, 1]);
  expect(rowsOf('t_Team')).toEqual([1_001]);
});
