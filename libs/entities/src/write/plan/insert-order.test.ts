import { buildModel, compositionOfMany, entityOf, standardEntity, toOne } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import { insertOrder } from './insert-order.ts';

const model = buildModel({
  entities: [
    standardEntity('t_A', { attributes: { next: toOne('t_A'), bs: compositionOfMany('t_B', 'a') } }),
    standardEntity('t_C', { attributes: { next: toOne('t_C'), a: toOne('t_A') } }),
    standardEntity('t_B', { attributes: { a: toOne('t_A').mandatory() } }),
    standardEntity('t_D', { attributes: { next: toOne('t_D'), e: toOne('t_E') } }),
    standardEntity('t_E', { attributes: { d: toOne('t_D') } }),
  ],
});

function node(entity: string, id: string, references: Record<string, string> = {}): InstanceNode {
  const layout = writeModelOf(model).of(entityOf(model, entity));
  const links = Object.entries(references).map(([path, key]) => [path, { key: canonicalKey([key]) }] as const);
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey([id]),
    kind: 'create',
    path: '',
    before: undefined,
    after: new Map([...initialValues(layout, canonicalKey([id])), ...links]),
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

test('instances of one entity are inserted apart where one of another entity lies between them', () => {
  const nodes = [node('t_D', 'd1', { next: 'd2', e: 'e1' }), node('t_D', 'd2'), node('t_E', 'e1', { d: 'd2' })];
  expect(orderOf(...nodes)).toEqual([['d2'], ['e1'], ['d1']]);
});

test('references to stored instances and to itself do not count', () => {
  expect(orderOf(node('t_B', 'b1', { a: 'stored' }), node('t_A', 'a1', { next: 'a1' }))).toEqual([['b1'], ['a1']]);
});

test('chains of any length are ordered without recursion', () => {
  const length = 10_000;
  const own = Array.from({ length }, (_, at) => node('t_A', `a${at}`, { next: `a${at + 1}` }));
  expect(orderOf(...own)).toEqual([own.map(({ key }) => key[0])]);
  const chain = Array.from({ length }, (_, at) =>
    at % 2 === 0 ? node('t_D', `n${at}`, { e: `n${at + 1}` }) : node('t_E', `n${at}`, { d: `n${at + 1}` }),
  );
  expect(orderOf(...chain).flat()).toEqual(chain.map(({ key }) => key[0]).reverse());
});
