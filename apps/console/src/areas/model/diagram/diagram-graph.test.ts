import type { AttributeInfo, EntityInfo } from '@lintel/client';
import { diagramGraph } from './diagram-graph.ts';

const reference = (name: string, type: string, cardinality: string, attributeType = 'ASSOCIATION') =>
  ({ name, type, cardinality, attributeType }) as AttributeInfo;
const entity = (entityName: string, ...properties: AttributeInfo[]): EntityInfo => ({
  entityName,
  ancestor: null,
  properties,
});
const ENTITIES = [
  entity(
    'Order',
    reference('customer', 'Customer', 'MANY_TO_ONE'),
    reference('lines', 'Line', 'ONE_TO_MANY', 'COMPOSITION'),
    reference('tags', 'Tag', 'MANY_TO_MANY'),
    reference('parent', 'Order', 'MANY_TO_ONE'),
    reference('hidden', 'Customer', 'MANY_TO_ONE'),
    reference('outside', 'Other', 'MANY_TO_ONE'),
  ),
  entity('Customer', reference('orders', 'Order', 'ONE_TO_MANY'), reference('notes', 'Note', 'ONE_TO_MANY')),
  entity('Line', reference('order', 'Order', 'MANY_TO_ONE')),
  entity('Tag', reference('orders', 'Order', 'MANY_TO_MANY')),
  entity('Note'),
];

test('each relation is there once, without attributes that are hidden and entities that are not shown', () => {
  const { nodes, edges } = diagramGraph(ENTITIES, (_, attribute) => attribute !== 'hidden');
  expect(nodes).toEqual(['Order', 'Customer', 'Line', 'Tag', 'Note']);
  expect(
    edges.map(({ from, attribute, to, cardinality, isComposition }) => [
      from,
      attribute,
      to,
      cardinality,
      isComposition,
    ]),
  ).toEqual([
    ['Order', 'customer', 'Customer', 'n:1', false],
    ['Order', 'tags', 'Tag', 'n:m', false],
    ['Order', 'parent', 'Order', 'n:1', false],
    ['Customer', 'notes', 'Note', '1:n', false],
    ['Line', 'order', 'Order', 'n:1', true],
  ]);
});
