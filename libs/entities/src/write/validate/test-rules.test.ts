import {
  buildModel,
  compositionOfMany,
  type EntityRule,
  entityOf,
  integer,
  keyedEntity,
  string,
  toOne,
  toOneInverse,
} from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import type { Value } from '../values/value.ts';
import { collectionsOfRules, testRules, testRulesWithout } from './test-rules.ts';

interface NodeOptions {
  readonly kind?: InstanceNode['kind'];
  readonly after?: Readonly<Record<string, Value>>;
  readonly children?: InstanceNode['children'];
}

function world(rule: EntityRule['test'], dependsOn: readonly string[], options: NodeOptions = {}) {
  const { kind = 'create', after = {}, children = new Map() } = options;
  const model = buildModel({
    entities: [
      keyedEntity('t_Line', { key: 'id', attributes: { id: string(9), order: toOne('t_Order') } }),
      keyedEntity('t_Bill', { key: 'id', attributes: { id: string(9), order: toOne('t_Order').unique() } }),
      keyedEntity('t_Order', {
        key: 'id',
        attributes: {
          id: string(9),
          count: integer(),
          parent: toOne('t_Order'),
          lines: compositionOfMany('t_Line', 'order'),
          bill: toOneInverse('t_Bill', 'order'),
        },
        rules: [{ message: 'refused', dependsOn, test: rule }],
      }),
    ],
  });
  const layout = writeModelOf(model).of(entityOf(model, 't_Order'));
  const initial = initialValues(layout, canonicalKey(['o']));
  const node: InstanceNode = {
    entity: layout.entity,
    layout,
    key: canonicalKey(['o']),
    kind,
    path: 'orders[2]',
    before: kind === 'create' ? undefined : initial,
    after: new Map([...initial, ...Object.entries(after)]),
    sent: new Map(),
    children,
  };
  const localize = ({ messageTemplate }: { readonly messageTemplate: string }, name: string) =>
    `${name}: ${messageTemplate}`;
  return {
    names: [...collectionsOfRules(node)],
    violations: (collections = {}) => testRules(model, node, collections, localize),
    without: () => testRulesWithout(model, node, localize),
  };
}

test('a violated rule gives an item with its own text and the path of the instance', () => {
  expect(world(({ count }) => count === 1, ['count'], { after: { count: 2 } }).violations()).toEqual([
    { message: 't_Order: refused', messageTemplate: 'refused', path: 'orders[2]', invalidValue: null },
  ]);
  expect(world(({ count }) => count === 1, ['count'], { after: { count: 1 } }).violations()).toEqual([]);
});

test('a rule sees the instance in JSON form, with the collections that are given', () => {
  const seen: unknown[] = [];
  world((instance) => seen.push(instance) > 0, ['lines'], {
    after: { parent: { key: canonicalKey(['p']) } },
  }).violations({
    lines: [{ id: 'l' }],
  });
  expect(seen).toEqual([{ id: 'o', count: null, parent: { id: 'p' }, lines: [{ id: 'l' }] }]);
});

test.each<[string, NodeOptions, boolean]>([
  ['a new instance', {}, true],
  ['a stored instance that changes', { kind: 'update', after: { count: 2 } }, true],
  ['a stored instance of which only children are named', { kind: 'update', children: new Map([['lines', []]]) }, true],
  ['a stored instance that does not change', { kind: 'update' }, false],
])('rules are tested for %s: %#', (_, options, isTested) => {
  const { violations, without } = world(() => false, [], options);
  expect(violations()).toHaveLength(isTested ? 1 : 0);
  expect(without()).toHaveLength(isTested ? 1 : 0);
});

test('what rules may read is loaded where it is not in the row: collections, and other ends of 1:1 references', () => {
  expect(world(() => true, ['count', 'parent', 'lines', 'bill', 'nothing']).names).toEqual(['lines', 'bill']);
});

describe('without the collections', () => {
  test('a rule that decides by other values is decided', () => {
    const rule: EntityRule['test'] = ({ count, lines }) => count === 1 || (lines as readonly unknown[]).length > 0;
    expect(world(rule, ['lines'], { after: { count: 1 } }).without()).toEqual([]);
    expect(world(({ lines }) => !Array.isArray(lines), ['lines']).without()).toHaveLength(1);
  });

  test.each<[string, EntityRule['test']]>([
    ['counts members', ({ lines }) => (lines as readonly unknown[]).length > 0],
    ['looks at a member', ({ lines }) => (lines as readonly unknown[])[0] !== undefined],
    ['goes through them', ({ lines }) => [...(lines as readonly unknown[])].length > 0],
    ['lists their names', ({ lines }) => Object.keys(lines as object).length > 0],
    ['asks for a member', ({ lines }) => 0 in (lines as object)],
    [
      'catches every error',
      ({ lines }) => {
        try {
          return (lines as readonly unknown[]).length > 0;
        } catch {
          return true;
        }
      },
    ],
  ])('a rule that %s is left open', (_, rule) => {
    expect(world(rule, ['lines']).without()).toBeUndefined();
  });

  test('a rule that may read the other end of a 1:1 reference is left open: nothing stands for it', () => {
    expect(world(() => true, ['bill']).without()).toBeUndefined();
  });

  test('an error of a rule itself is not hidden', () => {
    const broken: EntityRule['test'] = () => {
      throw new Error('broken rule');
    };
    expect(() => world(broken, ['lines']).without()).toThrow('broken rule');
  });
});
