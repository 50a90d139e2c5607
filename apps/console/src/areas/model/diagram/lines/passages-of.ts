import type { DiagramEdge } from '../diagram-graph.ts';
import { BOX, type DiagramLayout, type PlacedNode } from '../layout-diagram.ts';

/** For each row between the boxes of an edge, from `from` to `to`: where the line passes it. */
export type Passages = readonly { readonly x: number; readonly y: number }[];

/** Lines in the same gap are so far apart, if there is room. */
const SPREAD = 7;
/** Room between a line and a box. */
const DISTANCE = 5;
/** Outside the first and the last box of a row. */
const OUTSIDE = 22;

interface Gap {
  readonly middle: number;
  readonly width: number;
}

/** A line that passes a gap. */
interface Passing {
  readonly edge: number;
  readonly row: number;
  /** Where the straight line would be. */
  readonly wanted: number;
}

/** Where lines pass the rows between their ends: through the gaps between boxes, each at a distance to the others. */
export function passagesOf(edges: readonly DiagramEdge[], { nodes }: DiagramLayout): readonly Passages[] {
  const rows = [...Map.groupBy(nodes.values(), ({ y }) => y)].sort(([one], [other]) => one - other);
  const gaps = rows.map(([, boxes]) => gapsOf(boxes.toSorted((one, other) => one.x - other.x)));
  const rowOf = new Map(rows.map(([y], at) => [y, at]));
  const passings = edges.flatMap(({ from, to }, edge): readonly Passing[] => {
    const [one, other] = [nodes.get(from), nodes.get(to)];
    if (one === undefined || other === undefined) return [];
    const [first = 0, last = 0] = [rowOf.get(one.y), rowOf.get(other.y)];
    return rowsBetween(first, last).map((row) => {
      const part = (row - first) / (last - first);
      return { edge, row, wanted: middleOf(one) + part * (middleOf(other) - middleOf(one)) };
    });
  });
  const found = edges.map((): { x: number; y: number }[] => []);
  const byGap = Map.groupBy(passings, ({ row, wanted }) => nearest(gaps[row] ?? [], wanted));
  const xOf = new Map<Passing, number>();
  for (const [gap, all] of byGap) {
    const step = Math.min(SPREAD, (gap.width - 2 * DISTANCE) / Math.max(1, all.length - 1));
    for (const [at, passing] of all.toSorted((one, other) => one.wanted - other.wanted).entries())
      xOf.set(passing, gap.middle + (at - (all.length - 1) / 2) * step);
  }
  // In the order of the rows from one end to the other.
  for (const passing of passings)
    found[passing.edge]?.push({ x: xOf.get(passing) ?? passing.wanted, y: rows[passing.row]?.[0] ?? 0 });
  return found;
}

const middleOf = ({ x }: PlacedNode): number => x + BOX.width / 2;

/** Between the boxes of a row, and at both ends of it. */
function gapsOf(boxes: readonly PlacedNode[]): readonly Gap[] {
  const [first, last] = [boxes[0]?.x ?? 0, (boxes.at(-1)?.x ?? 0) + BOX.width];
  const inner = boxes.slice(1).map((box, at): Gap => {
    const left = (boxes[at]?.x ?? 0) + BOX.width;
    return { middle: (left + box.x) / 2, width: box.x - left };
  });
  const outside = { width: 2 * OUTSIDE };
  return [{ middle: first - OUTSIDE, ...outside }, ...inner, { middle: last + OUTSIDE, ...outside }];
}

const nearest = (gaps: readonly Gap[], x: number): Gap =>
  gaps.reduce((best, gap) => (Math.abs(gap.middle - x) < Math.abs(best.middle - x) ? gap : best));

const rowsBetween = (first: number, last: number): readonly number[] =>
  first < last
    ? Array.from({ length: last - first - 1 }, (_, at) => first + 1 + at)
    : Array.from({ length: Math.max(0, first - last - 1) }, (_, at) => first - 1 - at);
