import { BOX, type PlacedNode } from './layout-diagram.ts';
import type { Passages } from './passages-of.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line between two boxes, and where its ends have their cardinalities. */
export interface EdgePath {
  readonly path: string;
  readonly start: Point;
  readonly end: Point;
}

const LABEL = 12;
const BEND = 42;

/** Beyond the boxes of a row that a line passes. */
const MARGIN = 6;

/**
 * A line that leaves a box where it faces the other one. It bends between the rows alone, where no box is.
 *
 * @param passages where it passes the rows between the boxes
 */
export function edgePath(from: PlacedNode, to: PlacedNode, passages: Passages = []): EdgePath {
  const middle = ({ x }: PlacedNode): number => x + BOX.width / 2;
  if (from === to) return loop(from);
  if (from.y === to.y) {
    // Over the boxes between them.
    const [one, other] = [middle(from), middle(to)];
    return {
      path: `M ${one} ${from.y} C ${one} ${from.y - BEND} ${other} ${to.y - BEND} ${other} ${to.y}`,
      start: { x: one + LABEL, y: from.y - LABEL / 2 },
      end: { x: other + LABEL, y: to.y - LABEL / 2 },
    };
  }
  const isDown = to.y > from.y;
  const startY = isDown ? from.y + BOX.height : from.y;
  const endY = isDown ? to.y : to.y + BOX.height;
  const bend = isDown ? BEND : -BEND;
  // Lines of different relations do not begin at the same point.
  const startX = leaning(middle(from), passages[0]?.x ?? middle(to));
  const endX = leaning(middle(to), passages.at(-1)?.x ?? middle(from));
  const curve = (fromX: number, fromY: number, toX: number, toY: number): string =>
    `C ${fromX} ${fromY + bend} ${toX} ${toY - bend} ${toX} ${toY}`;
  let [x, y] = [startX, startY];
  const parts = passages.map((passage) => {
    const [upper, lower] = [passage.y - MARGIN, passage.y + BOX.height + MARGIN];
    const [entry, exit] = isDown ? [upper, lower] : [lower, upper];
    const part = `${curve(x, y, passage.x, entry)} L ${passage.x} ${exit}`;
    [x, y] = [passage.x, exit];
    return part;
  });
  return {
    path: [`M ${startX} ${startY}`, ...parts, curve(x, y, endX, endY)].join(' '),
    start: { x: startX + LABEL, y: startY + (isDown ? LABEL + 2 : -LABEL / 2) },
    end: { x: endX + LABEL, y: endY + (isDown ? -LABEL / 2 : LABEL + 2) },
  };
}

/** Where a line leaves a box: moved from its middle to where the line goes. */
const leaning = (middle: number, towards: number): number =>
  middle + Math.max(-1, Math.min(1, (towards - middle) / (4 * BOX.width))) * BOX.width * 0.35;

/** A relation of an entity to itself. */
function loop({ x, y }: PlacedNode): EdgePath {
  const right = x + BOX.width;
  const [upper, lower] = [y + 10, y + BOX.height - 10];
  return {
    path: `M ${right} ${upper} C ${right + 34} ${upper - 8} ${right + 34} ${lower + 8} ${right} ${lower}`,
    start: { x: right + LABEL / 2, y: lower + 14 },
    end: { x: right + LABEL / 2, y: upper - 6 },
  };
}
