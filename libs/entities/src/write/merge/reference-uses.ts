import { type Entity, entityOf, lineageOf, type Model } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import { isReference, type Key, keyText, type Reference, type Value } from '../values/value.ts';

/** A reference that a save sets. */
export interface ReferenceUse {
  readonly target: Entity;
  readonly key: Key;
  /** Path from the sent root. */
  readonly path: string;
}

/** The references that a save sets to instances that it does not write itself. */
export const referenceUsesOf = (model: Model, nodes: readonly InstanceNode[]): readonly ReferenceUse[] =>
  withoutOwn(
    model,
    nodes,
    nodes.flatMap((node) => [...storedUsesOf(model, node), ...dynamicUsesOf(model, node)]),
  );

/** Those that no foreign key checks: of dynamic attributes, and to tables with rows of several entities. */
export const uncheckedReferenceUsesOf = (model: Model, nodes: readonly InstanceNode[]): readonly ReferenceUse[] =>
  withoutOwn(
    model,
    nodes,
    nodes.flatMap((node) => [...storedUsesOf(model, node, node.layout.toSharedTables), ...dynamicUsesOf(model, node)]),
  );

function withoutOwn(
  model: Model,
  nodes: readonly InstanceNode[],
  uses: readonly ReferenceUse[],
): readonly ReferenceUse[] {
  if (uses.length === 0) return uses;
  const rootName = (entity: Entity): string => lineageOf(model, entity).at(-1)?.name ?? entity.name;
  const own = new Set(nodes.map((node) => `${rootName(node.entity)} ${keyText(node.key)}`));
  return uses.filter(({ target, key }) => !own.has(`${rootName(target)} ${keyText(key)}`));
}

const dynamicUsesOf = (model: Model, node: InstanceNode): readonly ReferenceUse[] =>
  (node.dynamic ?? []).flatMap(({ attribute, path, items }) =>
    items.flatMap((item) =>
      isReference(item) ? [{ target: entityOf(model, attribute.target ?? ''), key: item.key, path }] : [],
    ),
  );

/** @param names the attributes that count; all by default */
function storedUsesOf(model: Model, node: InstanceNode, names?: ReadonlySet<string>): readonly ReferenceUse[] {
  if (names?.size === 0) return [];
  return changedPaths(node.layout, node.before, node.after).flatMap((path) => {
    if (names?.has(path) === false) return [];
    const attribute = node.layout.slots.get(path)?.attribute ?? node.layout.links.find((link) => link.name === path);
    if (attribute?.kind !== 'reference') return [];
    const target = entityOf(model, attribute.target);
    const before = new Set(referencesOf(node.before?.get(path)).map(({ key }) => keyText(key)));
    return referencesOf(node.after.get(path))
      .filter(({ key }) => !before.has(keyText(key)))
      .map(({ key }) => ({ target, key, path: node.path === '' ? path : `${node.path}.${path}` }));
  });
}

function referencesOf(value: Value | undefined): readonly Reference[] {
  if (isReference(value)) return [value];
  return Array.isArray(value) ? (value as readonly Reference[]) : [];
}
