import { BOX, type PlacedNode } from '../layout-diagram.ts';
import { type Point, pointsOfPath } from './points-of-path.ts';

/** Where a line has the cardinalities of its ends: the middle of the base line of each. */
export interface Labels {
  readonly start: Point;
  readonly end: Point;
}

/** A cardinality, with some room around it. */
export const LABEL = { width: 10, height: 12 } as const;
/** Of the base line below the middle of a label. */
const BASE = 4;
/** Between the middle of a label and its line. */
const ASIDE = 8;
/** From the box to the middle of the label, along the line: the nearest free one is taken. */
const ALONG = [9, 13, 18, 24, 30, 37, 44, 52, 60] as const;
const CELL = 16;
/** What a label covers, from what is worst. */
const COST = { box: 10_000, label: 100, line: 1 } as const;

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Positions the cardinalities of lines near their ends, where they cover no box, no other cardinality and no line. Where
 * there is no such point, the one is taken that covers the fewest lines.
 */
export function positionLabels(paths: readonly string[], boxes: readonly PlacedNode[]): readonly Labels[] {
  const points = paths.map(pointsOfPath);
  const lines = new Cells<Point>();
  for (const point of points.flat()) lines.add({ left: point.x, right: point.x, top: point.y, bottom: point.y }, point);
  const areas = new Cells<{ readonly area: Area; readonly cost: number }>();
  const occupy = (area: Area, cost: number): void => areas.add(area, { area, cost });
  for (const { x, y } of boxes) occupy({ left: x, top: y, right: x + BOX.width, bottom: y + BOX.height }, COST.box);

  const costOf = (area: Area): number => {
    const covered = areas.in(area).filter((other) => overlap(area, other.area));
    const crossed = lines.in(area).filter(({ x, y }) => contains(area, x, y));
    return covered.reduce((sum, { cost }) => sum + cost, 0) + crossed.length * COST.line;
  };
  const positionOf = (line: readonly Point[]): Point => {
    let [best, lowest] = [line[0] ?? { x: 0, y: 0 }, Number.POSITIVE_INFINITY];
    for (const middle of candidatesOf(line)) {
      const cost = costOf(around(middle));
      if (cost < lowest) [best, lowest] = [middle, cost];
      if (cost === 0) break;
    }
    occupy(around(best), COST.label);
    return { x: best.x, y: best.y + BASE };
  };
  return points.map((line) => ({ start: positionOf(line), end: positionOf(line.toReversed()) }));
}

/** Points on both sides of a line, the nearest to its begin first. */
function candidatesOf(line: readonly Point[]): readonly Point[] {
  const candidates: Point[] = [];
  let walked = 0;
  let next = 0;
  for (const [at, point] of line.entries()) {
    const before = line[at - 1] ?? point;
    const [x, y] = [point.x - before.x, point.y - before.y];
    const length = Math.hypot(x, y);
    walked += length;
    if (walked < (ALONG[next] ?? Number.POSITIVE_INFINITY)) continue;
    next += 1;
    // At a right angle to the line: on the right first.
    const [acrossX, acrossY] = [(ASIDE * Math.abs(y)) / length, (ASIDE * x * (y < 0 ? 1 : -1)) / length];
    for (const side of [1, -1]) candidates.push({ x: point.x + side * acrossX, y: point.y + side * acrossY });
    if (next === ALONG.length) break;
  }
  return candidates;
}

const around = ({ x, y }: Point): Area => ({
  left: x - LABEL.width / 2,
  right: x + LABEL.width / 2,
  top: y - LABEL.height / 2,
  bottom: y + LABEL.height / 2,
});

const overlap = (one: Area, other: Area): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const contains = ({ left, right, top, bottom }: Area, x: number, y: number): boolean =>
  x > left && x < right && y > top && y < bottom;

/** Things by the squares of the drawing that they touch, so that each label looks at those near it alone. */
class Cells<T> {
  private readonly cells = new Map<string, T[]>();

  add(area: Area, thing: T): void {
    for (const key of keysOf(area)) {
      const things = this.cells.get(key);
      if (things === undefined) this.cells.set(key, [thing]);
      else things.push(thing);
    }
  }

  /** Those that may touch an area; one that touches several squares is there once. */
  in(area: Area): readonly T[] {
    return [...new Set(keysOf(area).flatMap((key) => this.cells.get(key) ?? []))];
  }
}

function keysOf({ left, top, right, bottom }: Area): readonly string[] {
  const keys: string[] = [];
  for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column += 1)
    for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row += 1) keys.push(`${column} ${row}`);
  return keys;
}
