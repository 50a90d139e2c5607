import { BOX, type PlacedNode } from './layout-diagram.ts';

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

/** A curve that leaves a box where it faces the other one. */
export function edgePath(from: PlacedNode, to: PlacedNode): EdgePath {
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
  const lean = Math.max(-1, Math.min(1, (middle(to) - middle(from)) / (4 * BOX.width)));
  const startX = middle(from) + lean * BOX.width * 0.35;
  const endX = middle(to) - lean * BOX.width * 0.35;
  return {
    path: `M ${startX} ${startY} C ${startX} ${startY + bend} ${endX} ${endY - bend} ${endX} ${endY}`,
    start: { x: startX + LABEL, y: startY + (isDown ? LABEL + 2 : -LABEL / 2) },
    end: { x: endX + LABEL, y: endY + (isDown ? -LABEL / 2 : LABEL + 2) },
  };
}

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
