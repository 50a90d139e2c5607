import { cases, fc } from '@lintel/testkit/properties';
import { BOX } from '../layout-diagram.ts';
import { edgePath, loopPath } from './edge-path.ts';
import { pointsOfPath } from './points-of-path.ts';

const node = (x: number, y: number) => ({ name: 'N', x, y });
const COORDINATE = fc.integer({ min: 0, max: 2_000 });

test('a line leaves the lower edge of the upper box and ends at the upper edge of the lower one', () => {
  const points = pointsOfPath(edgePath(node(0, 0), node(300, 200), { start: 90, end: 390 }));
  expect([points[0], points.at(-1)]).toEqual([
    { x: 90, y: BOX.height },
    { x: 390, y: 200 },
  ]);
});

test('the other way round it touches the same edges', () => {
  const points = pointsOfPath(edgePath(node(300, 200), node(0, 0), { start: 390, end: 90 }));
  expect([points[0], points.at(-1)]).toEqual([
    { x: 390, y: 200 },
    { x: 90, y: BOX.height },
  ]);
});

test('between boxes of one row it stays above them', () => {
  const points = pointsOfPath(edgePath(node(0, 100), node(500, 100), { start: 90, end: 590 }));
  expect(points.every(({ y }) => y <= 100)).toBe(true);
  expect(Math.min(...points.map(({ y }) => y))).toBeLessThan(90);
});

test('it passes each row between the boxes straight, at the passage', () => {
  const passages = [
    { x: 250, y: 200 },
    { x: 40, y: 330 },
  ];
  for (const [from, to, inOrder] of [
    [node(0, 0), node(600, 500), passages],
    [node(0, 500), node(600, 0), passages.toReversed()],
  ] as const) {
    const points = pointsOfPath(edgePath(from, to, { start: 90, end: 690 }, inOrder));
    for (const { x, y } of passages)
      expect(
        points
          .filter((point) => point.y >= y && point.y <= y + BOX.height)
          .every((point) => Math.abs(point.x - x) < 0.5),
      ).toBe(true);
  }
});

test('a line is never inside of its boxes', () => {
  fc.assert(
    fc.property(COORDINATE, COORDINATE, COORDINATE, fc.integer({ min: 100, max: 900 }), (x, y, otherX, distance) => {
      const [from, to] = [node(x, y), node(otherX, y + distance)];
      const points = pointsOfPath(edgePath(from, to, { start: x + 90, end: otherX + 90 }));
      const isInside = ({ x: left, y: top }: typeof from) =>
        points.some(
          (point) => point.y > top + 1 && point.y < top + BOX.height - 1 && Math.abs(point.x - left - 90) < 80,
        );
      expect([isInside(from), isInside(to)]).toEqual([false, false]);
    }),
    cases(100),
  );
});

test('relations of an entity to itself are at its four corners, one after the other', () => {
  const box = node(100, 100);
  const middle = { x: 100 + BOX.width / 2, y: 100 + BOX.height / 2 };
  const sides = [0, 1, 2, 3, 4].map((at) => {
    const points = pointsOfPath(loopPath(box, at));
    const far = points[Math.floor(points.length / 2)] ?? middle;
    return `${far.y < middle.y ? 'upper' : 'lower'} ${far.x < middle.x ? 'left' : 'right'}`;
  });
  expect(sides).toEqual(['upper right', 'upper left', 'lower right', 'lower left', 'upper right']);
});

test('a loop begins and ends at the edge of its box', () => {
  for (const at of [0, 1, 2, 3]) {
    const points = pointsOfPath(loopPath(node(0, 0), at));
    const [begin, end] = [points[0], points.at(-1)];
    expect([0, BOX.height]).toContain(begin?.y);
    expect([0, BOX.width]).toContain(end?.x);
  }
});
