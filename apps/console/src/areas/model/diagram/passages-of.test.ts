import type { DiagramEdge } from './diagram-graph.ts';
import { edgePath } from './edge-path.ts';
import { BOX, layoutDiagram, type PlacedNode } from './layout-diagram.ts';
import { passagesOf } from './passages-of.ts';

const edge = (from: string, to: string): DiagramEdge => ({
  from,
  to,
  cardinality: 'n:1',
  attribute: 'x',
  isComposition: false,
});

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points of a path of moves, lines and cubic curves. */
function pointsOf(path: string): readonly Point[] {
  const points: Point[] = [];
  let at: Point = { x: 0, y: 0 };
  for (const [, command, text] of path.matchAll(/([MLC])([^MLC]*)/g)) {
    const numbers = (text ?? '').trim().split(/\s+/).map(Number);
    const [one, two, end] = Array.from(
      { length: numbers.length / 2 },
      (_, index): Point => ({
        x: numbers[2 * index] ?? 0,
        y: numbers[2 * index + 1] ?? 0,
      }),
    );
    const [a, b, c] = command === 'C' && two && end ? [one ?? at, two, end] : [at, one ?? at, one ?? at];
    if (command !== 'M')
      for (let step = 0; step <= 40; step += 1) {
        const t = step / 40;
        const value = (axis: 'x' | 'y'): number =>
          (1 - t) ** 3 * at[axis] + 3 * (1 - t) ** 2 * t * a[axis] + 3 * (1 - t) * t ** 2 * b[axis] + t ** 3 * c[axis];
        points.push({ x: value('x'), y: value('y') });
      }
    at = command === 'C' ? c : (one ?? at);
  }
  return points;
}

const isInside = ({ x, y }: Point, box: PlacedNode): boolean =>
  x > box.x && x < box.x + BOX.width && y > box.y && y < box.y + BOX.height;

// Five rows; each entity refers to one of the row above, and to some of all others above it.
const NAMES = Array.from({ length: 20 }, (_, at) => `E${at}`);
const EDGES = NAMES.flatMap((from, at) => [
  ...(at >= 4 ? [edge(from, `E${at - 4}`)] : []),
  ...NAMES.slice(0, Math.max(0, at - 8))
    .filter((_, other) => (at * 7 + other * 3) % 4 === 0)
    .map((to) => edge(from, to)),
  ...(at % 6 === 0 ? [edge(from, from)] : []),
]);

test('no line passes through a box, and lines of one gap are apart', () => {
  const layout = layoutDiagram({ nodes: NAMES, edges: EDGES });
  const boxes = [...layout.nodes.values()];
  const passages = passagesOf(EDGES, layout);
  expect(passages.filter(({ length }) => length > 0).length).toBeGreaterThan(10);
  for (const [at, { from, to }] of EDGES.entries()) {
    const [one, other] = [layout.nodes.get(from), layout.nodes.get(to)] as [PlacedNode, PlacedNode];
    const points = pointsOf(edgePath(one, other, passages[at]).path);
    const crossed = boxes.filter((box) => points.some((point) => isInside(point, box))).map(({ name }) => name);
    expect([from, to, crossed]).toEqual([from, to, []]);
    expect(points.every(({ x }) => x >= 0 && x <= layout.width)).toBe(true);
  }
  const all = passages.flat().map(({ x, y }) => `${x} ${y}`);
  expect(new Set(all).size).toBe(all.length);
});

test('a line to the next row passes no gap', () => {
  const edges = [edge('Line', 'Order')];
  expect(passagesOf(edges, layoutDiagram({ nodes: ['Order', 'Line'], edges }))).toEqual([[]]);
});
