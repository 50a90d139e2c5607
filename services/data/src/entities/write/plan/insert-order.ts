import { entityOf, lineageOf, type Model } from '@lintel/metadata';
import type { InstanceNode } from '../merge/instance-node.ts';
import { isReference, type Key, keyText } from '../values/value.ts';

/**
 * Groups new instances so that each comes after those it refers to, and those of one entity go into one
 * statement. A ring of references has no such order: its members stay as they came and the database
 * decides.
 */
export function insertOrder(model: Model, nodes: readonly InstanceNode[]): readonly (readonly InstanceNode[])[] {
  const rootName = (entity: string): string => lineageOf(model, entityOf(model, entity)).at(-1)?.name ?? entity;
  const idOf = (entity: string, key: Key): string => `${rootName(entity)} ${keyText(key)}`;
  const known = new Map(nodes.map((node) => [idOf(node.entity.name, node.key), node]));
  const ranks = new Map<InstanceNode, number>();

  const rankOf = (node: InstanceNode, path: ReadonlySet<InstanceNode>): number => {
    const done = ranks.get(node);
    if (done !== undefined) return done;
    if (path.has(node)) return 0;
    const below = new Set([...path, node]);
    let rank = 0;
    for (const slot of node.layout.slots.values()) {
      const value = node.after.get(slot.path);
      if (slot.attribute.kind !== 'reference' || !isReference(value)) continue;
      const target = known.get(idOf(slot.attribute.target, value.key));
      if (target !== undefined && target !== node) rank = Math.max(rank, rankOf(target, below) + 1);
    }
    ranks.set(node, rank);
    return rank;
  };

  const groups = new Map<string, InstanceNode[]>();
  const ranked = nodes
    .map((node) => ({ node, rank: rankOf(node, new Set()) }))
    .sort((left, right) => left.rank - right.rank);
  for (const { node, rank } of ranked) {
    const name = `${rank} ${node.entity.name}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [node]);
    else group.push(node);
  }
  return [...groups.values()];
}
