import type { DiagramGraph } from './diagram-graph.ts';

/** A box of the diagram; `x` and `y` are its upper left corner. */
export interface PlacedNode {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Boxes in rows. */
export interface DiagramLayout {
  readonly nodes: ReadonlyMap<string, PlacedNode>;
  readonly width: number;
  readonly height: number;
}

export const BOX = { width: 180, height: 46 } as const;
const GAP = { x: 44, y: 84 } as const;
const MARGIN = 36;
const MAX_IN_ROW = 5;
const SWEEPS = 6;

/** Puts entities that others refer to above these, and those that are related below each other. */
export function layoutDiagram({ nodes, edges }: DiagramGraph): DiagramLayout {
  const targets = new Map(nodes.map((name) => [name, new Set<string>()]));
  const neighbours = new Map(nodes.map((name) => [name, new Set<string>()]));
  for (const { from, to, cardinality } of edges) {
    if (from === to) continue;
    // The one side is above the many side.
    const [lower, upper] = cardinality === '1:n' ? [to, from] : [from, to];
    targets.get(lower)?.add(upper);
    neighbours.get(from)?.add(to);
    neighbours.get(to)?.add(from);
  }
  const ranks = ranksOf(nodes, targets);
  const levels = [...Map.groupBy(nodes, (name) => ranks.get(name) ?? 0)]
    .sort(([one], [other]) => one - other)
    .map(([, names]) => names);
  const rows = ordered(levels, neighbours).flatMap((level) => chunksOf(level, MAX_IN_ROW));
  const widest = Math.max(0, ...rows.map(({ length }) => length));
  const width = 2 * MARGIN + widest * BOX.width + Math.max(0, widest - 1) * GAP.x;
  const placed = rows.flatMap((row, at) => {
    const length = row.length * BOX.width + (row.length - 1) * GAP.x;
    return row.map(
      (name, column): PlacedNode => ({
        name,
        x: (width - length) / 2 + column * (BOX.width + GAP.x),
        y: MARGIN + at * (BOX.height + GAP.y),
      }),
    );
  });
  const height = 2 * MARGIN + rows.length * BOX.height + Math.max(0, rows.length - 1) * GAP.y;
  return { nodes: new Map(placed.map((node) => [node.name, node])), width, height };
}

/** The length of the longest path of references from each entity; a cycle is followed once. */
function ranksOf(
  nodes: readonly string[],
  targets: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  const visit = (name: string, above: ReadonlySet<string>): number => {
    const known = ranks.get(name);
    if (known !== undefined) return known;
    const path = new Set([...above, name]);
    const below = [...(targets.get(name) ?? [])].filter((target) => !path.has(target));
    const rank = below.length === 0 ? 0 : 1 + Math.max(...below.map((target) => visit(target, path)));
    ranks.set(name, rank);
    return rank;
  };
  for (const name of nodes) visit(name, new Set());
  return ranks;
}

/** The levels, each ordered by the mean position of the neighbours in the others, so that fewer lines cross. */
function ordered(
  levels: readonly (readonly string[])[],
  neighbours: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[] {
  let current = levels;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const positions = new Map(
      current.flatMap((level) => level.map((name, at): [string, number] => [name, (at + 0.5) / level.length])),
    );
    const meanOf = (name: string): number => {
      const around = [...(neighbours.get(name) ?? [])].map((each) => positions.get(each) ?? 0);
      return around.length === 0
        ? (positions.get(name) ?? 0)
        : around.reduce((sum, each) => sum + each, 0) / around.length;
    };
    current = current.map((level) => level.toSorted((one, other) => meanOf(one) - meanOf(other)));
  }
  return current;
}

const chunksOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
