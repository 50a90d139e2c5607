import { buildModel, entityOf, integer, keyedEntity, standardEntity, string } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import type { Value } from '../values/value.ts';
import { stampNode } from './stamp.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Order', { attributes: { number: string(20) } }),
    keyedEntity('t_Rate', { key: 'code', attributes: { code: string(3), value: integer() } }),
    keyedEntity('t_Log', {
      key: 'code',
      attributes: { code: string(3), value: integer() },
      traits: { audited: ['lastModifiedDate'] },
    }),
  ],
});
const STAMP = { now: '2026-11-21T10:20:30.400', username: 'ada' };
const SYSTEM = ['version', 'createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy'];
const STORED = {
  version: 7,
  createdDate: '2026-01-01T00:00:00.000',
  createdBy: 'eve',
  lastModifiedDate: '2026-01-02T00:00:00.000',
  lastModifiedBy: 'eve',
};

function node(
  entity: string,
  kind: InstanceNode['kind'],
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>> = {},
): InstanceNode {
  const layout = writeModelOf(model).of(entityOf(model, entity));
  const stored = new Map([...initialValues(layout, canonicalKey(['k'])), ...Object.entries(before)]);
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey(['k']),
    kind,
    path: '',
    before: kind === 'create' ? undefined : stored,
    after: new Map([...stored, ...Object.entries(after)]),
    sent: new Map(),
    children: new Map(),
  };
}
const systemValuesOf = ({ after }: InstanceNode) => SYSTEM.map((name) => after.get(name));

test('a new instance has version 1, is created by the user of the request, and has no user who changed it', () => {
  expect(systemValuesOf(stampNode(node('t_Order', 'create', STORED), STAMP, false))).toEqual([
    1,
    STAMP.now,
    'ada',
    STAMP.now,
    null,
  ]);
});

test('a changed instance has the next version and keeps who created it', () => {
  const changed = node('t_Order', 'update', STORED, { number: 'B' });
  expect(systemValuesOf(stampNode(changed, STAMP, false))).toEqual([8, STORED.createdDate, 'eve', STAMP.now, 'ada']);
});

test('an instance without a version so far begins with 1', () => {
  expect(stampNode(node('t_Order', 'update', {}, { number: 'B' }), STAMP, false).after.get('version')).toBe(1);
});

test('an instance that does not change stays the same object', () => {
  const same = node('t_Order', 'update', STORED, { number: null });
  expect(stampNode(same, STAMP, false)).toBe(same);
});

test('an instance of which only something else changes counts as changed', () => {
  const touched = node('t_Order', 'update', STORED);
  expect(systemValuesOf(stampNode(touched, STAMP, false, true))).toEqual([
    8,
    STORED.createdDate,
    'eve',
    STAMP.now,
    'ada',
  ]);
});

test('a second write in a transaction does not count again', () => {
  const changed = node('t_Order', 'update', STORED, { number: 'B' });
  expect(stampNode(changed, STAMP, true)).toBe(changed);
  expect(stampNode(changed, STAMP, true, true)).toBe(changed);
});

test('stamping changes neither what was stored nor the node', () => {
  const changed = node('t_Order', 'update', STORED, { number: 'B' });
  stampNode(changed, STAMP, false);
  expect(systemValuesOf(changed)).toEqual(Object.values(STORED));
  expect(changed.before?.get('version')).toBe(7);
});

test('an entity has only the attributes of its own traits', () => {
  const plain = node('t_Rate', 'update', {}, { value: 2 });
  expect(stampNode(plain, STAMP, false)).toBe(plain);
  const logged = stampNode(node('t_Log', 'create', {}), STAMP, false);
  expect(systemValuesOf(logged)).toEqual([undefined, undefined, undefined, STAMP.now, undefined]);
});
