import { PARALLEL, SALES, TWENTY } from '../../../../../test/page/diagrams-of-tests.ts';
import { BOX, layoutDiagram, type PlacedNode } from '../layout-diagram.ts';
import { diagramLines } from './diagram-lines.ts';
import { type Point, pointsOfPath } from './points-of-path.ts';
import { positionLabels } from './position-labels.ts';

/** A character of 11 px above its base line. */
const areaOf = ({ x, y }: Point) => ({ left: x - 4, right: x + 4, top: y - 8, bottom: y });
const boxOf = ({ x, y }: PlacedNode) => ({ left: x, right: x + BOX.width, top: y, bottom: y + BOX.height });
type Area = ReturnType<typeof areaOf>;

const overlap = (one: Area, other: Area): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

test.each([
  ['of the example application', SALES],
  ['with many relations between two entities', PARALLEL],
  ['of twenty entities', TWENTY],
])('in a model %s no cardinality covers a box, another cardinality or a line', (_, graph) => {
  const layout = layoutDiagram(graph);
  const lines = diagramLines(graph.edges, layout);
  expect(lines.map(({ edge }) => edge)).toEqual(graph.edges);
  const labels = lines.flatMap(({ edge, start, end }) =>
    [start, end].map((point) => ({ name: `${edge.from}.${edge.attribute} ${edge.to}`, area: areaOf(point) })),
  );
  const boxes = [...layout.nodes.values()].map((node) => ({ name: node.name, area: boxOf(node) }));
  const covered = labels.flatMap(({ name, area }, at) =>
    [...boxes, ...labels.slice(at + 1)].filter((other) => overlap(area, other.area)).map((other) => [name, other.name]),
  );
  expect(covered).toEqual([]);
  const crossed = lines.flatMap(({ edge, path }) =>
    labels
      .filter(({ area }) =>
        pointsOfPath(path).some(({ x, y }) => x > area.left && x < area.right && y > area.top && y < area.bottom),
      )
      .map(({ name }) => [name, `${edge.from} ${edge.to}`]),
  );
  expect(crossed).toEqual([]);
});

test('a cardinality is near the end of its line', () => {
  const [labels] = positionLabels(['M 100 100 C 100 150 300 150 300 200'], []);
  const distance = (point: Point, x: number, y: number): number => Math.hypot(point.x - x, point.y - y);
  expect(distance(labels?.start ?? { x: 0, y: 0 }, 100, 100)).toBeLessThan(24);
  expect(distance(labels?.end ?? { x: 0, y: 0 }, 300, 200)).toBeLessThan(24);
});
