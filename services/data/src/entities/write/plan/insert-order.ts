import { entityOf, lineageOf, type Model } from '@lintel/metadata';
import type { InstanceNode } from '../merge/instance-node.ts';
import { isReference, type Key, keyText } from '../values/value.ts';

/**
 * Groups new instances so that each comes after those it refers to, and those of one entity go into one
 * statement. Instances of one entity that refer to each other go together: the database looks at their
 * references when the whole statement is done, so that they may even form a ring. A ring through several
 * entities has no such order: its members stay as they came and the database decides.
 */
export function insertOrder(model: Model, nodes: readonly InstanceNode[]): readonly (readonly InstanceNode[])[] {
  if (nodes.length <= 1) return nodes.length === 0 ? [] : [nodes];
  const units = unitsOf(model, nodes);
  const ranks = new Map<Unit, number>();
  const rankOf = (unit: Unit, path: ReadonlySet<Unit>): number => {
    const done = ranks.get(unit);
    if (done !== undefined) return done;
    if (path.has(unit)) return 0;
    const below = new Set([...path, unit]);
    let rank = 0;
    for (const target of unit.targets()) rank = Math.max(rank, rankOf(target, below) + 1);
    ranks.set(unit, rank);
    return rank;
  };

  const groups = new Map<string, InstanceNode[]>();
  const ranked = [...units.entries()]
    .map(([node, unit]) => ({ node, rank: rankOf(unit, new Set()) }))
    .sort((left, right) => left.rank - right.rank);
  for (const { node, rank } of ranked) {
    const name = `${rank} ${node.entity.name}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [node]);
    else group.push(node);
  }
  return [...groups.values()];
}

/** New instances of one entity that refer to each other, directly or through others of theirs. */
interface Unit {
  /** The units that its members refer to. */
  targets(): ReadonlySet<Unit>;
}

function unitsOf(model: Model, nodes: readonly InstanceNode[]): ReadonlyMap<InstanceNode, Unit> {
  const rootName = (entity: string): string => lineageOf(model, entityOf(model, entity)).at(-1)?.name ?? entity;
  const idOf = (entity: string, key: Key): string => `${rootName(entity)} ${keyText(key)}`;
  const known = new Map(nodes.map((node) => [idOf(node.entity.name, node.key), node]));
  const targetsOf = (node: InstanceNode): readonly InstanceNode[] =>
    [...node.layout.slots.values()].flatMap(({ path, attribute }) => {
      const value = node.after.get(path);
      if (attribute.kind !== 'reference' || !isReference(value)) return [];
      const target = known.get(idOf(attribute.target, value.key));
      return target === undefined || target === node ? [] : [target];
    });

  const references = new Map(nodes.map((node) => [node, targetsOf(node)]));
  const firsts = new Map(nodes.map((node) => [node, node]));
  const firstOf = (node: InstanceNode): InstanceNode => {
    let first = node;
    for (let next = firsts.get(first); next !== undefined && next !== first; next = firsts.get(first)) first = next;
    return first;
  };
  for (const [node, targets] of references) {
    for (const target of targets) if (target.entity === node.entity) firsts.set(firstOf(target), firstOf(node));
  }
  const members = Map.groupBy(nodes, firstOf);
  const units = new Map<InstanceNode, Unit>();
  for (const group of members.values()) {
    const unit: Unit = {
      targets: () => {
        const found = group.flatMap((node) => references.get(node) ?? []).flatMap((target) => units.get(target) ?? []);
        return new Set(found.filter((target) => target !== unit));
      },
    };
    for (const node of group) units.set(node, unit);
  }
  return new Map(nodes.flatMap((node) => (units.has(node) ? [[node, units.get(node) as Unit] as const] : [])));
}
