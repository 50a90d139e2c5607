import {
  buildModel,
  decimal,
  elements,
  embeddable,
  embedded,
  entityOf,
  integer,
  manyToMany,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { cases, fc } from '@lintel/testkit/properties';
import { writeModelOf } from '../model/write-model.ts';
import type { SentValue } from '../parse/instance-input.ts';
import type { Value, Values } from '../values/value.ts';
import { changedPaths, mergeValues } from './merge-values.ts';

const model = buildModel({
  entities: [
    embeddable('t_Address', { attributes: { city: string(50) } }),
    standardEntity('t_Order', {
      attributes: {
        number: string(20),
        count: integer(),
        total: decimal(19, 2),
        address: embedded('t_Address'),
        parent: toOne('t_Order'),
        labels: elements(),
        friends: manyToMany('t_Order'),
      },
    }),
  ],
});
const layout = writeModelOf(model).of(entityOf(model, 't_Order'));

const text = fc.constantFrom('a', 'b', 'c');
const reference = text.map((key) => ({ key: canonicalKey([key]) }));
const state: fc.Arbitrary<Readonly<Record<string, Value>>> = fc.record({
  version: fc.nat(3),
  createdBy: fc.option(text),
  number: fc.option(text),
  count: fc.option(fc.nat(3)),
  total: fc.option(fc.constantFrom('1', '1.0', '2')),
  'address.city': fc.option(text),
  parent: fc.option(reference),
  labels: fc.array(text, { maxLength: 2 }),
  friends: fc.uniqueArray(reference, { maxLength: 2, selector: ({ key }) => key[0] }),
});
const change = fc
  .tuple(state, fc.subarray(['version', ...layout.slots.keys(), 'labels', 'friends']))
  .map(
    ([values, paths]): ReadonlyMap<string, SentValue> =>
      new Map(paths.flatMap((path) => (path in values ? [[path, { value: values[path] ?? null, sent: null }]] : []))),
  );
const stored = state.map((values): Values => new Map(Object.entries(values)));

const merge = (base: Values, sent: ReadonlyMap<string, SentValue>): Values =>
  mergeValues(layout, base, sent, false, (path) => {
    throw new Error(path);
  });

test('what was not sent is the stored value itself', () => {
  fc.assert(
    fc.property(stored, change, (base, sent) => {
      const after = merge(base, sent);
      expect([...after.keys()]).toEqual([...base.keys()]);
      for (const [path, value] of after) if (!sent.has(path)) expect(value).toBe(base.get(path));
    }),
    cases(300),
  );
});

test('only sent paths change, and a path that does not change is equal before and after', () => {
  fc.assert(
    fc.property(stored, change, (base, sent) => {
      const changed = changedPaths(layout, base, merge(base, sent));
      for (const path of changed) expect(sent.has(path)).toBe(true);
      expect(changed).not.toContain('version');
    }),
    cases(300),
  );
});

test('merging twice is merging once: the second time nothing changes', () => {
  fc.assert(
    fc.property(stored, change, (base, sent) => {
      const once = merge(base, sent);
      const twice = merge(once, sent);
      expect(twice).toEqual(once);
      expect(changedPaths(layout, once, twice)).toEqual([]);
    }),
    cases(300),
  );
});

test('sending what is stored changes nothing', () => {
  fc.assert(
    fc.property(stored, (base) => {
      const sent = new Map([...base].map(([path, value]): [string, SentValue] => [path, { value, sent: null }]));
      expect(changedPaths(layout, base, merge(base, sent))).toEqual([]);
    }),
    cases(300),
  );
});
