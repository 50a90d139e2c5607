import type { DiagramEdge } from '../diagram-graph.ts';
import { BOX, type DiagramLayout, type PlacedNode } from '../layout-diagram.ts';
import type { Passages } from './passages-of.ts';

/** Where a line touches its boxes: on the x axis. */
export interface Ports {
  readonly start: number;
  readonly end: number;
}

/** Between two lines of one side, if there is room: a cardinality is between them. */
const DISTANCE = 26;
/** At the corners of a box, where no line begins. */
const CORNER = 20;

interface Port {
  readonly edge: number;
  readonly end: keyof Ports;
  readonly node: PlacedNode;
  readonly side: 'top' | 'bottom';
  /** Where the line goes. */
  readonly towards: number;
}

/** Spreads the lines of a side of a box over it, in the order of where they go. Relations of a box to itself have none. */
export function portsOf(
  edges: readonly DiagramEdge[],
  { nodes }: DiagramLayout,
  passages: readonly Passages[],
): readonly (Ports | undefined)[] {
  const ports = edges.flatMap(({ from, to }, edge): readonly Port[] => {
    const [one, other] = [nodes.get(from), nodes.get(to)];
    if (one === undefined || other === undefined || one === other) return [];
    const passed = passages[edge] ?? [];
    return [
      {
        edge,
        end: 'start',
        node: one,
        side: other.y > one.y ? 'bottom' : 'top',
        towards: passed[0]?.x ?? middleOf(other),
      },
      {
        edge,
        end: 'end',
        node: other,
        side: one.y > other.y ? 'bottom' : 'top',
        towards: passed.at(-1)?.x ?? middleOf(one),
      },
    ];
  });
  const found = edges.map((): { start?: number; end?: number } => ({}));
  for (const side of Map.groupBy(ports, ({ node, side: name }) => `${name} ${node.name}`).values()) {
    const distance = Math.min(DISTANCE, (BOX.width - 2 * CORNER) / Math.max(1, side.length - 1));
    for (const [at, { edge, end, node }] of side.toSorted((one, other) => one.towards - other.towards).entries()) {
      const port = found[edge];
      if (port !== undefined) port[end] = middleOf(node) + (at - (side.length - 1) / 2) * distance;
    }
  }
  return found.map(({ start, end }) => (start === undefined || end === undefined ? undefined : { start, end }));
}

const middleOf = ({ x }: PlacedNode): number => x + BOX.width / 2;
