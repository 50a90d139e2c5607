import { buildModel, compositionOfMany, entityOf, standardEntity, toOne } from '@lintel/metadata';
import { layoutOf } from '../layout/layout.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { initialValues } from '../merge/merge-values.ts';
import { insertOrder } from './insert-order.ts';

const model = buildModel({
  entities: [
    standardEntity('t_A', { attributes: { next: toOne('t_A'), bs: compositionOfMany('t_B', 'a') } }),
    standardEntity('t_C', { attributes: { next: toOne('t_C'), a: toOne('t_A') } }),
    standardEntity('t_B', { attributes: { a: toOne('t_A').mandatory() } }),
  ],
});

function node(entity: string, id: string, references: Record<string, string> = {}): InstanceNode {
  const layout = layoutOf(model, entityOf(model, entity));
  const links = Object.entries(references).map(([path, key]) => [path, { key: [key] }] as const);
  return {
    entity: layout.entity,
    layout,
    key: [id],
    kind: 'create',
    path: '',
    before: undefined,
    after: new Map([...initialValues(layout, [id]), ...links]),
    sent: new Map(),
    children: new Map(),
  };
}
const orderOf = (...nodes: InstanceNode[]) => insertOrder(model, nodes).map((group) => group.map(({ key }) => key[0]));

test('instances come after those they refer to; those of one entity and rank come together', () => {
  expect(
    orderOf(node('t_B', 'b1', { a: 'a2' }), node('t_A', 'a2', { next: 'a1' }), node('t_A', 'a1'), node('t_A', 'a0')),
  ).toEqual([['a2', 'a1', 'a0'], ['b1']]);
});

test('instances of one entity in a ring come together, behind all that any of them refers to', () => {
  const ring = [node('t_C', 'c1', { next: 'c2' }), node('t_C', 'c2', { next: 'c1', a: 'a1' })];
  expect(orderOf(...ring, node('t_A', 'a1', { next: 'a2' }), node('t_A', 'a2'))).toEqual([
    ['a1', 'a2'],
    ['c1', 'c2'],
  ]);
});

test('references to stored instances and to itself do not count', () => {
  expect(orderOf(node('t_B', 'b1', { a: 'stored' }), node('t_A', 'a1', { next: 'a1' }))).toEqual([['b1'], ['a1']]);
});
