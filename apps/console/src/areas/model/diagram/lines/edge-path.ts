import { BOX, type PlacedNode } from '../layout-diagram.ts';
import type { Passages } from './passages-of.ts';
import type { Ports } from './ports-of.ts';

const BEND = 42;
/** Beyond the boxes of a row that a line passes. */
const MARGIN = 6;

/**
 * A line that leaves a box where it faces the other one. It bends between the rows alone, where no box is.
 *
 * @param ports where it touches the two boxes
 * @param passages where it passes the rows between the boxes
 */
export function edgePath(from: PlacedNode, to: PlacedNode, ports: Ports, passages: Passages = []): string {
  const { start, end } = ports;
  // Over the boxes between them.
  if (from.y === to.y) return `M ${start} ${from.y} C ${start} ${from.y - BEND} ${end} ${to.y - BEND} ${end} ${to.y}`;
  const isDown = to.y > from.y;
  const startY = isDown ? from.y + BOX.height : from.y;
  const endY = isDown ? to.y : to.y + BOX.height;
  const bend = isDown ? BEND : -BEND;
  const curve = (fromX: number, fromY: number, toX: number, toY: number): string =>
    `C ${fromX} ${fromY + bend} ${toX} ${toY - bend} ${toX} ${toY}`;
  let [x, y] = [start, startY];
  const parts = passages.map((passage) => {
    const [upper, lower] = [passage.y - MARGIN, passage.y + BOX.height + MARGIN];
    const [entry, exit] = isDown ? [upper, lower] : [lower, upper];
    const part = `${curve(x, y, passage.x, entry)} L ${passage.x} ${exit}`;
    [x, y] = [passage.x, exit];
    return part;
  });
  return [`M ${start} ${startY}`, ...parts, curve(x, y, end, endY)].join(' ');
}

/** How far a relation of an entity to itself is outside its box, and its ends from the corner. */
const LOOP = { reach: 24, inset: 12 } as const;

/**
 * A relation of an entity to itself, around a corner of its box.
 *
 * @param at its number among those of the box: each has a corner of its own, as far as there are corners
 */
export function loopPath({ x, y }: PlacedNode, at: number): string {
  const [isLeft, isBelow] = [at % 2 === 1, at % 4 >= 2];
  const [outX, outY] = [isLeft ? -1 : 1, isBelow ? 1 : -1];
  const [cornerX, cornerY] = [isLeft ? x : x + BOX.width, isBelow ? y + BOX.height : y];
  const begin = { x: cornerX - outX * LOOP.inset, y: cornerY };
  const end = { x: cornerX, y: cornerY - outY * LOOP.inset };
  const [farX, farY] = [cornerX + outX * LOOP.reach, cornerY + outY * LOOP.reach];
  return `M ${begin.x} ${begin.y} C ${begin.x} ${farY} ${farX} ${end.y} ${end.x} ${end.y}`;
}
