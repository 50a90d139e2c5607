import { buildModel, entityOf, standardEntity, string } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { initialValues } from '../graph/merge-values.ts';
import { writeModelOf } from '../model/write-model.ts';
import { freeUniqueValues } from './free-unique-values.ts';

const model = buildModel({ entities: [standardEntity('t_A', { attributes: { code: string(20).unique() } })] });
const layout = writeModelOf(model).of(entityOf(model, 't_A'));

function mover(id: string, from: string | null, to: string | null): InstanceNode {
  const before = initialValues(layout, canonicalKey([id]));
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey([id]),
    kind: 'update',
    path: '',
    before: new Map([...before, ['code', from]]),
    after: new Map([...before, ['code', to]]),
    sent: new Map(),
    children: new Map(),
  };
}

const orderOf = (nodes: readonly InstanceNode[]) =>
  freeUniqueValues(model, [], nodes, (rows) =>
    rows.map(({ node }) => ({
      text: `${node.key[0]}${node.after.get('code') === null ? ' null' : ''}`,
      values: [],
    })),
  ).statements.map(({ text }) => text);

test('who leaves a value comes before who takes it', () => {
  expect(orderOf([mover('1', 'a', 'b'), mover('2', 'b', 'c'), mover('3', 'c', 'd')])).toEqual(['3', '2']);
});

test('values that nothing else gets are not written apart', () => {
  expect(orderOf([mover('1', 'a', null), mover('2', null, 'b')])).toEqual([]);
});

test('of values that are exchanged in a ring, one is null first', () => {
  const [first, ...others] = orderOf([mover('1', 'a', 'b'), mover('2', 'b', 'a')]);
  expect(first).toMatch(/ null$/);
  expect(others.toSorted()).toEqual(['1', '2']);
});

test('chains of any length are ordered without recursion', () => {
  const length = 10_000;
  const chain = Array.from({ length }, (_, at) => mover(String(at), `c${at}`, `c${at + 1}`));
  expect(orderOf(chain)).toEqual(
    chain
      .slice(1)
      .map(({ key }) => String(key[0]))
      .reverse(),
  );
});
