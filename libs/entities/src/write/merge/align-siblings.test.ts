import {
  buildModel,
  compositionOfMany,
  compositionOfOne,
  elements,
  entityOf,
  manyToMany,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { writeModelOf } from '../model/write-model.ts';
import type { InstanceInput, SentChildren } from '../parse/instance-input.ts';
import type { Value } from '../values/value.ts';
import { alignSiblings } from './align-siblings.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Tag', { attributes: {} }),
    standardEntity('t_Photo', { attributes: {} }),
    standardEntity('t_Part', { attributes: { line: toOne('t_Line') } }),
    standardEntity('t_Line', {
      attributes: {
        name: string(20),
        note: string(20),
        labels: elements(),
        tags: manyToMany('t_Tag'),
        photo: compositionOfOne('t_Photo'),
        parts: compositionOfMany('t_Part', 'line'),
      },
    }),
    standardEntity('t_Gift', { extends: 't_Line', attributes: { wrapping: string(20) } }),
  ],
});

function line(
  values: Readonly<Record<string, Value>>,
  children: Readonly<Record<string, SentChildren>> = {},
  entity = 't_Line',
): InstanceInput {
  return {
    entity: entityOf(model, entity),
    path: '',
    key: undefined,
    version: undefined,
    values: new Map(Object.entries(values).map(([path, value]) => [path, { value, sent: String(value) }])),
    children: new Map(Object.entries(children)),
    unstored: new Map(),
    dynamic: [],
  };
}
const align = (...siblings: readonly InstanceInput[]) => alignSiblings(writeModelOf(model), 'lines', siblings);
const valuesOf = ({ values }: InstanceInput | undefined = line({})): unknown =>
  Object.fromEntries([...values].map(([path, { value }]) => [path, value]));

test('a child that names all attributes of its siblings is as it was', () => {
  const siblings = [line({ name: 'a', note: 'b' }), line({ note: 'c', name: 'd' })];
  const [first, second] = align(...siblings);
  expect(first).toBe(siblings[0]);
  expect(second).toBe(siblings[1]);
});

test('what a sibling names and a child does not is null, or an empty collection', () => {
  const [, second] = align(
    line({ name: 'a', labels: ['x'], tags: [{ key: canonicalKey(['t']) }] }),
    line({ note: 'b' }),
  );
  expect(valuesOf(second)).toEqual({ note: 'b', name: null, labels: [], tags: [] });
});

test('a value that was filled in counts as not sent, and carries the name of the collection', () => {
  const [, second] = align(line({ name: 'a' }), line({}));
  expect(second?.values.get('name')?.sent).toBeNull();
  expect(second?.filled).toEqual({ collection: 'lines', paths: new Set(['name']) });
});

test('compositions that a sibling names become empty', () => {
  const photo = line({}, {}, 't_Photo');
  const named = { photo: { kind: 'one', child: photo }, parts: { kind: 'many', children: [] } } as const;
  const [, second] = align(line({}, named), line({}));
  expect(Object.fromEntries(second?.children ?? [])).toEqual({
    photo: { kind: 'one', child: null },
    parts: { kind: 'many', children: [] },
  });
  expect(second?.filled?.paths).toEqual(new Set(['photo', 'parts']));
});

test('siblings of another entity get only the attributes that they have', () => {
  const [gift, plain] = align(line({ wrapping: 'paper', name: 'a' }, {}, 't_Gift'), line({ note: 'b' }));
  expect(valuesOf(gift)).toEqual({ wrapping: 'paper', name: 'a', note: null });
  expect(valuesOf(plain)).toEqual({ note: 'b', name: null });
});

test('aligned siblings stay as they are when they are aligned again', () => {
  const once = align(line({ name: 'a' }), line({ note: 'b' }));
  expect(align(...once)).toEqual(once);
});
