import { cases, fc } from '@lintel/testkit/properties';
import { pointsOfPath } from './points-of-path.ts';

const NUMBER = fc.integer({ min: -1_000, max: 1_000 });

test('a straight line has points on it, from its begin to its end', () => {
  const points = pointsOfPath('M 0 0 L 30 40');
  expect([points[0], points.at(-1)]).toEqual([
    { x: 0, y: 0 },
    { x: 30, y: 40 },
  ]);
  for (const { x, y } of points) expect(y * 30 - x * 40).toBeCloseTo(0, 6);
});

test('a symmetric curve has its highest point in the middle', () => {
  const points = pointsOfPath('M 0 0 C 0 -40 100 -40 100 0');
  const top = points.reduce((best, point) => (point.y < best.y ? point : best));
  expect(Math.abs(top.x - 50)).toBeLessThan(4);
  expect(Math.abs(top.y + 30)).toBeLessThan(1);
});

test('a move alone is one point, and an empty path has no points', () => {
  expect(pointsOfPath('M 5 -7.5')).toEqual([{ x: 5, y: -7.5 }]);
  expect(pointsOfPath('')).toEqual([]);
});

test('points are at most four apart, in one direction of the path, and end where it ends', () => {
  fc.assert(
    fc.property(fc.array(NUMBER, { minLength: 10, maxLength: 10 }), (n) => {
      const points = pointsOfPath(`M ${n[0]} ${n[1]} C ${n.slice(2, 8).join(' ')} L ${n[8]} ${n[9]}`);
      const steps = points.slice(1).map(({ x, y }, at) => {
        const { x: beforeX = 0, y: beforeY = 0 } = points[at] ?? {};
        return Math.hypot(x - beforeX, y - beforeY);
      });
      expect(steps.filter((step) => step > 4)).toEqual([]);
      expect([points[0], points.at(-1)]).toEqual([
        { x: n[0], y: n[1] },
        { x: n[8], y: n[9] },
      ]);
    }),
    { ...cases(20) },
  );
});
