/** A point of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** At most so far apart. */
const STEP = 4;

/** Points along a path of absolute moves, lines and cubic curves (`M`, `L`, `C`), from its begin to its end. */
export function pointsOfPath(path: string): readonly Point[] {
  const points: Point[] = [];
  let at: Point = { x: 0, y: 0 };
  for (const [, command, text = ''] of path.matchAll(/([MLC])([^MLC]*)/g)) {
    const numbers = text.trim().split(/\s+/).map(Number);
    const given = Array.from({ length: numbers.length / 2 }, (_, index): Point => {
      const [x = 0, y = 0] = numbers.slice(2 * index);
      return { x, y };
    });
    const end = given.at(-1) ?? at;
    if (command === 'M') points.push(end);
    else points.push(...pointsOfCurve(at, command === 'C' ? (given[0] ?? at) : at, given.at(-2) ?? end, end));
    at = end;
  }
  return points;
}

/** Points of a cubic curve after its begin. */
function pointsOfCurve(begin: Point, one: Point, other: Point, end: Point): readonly Point[] {
  const corners = [begin, one, other, end];
  // No curve is longer than the line through its corners.
  const length = corners.slice(1).reduce((sum, { x, y }, at) => {
    const { x: beforeX, y: beforeY } = corners[at] ?? begin;
    return sum + Math.hypot(x - beforeX, y - beforeY);
  }, 0);
  const steps = Math.max(1, Math.ceil((3 * length) / STEP));
  return Array.from({ length: steps }, (_, at) => {
    const t = (at + 1) / steps;
    const value = (axis: 'x' | 'y'): number =>
      (1 - t) ** 3 * begin[axis] +
      3 * (1 - t) ** 2 * t * one[axis] +
      3 * (1 - t) * t ** 2 * other[axis] +
      t ** 3 * end[axis];
    return { x: value('x'), y: value('y') };
  });
}
