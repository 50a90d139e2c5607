import { type Entity, entityOf, type Model, treeParentOf } from '@lintel/metadata';
import type { BoundPath, PathLeaf } from './bound-condition.ts';
import { resolvePath } from './resolve-path.ts';

/** The path from the instances of a tree to their parents; undefined if the entity is no tree. */
export function parentPathOf(model: Model, entity: Entity): BoundPath | undefined {
  const parent = treeParentOf(entity);
  if (parent === undefined) return undefined;
  const unknown = (path: string): Error => new Error(`${entity.name} has no parent ${path}`);
  return resolvePath(model, entityOf(model, parent.target), parent.name, { unknown, notStored: unknown });
}

/** The entity whose instances the last attribute of a path names: the target of a reference, or the owner of a key. */
export function namedEntityOf(leaf: PathLeaf): Entity | undefined {
  if (leaf.kind === 'reference') return leaf.target;
  return leaf.kind === 'value' && leaf.owner.key?.attribute === leaf.attribute.name ? leaf.owner : undefined;
}
