import type { DiagramEdge } from '../diagram-graph.ts';
import type { DiagramLayout } from '../layout-diagram.ts';
import { edgePath, loopPath } from './edge-path.ts';
import { passagesOf } from './passages-of.ts';
import { portsOf } from './ports-of.ts';
import { type Labels, positionLabels } from './position-labels.ts';

/** A relation as it is drawn. */
export interface DiagramLine extends Labels {
  readonly edge: DiagramEdge;
  readonly path: string;
}

/** The relations between the boxes of a layout, with their cardinalities. */
export function diagramLines(edges: readonly DiagramEdge[], layout: DiagramLayout): readonly DiagramLine[] {
  const passages = passagesOf(edges, layout);
  const ports = portsOf(edges, layout, passages);
  const loops = new Map<string, number>();
  const drawn = edges.flatMap((edge, at): readonly { readonly edge: DiagramEdge; readonly path: string }[] => {
    const [from, to, port] = [layout.nodes.get(edge.from), layout.nodes.get(edge.to), ports[at]];
    if (from === undefined || to === undefined) return [];
    if (port !== undefined) return [{ edge, path: edgePath(from, to, port, passages[at]) }];
    const loop = loops.get(edge.from) ?? 0;
    loops.set(edge.from, loop + 1);
    return [{ edge, path: loopPath(from, loop) }];
  });
  const labels = positionLabels(
    drawn.map(({ path }) => path),
    [...layout.nodes.values()],
  );
  const origin = { x: 0, y: 0 };
  return drawn.map((line, at) => ({ ...line, ...(labels[at] ?? { start: origin, end: origin }) }));
}
