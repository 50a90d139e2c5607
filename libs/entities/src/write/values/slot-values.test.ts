import { SlotPaths } from '../model/slot-paths.ts';
import { copyOf, SlotValues } from './slot-values.ts';
import type { Value } from './value.ts';

const paths = new SlotPaths(['id', 'name', 'tags']);
const values = (...given: (Value | undefined)[]) => new SlotValues(paths, given);
const different = (after: SlotValues, before: SlotValues | ReadonlyMap<string, Value> | undefined) => {
  const found: unknown[] = [];
  after.forEachOther(before, (...one) => found.push(one));
  return found;
};

test('values are read as those of a map: null is a value, a collection that is not loaded is none', () => {
  const one = values('a', null, undefined);
  expect([...one]).toEqual([
    ['id', 'a'],
    ['name', null],
  ]);
  expect([...one.keys()]).toEqual(['id', 'name']);
  expect([...one.values()]).toEqual(['a', null]);
  expect(one.size).toBe(2);
  expect(['id', 'name', 'tags', 'other'].map((path) => one.has(path))).toEqual([true, true, false, false]);
  expect(new Map(one).get('id')).toBe('a');
});

test('values of paths that the entity does not store are kept after the others', () => {
  const one = values('a', null).set('other', 1).set('name', 'b');
  expect(Object.fromEntries(one)).toEqual({ id: 'a', name: 'b', other: 1 });
  expect(one.isOf(paths)).toBe(false);
  expect(one.copy().get('other')).toBe(1);
});

test('a change of a copy does not change the values, nor those of a map', () => {
  const one = values('a', 'b');
  copyOf(one).set('name', 'c').set('other', 1);
  expect(Object.fromEntries(one)).toEqual({ id: 'a', name: 'b' });
  const map: ReadonlyMap<string, Value> = new Map([['id', 'a']]);
  expect(copyOf(map).set('id', 'b').get('id')).toBe('b');
  expect(map.get('id')).toBe('a');
});

test('the values that are not identical to those of another state are visited, for any other state', () => {
  const after = values('a', 'b', ['x']);
  const changed = [
    ['name', null, 'b'],
    ['tags', undefined, ['x']],
  ];
  expect(different(after, values('a', null))).toEqual(changed);
  expect(
    different(
      after,
      new Map<string, Value>([
        ['id', 'a'],
        ['name', null],
      ]),
    ),
  ).toEqual(changed);
  expect(different(after, undefined)).toHaveLength(3);
  expect(different(values('a').set('other', 1), values('a'))).toEqual([['other', undefined, 1]]);
});
