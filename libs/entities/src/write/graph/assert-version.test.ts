import { isPlatformError } from '@lintel/errors';
import { buildModel, type Entity, entityOf, keyedEntity, standardEntity, string } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceInput } from '../parse/instance-input.ts';
import type { StoredRow } from '../rows/rows.ts';
import type { Value } from '../values/value.ts';
import { assertVersion, versionOf } from './assert-version.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Order', { attributes: {} }),
    keyedEntity('t_Rate', { key: 'code', attributes: { code: string(3) } }),
  ],
});
const ORDER = entityOf(model, 't_Order');

const stored = (version: Value, entity: Entity = ORDER): StoredRow => ({
  entity,
  key: canonicalKey(['k']),
  values: new Map([['version', version]]),
});
const sent = (version: string | undefined): InstanceInput => ({
  entity: ORDER,
  path: '',
  key: canonicalKey(['k']),
  version,
  values: new Map(),
  children: new Map(),
  unstored: new Map(),
  dynamic: [],
});

test.each<[string, StoredRow, string | undefined]>([
  ['a version is compared as text', stored(7), '7'],
  ['a row may have none yet', stored(null), undefined],
  ['an entity may have none', stored(7, entityOf(model, 't_Rate')), undefined],
])('%s', (_, row, expected) => {
  expect(versionOf(row)).toBe(expected);
});

test.each<[string, string | undefined, Value]>([
  ['the stored version', '7', 7],
  ['no version', undefined, 7],
])('%s is accepted', (_, version, row) => {
  expect(() => assertVersion(sent(version), stored(row))).not.toThrow();
});

test.each<[string, string, Value]>([
  ['an older version', '6', 7],
  ['a newer version', '8', 7],
  ['a version where none is stored', '1', null],
])('%s is refused, and the message does not contain the stored version', (_, version, row) => {
  let error: unknown;
  try {
    assertVersion(sent(version), stored(row));
  } catch (thrown) {
    error = thrown;
  }
  if (!isPlatformError(error)) throw new Error('No error of the platform', { cause: error });
  expect(error.code).toBe('DATA_OPTIMISTIC_LOCK');
  expect(error.details).toBe(`Entity t_Order was changed: the stored version is not ${version}, which was sent`);
});
