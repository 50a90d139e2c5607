import { TWENTY } from '../../../../../test/page/diagrams-of-tests.ts';
import { BOX, layoutDiagram, type PlacedNode } from '../layout-diagram.ts';
import { diagramLines } from './diagram-lines.ts';
import { passagesOf } from './passages-of.ts';
import { type Point, pointsOfPath } from './points-of-path.ts';

const isInside = ({ x, y }: Point, box: PlacedNode): boolean =>
  x > box.x && x < box.x + BOX.width && y > box.y && y < box.y + BOX.height;

test('no line passes through a box, and lines of one gap are apart', () => {
  const layout = layoutDiagram(TWENTY);
  const boxes = [...layout.nodes.values()];
  const passages = passagesOf(TWENTY.edges, layout);
  expect(passages.filter(({ length }) => length > 0).length).toBeGreaterThan(10);
  for (const { edge, path } of diagramLines(TWENTY.edges, layout)) {
    const points = pointsOfPath(path);
    const crossed = boxes.filter((box) => points.some((point) => isInside(point, box))).map(({ name }) => name);
    expect([edge.from, edge.to, crossed]).toEqual([edge.from, edge.to, []]);
    expect(points.every(({ x }) => x >= 0 && x <= layout.width)).toBe(true);
  }
  const all = passages.flat().map(({ x, y }) => `${x} ${y}`);
  expect(new Set(all).size).toBe(all.length);
});

test('a line to the next row passes no gap', () => {
  const edges = TWENTY.edges.filter(({ from, to }) => from === 'E4' && to === 'E0');
  expect(passagesOf(edges, layoutDiagram({ nodes: ['E0', 'E4'], edges }))).toEqual([[]]);
});
