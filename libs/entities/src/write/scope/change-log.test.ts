import { buildModel, entityOf, standardEntity, string } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { Values } from '../values/value.ts';
import { ChangeLog, type ChangeRecord } from './change-log.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Person', { attributes: { name: string(9) } }),
    standardEntity('t_Boss', { extends: 't_Person', attributes: { car: string(9) } }),
  ],
});
const state = (name: string): Values => new Map([['name', name]]);

const record = (change: ChangeRecord['change'], more: Partial<ChangeRecord> = {}): ChangeRecord => ({
  entity: entityOf(model, 't_Person'),
  key: canonicalKey(['p']),
  change,
  attributes: new Set(),
  usernames: new Set(),
  before: undefined,
  after: undefined,
  ...more,
});
function logged(...records: readonly ChangeRecord[]): ChangeLog {
  const log = new ChangeLog(model);
  for (const one of records) log.note(one);
  return log;
}
const UPDATES = [
  record('updated', {
    before: state('a'),
    after: state('b'),
    attributes: new Set(['name']),
    usernames: new Set(['u']),
  }),
  record('updated', { before: state('b'), after: state('c'), attributes: new Set(['car']), usernames: new Set(['v']) }),
];

test('several changes of an instance are one, from the first state to the last', () => {
  expect(logged(...UPDATES).all()).toEqual([
    {
      ...record('updated'),
      before: state('a'),
      after: state('c'),
      attributes: new Set(['name', 'car']),
      usernames: new Set(['u', 'v']),
    },
  ]);
});

test.each<[ChangeRecord['change'], ChangeRecord['change'], string]>([
  ['created', 'updated', 'created'],
  ['updated', 'updated', 'updated'],
  ['updated', 'deleted', 'deleted'],
  ['created', 'deleted', ''],
])('an instance that is %s and then %s was "%s" by the transaction', (first, second, expected) => {
  expect(
    logged(record(first), record(second))
      .all()
      .map(({ change }) => change)
      .join(),
  ).toBe(expected);
});

test('an instance is found by its entity and by an ancestor of it', () => {
  const log = logged(record('updated', { entity: entityOf(model, 't_Boss') }));
  expect(log.find(entityOf(model, 't_Person'), canonicalKey(['p']))).toBe(
    log.find(entityOf(model, 't_Boss'), canonicalKey(['p'])),
  );
  expect(log.find(entityOf(model, 't_Person'), canonicalKey(['p']))?.change).toBe('updated');
  expect(log.find(entityOf(model, 't_Person'), canonicalKey(['q']))).toBeUndefined();
});

test('records come in the order in which their instances were first changed', () => {
  const of = (id: string) => record('updated', { key: canonicalKey([id]) });
  expect(
    logged(of('b'), of('a'), of('b'))
      .all()
      .map(({ key }) => key[0]),
  ).toEqual(['b', 'a']);
});
