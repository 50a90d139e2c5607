import type { DiagramEdge } from './diagram-graph.ts';
import { BOX, layoutDiagram } from './layout-diagram.ts';

const edge = (from: string, to: string, cardinality: DiagramEdge['cardinality'] = 'n:1'): DiagramEdge => ({
  from,
  to,
  cardinality,
  attribute: 'x',
  isComposition: false,
});
const NODES = ['Customer', 'Order', 'Line', 'Product', 'Note', 'Lonely'];
const EDGES = [
  edge('Order', 'Customer'),
  edge('Line', 'Order'),
  edge('Line', 'Product'),
  edge('Customer', 'Note', '1:n'),
  edge('Customer', 'Line'),
  edge('Order', 'Order'),
];

test('no two boxes overlap, and all of them are inside', () => {
  const { nodes, width, height } = layoutDiagram({ nodes: NODES, edges: EDGES });
  const boxes = [...nodes.values()];
  expect(boxes.map(({ name }) => name).sort()).toEqual(NODES.toSorted());
  for (const [at, one] of boxes.entries()) {
    expect(one.x >= 0 && one.y >= 0 && one.x + BOX.width <= width && one.y + BOX.height <= height).toBe(true);
    for (const other of boxes.slice(at + 1))
      expect(Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= BOX.height).toBe(true);
  }
});

test('what others refer to is above them, and cycles end', () => {
  const { nodes } = layoutDiagram({ nodes: NODES, edges: EDGES });
  const y = (name: string): number => nodes.get(name)?.y ?? Number.NaN;
  expect(y('Line')).toBeGreaterThan(y('Product'));
  expect(y('Note')).toBeGreaterThan(y('Customer'));
  expect(layoutDiagram({ nodes: [], edges: [] }).nodes.size).toBe(0);
});
