import type { RehearsedChange } from '@lintel/client';
import { idSegment } from '@lintel/react';
import { attribute, entity, modelOf } from '../../../../test/page/model-of-tests.ts';
import { rehearsedRows } from './rehearsed-rows.ts';

const model = modelOf([
  entity('Order', [attribute('number'), attribute('version', 'int'), attribute('lastModifiedDate', 'offsetDateTime')]),
  entity('Line', [attribute('quantity', 'int')]),
]);
const changed = (entityName: string, id: unknown, change: string, values: object = {}) =>
  ({
    ...{ entity: entityName, id, change },
    attributes: Object.entries(values).map(([name, [old, now]]) => ({ attribute: name, old, new: now })),
  }) as unknown as RehearsedChange;
const rows = (changes: readonly RehearsedChange[], id = '1') =>
  rehearsedRows(model, changes, { entity: 'Order', id }).map(({ path, before, after, part }) => [
    path.join(' › '),
    part ?? [before, after],
  ]);

test('values of the shown instance stand alone, and values of others after their entity', () => {
  expect(
    rows([
      changed('Order', '1', 'updated', { number: ['A', 'B'] }),
      changed('Line', '7', 'updated', { quantity: [1, 2] }),
    ]),
  ).toEqual([
    ['NUMBER', ['A', 'B']],
    ['LINE › #2 › QUANTITY', [1, 2]],
  ]);
});

test('attributes that the platform sets are left out', () => {
  const values = { version: [1, 2], lastModifiedDate: ['a', 'b'], number: [undefined, 'B'] };
  expect(rows([changed('Order', '1', 'updated', values)])).toEqual([['NUMBER', [undefined, 'B']]]);
});

test('a created or deleted instance has a row before the rows of its values', () => {
  expect(rows([changed('Order', '1', 'created', { number: [undefined, 'A'] })])).toEqual([
    ['ORDER', 'created'],
    ['NUMBER', [undefined, 'A']],
  ]);
  expect(rows([changed('Line', '7', 'deleted'), changed('Line', '8', 'deleted')])).toEqual([
    ['LINE › #1', 'deleted'],
    ['LINE › #2', 'deleted'],
  ]);
});

test('ids of several attributes are compared by their values', () => {
  const id = { company: 'ö', number: 5 };
  expect(rows([changed('Order', id, 'updated', { number: ['A', 'B'] })], idSegment({ ...id }))).toEqual([
    ['NUMBER', ['A', 'B']],
  ]);
});

test('no two rows have the same key, also where an instance changes twice', () => {
  const twice = [changed('Order', '1', 'updated', { number: ['A', 'B'] })];
  const keys = rehearsedRows(model, [...twice, ...twice], { entity: 'Order', id: '1' }).map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});
