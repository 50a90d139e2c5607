import { entityOf, type Model, rootOf } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { isReference, type Key, keyText } from '../values/value.ts';

/**
 * Groups new instances so that each follows those it refers to. Instances of one entity share a statement if possible,
 * also if they refer to each other: the database checks their references at the end of the statement, so that they may
 * even form a cycle. A cycle through several entities has no such order: its members keep their order and the database
 * accepts or refuses them.
 */
export function insertOrder(model: Model, nodes: readonly InstanceNode[]): readonly (readonly InstanceNode[])[] {
  if (nodes.length <= 1) return nodes.length === 0 ? [] : [nodes];
  const ranks = ranksInOrder(nodes) ?? ranksOf(nodes, referencesAmong(model, nodes));
  const ranked = nodes
    .map((node) => ({ node, rank: ranks.get(node) ?? 0 }))
    .sort((left, right) => left.rank - right.rank);
  const groups = Map.groupBy(ranked, ({ node, rank }) => `${rank} ${node.entity.name}`);
  return [...groups.values()].map((group) => group.map(({ node }) => node));
}

const idOf = (rootName: string, key: Key): string => `${rootName} ${keyText(key)}`;

/** The ranks where each instance refers only to earlier ones, as in a new composition; undefined for other orders. */
function ranksInOrder(nodes: readonly InstanceNode[]): ReadonlyMap<InstanceNode, number> | undefined {
  const positions = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += 1) {
    const { layout, key } = nodes[at] as InstanceNode;
    positions.set(idOf(layout.rootName, key), at);
  }
  const ranks = new Map<InstanceNode, number>();
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as InstanceNode;
    let rank = 0;
    for (const { path, rootName } of node.layout.references) {
      const value = node.after.get(path);
      const position = isReference(value) ? positions.get(idOf(rootName, value.key)) : undefined;
      if (position === undefined || position === at) continue;
      if (position > at) return undefined;
      const target = nodes[position] as InstanceNode;
      rank = Math.max(rank, (ranks.get(target) ?? 0) + (target.entity === node.entity ? 0 : 1));
    }
    ranks.set(node, rank);
  }
  return ranks;
}

/** The new instances that each one refers to, itself excluded. */
export function referencesAmong(
  model: Model,
  nodes: readonly InstanceNode[],
): ReadonlyMap<InstanceNode, readonly InstanceNode[]> {
  const rootNameOf = (entity: string): string => rootOf(model, entityOf(model, entity)).name;
  const known = new Map(nodes.map((node) => [idOf(node.layout.rootName, node.key), node]));
  const targetsOf = (node: InstanceNode): readonly InstanceNode[] =>
    [...node.layout.slots.values()].flatMap(({ path, attribute }) => {
      const value = node.after.get(path);
      if (attribute.kind !== 'reference' || !isReference(value)) return [];
      const target = known.get(idOf(rootNameOf(attribute.target), value.key));
      return target === undefined || target === node ? [] : [target];
    });
  return new Map(nodes.map((node) => [node, targetsOf(node)]));
}

/** The state of an instance in Tarjan's algorithm. */
interface Visit {
  readonly node: InstanceNode;
  readonly index: number;
  /** The lowest index of the stack that is reached from the instance. */
  lowest: number;
  isOnStack: boolean;
  /** References that were followed. */
  followed: number;
}

/**
 * How many changes of entity there are at most on a way along the references of each instance. The instances of a ring
 * have the same rank (strongly connected components, Tarjan 1972). Without recursion: a client may send a chain of any
 * length.
 */
function ranksOf(
  nodes: readonly InstanceNode[],
  references: ReadonlyMap<InstanceNode, readonly InstanceNode[]>,
): ReadonlyMap<InstanceNode, number> {
  const ranks = new Map<InstanceNode, number>();
  const visits = new Map<InstanceNode, Visit>();
  const stack: Visit[] = [];
  const enter = (node: InstanceNode): Visit => {
    const visit: Visit = { node, index: visits.size, lowest: visits.size, isOnStack: true, followed: 0 };
    visits.set(node, visit);
    stack.push(visit);
    return visit;
  };
  /** All that the ring of the instance refers to has a rank by now. */
  const leaveRing = (root: Visit): void => {
    const ring = stack.splice(stack.lastIndexOf(root));
    const members = new Set(ring.map(({ node }) => node));
    let rank = 0;
    for (const node of members)
      for (const target of references.get(node) ?? [])
        if (!members.has(target))
          rank = Math.max(rank, (ranks.get(target) ?? 0) + (target.entity === node.entity ? 0 : 1));
    for (const visit of ring) {
      visit.isOnStack = false;
      ranks.set(visit.node, rank);
    }
  };
  for (const start of nodes) {
    if (visits.has(start)) continue;
    const path = [enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = references.get(visit.node)?.[visit.followed];
      visit.followed += 1;
      const known = target && visits.get(target);
      if (target !== undefined && known === undefined) path.push(enter(target));
      else if (known?.isOnStack) visit.lowest = Math.min(visit.lowest, known.index);
      else if (target === undefined) {
        path.pop();
        const from = path.at(-1);
        if (from !== undefined) from.lowest = Math.min(from.lowest, visit.lowest);
        if (visit.lowest === visit.index) leaveRing(visit);
      }
    }
  }
  return ranks;
}
