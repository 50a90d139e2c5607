import { type Entity, entityOf, type ReferenceAttribute } from '@lintel/metadata';
import { visibilityOf } from '@lintel/query';
import { mapInSlices } from '../../slices/map-in-slices.ts';
import type { WriteModel } from '../model/write-model.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { isReference, keyText } from '../values/value.ts';
import type { InstanceNode } from './instance-node.ts';
import { changedPaths } from './merge-values.ts';

const nameOf = ({ declaredBy, name }: ReferenceAttribute): string => `${declaredBy}.${name}`;

/** Associations that the request names at the end that has no column, 1:N or 1:1. */
const namedBy = ({ kind, layout, sent }: InstanceNode): readonly ReferenceAttribute[] =>
  kind === 'create' ? [] : layout.inverses.filter(({ composition, name }) => !composition && sent.has(name));

/**
 * A request that replaces an association through its inverse end changes only the members. The instances of the request
 * that gain or lose members count as changed: otherwise their version would not reflect the changed collection, and the
 * second of two concurrent requests would replace what the first one wrote (contract/writing.md#update).
 */
export async function flagReplaced(
  writeModel: WriteModel,
  nodes: readonly InstanceNode[],
): Promise<readonly InstanceNode[]> {
  const named = new Map<string, ReferenceAttribute>();
  for (const node of nodes) for (const attribute of namedBy(node)) named.set(nameOf(attribute), attribute);
  if (named.size === 0) return nodes;
  const links = await mapInSlices(nodes, (node) =>
    [...named.values()].flatMap((one) => changedLinks(writeModel, node, one)),
  );
  const changed = new Set(links.flat());
  return mapInSlices(nodes, (node) => {
    const replaced = namedBy(node).filter((one) => changed.has(`${nameOf(one)} ${keyText(node.key)}`));
    return replaced.length === 0 ? node : { ...node, replaced: replaced.map(({ name }) => name) };
  });
}

/**
 * Values that are sent for attributes that the caller may not read count as changed: otherwise a write that is rolled
 * back would show whether they are stored.
 */
export async function flagHidden(
  { model, readAccess }: Pick<WriteScope, 'model' | 'readAccess'>,
  nodes: readonly InstanceNode[],
): Promise<readonly InstanceNode[]> {
  const visibility = visibilityOf(model, readAccess());
  const isShown = (entity: Entity, [name = '', ...rest]: readonly string[]): boolean => {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined) return true;
    if (attribute.secret || !visibility.mayView(entity, attribute)) return false;
    return attribute.kind !== 'embedded' || rest.length === 0 || isShown(entityOf(model, attribute.target), rest);
  };
  return mapInSlices(nodes, (node) => {
    if (node.kind === 'create') return node;
    const canRead = visibility.canRead(node.entity);
    const paths = [...node.sent.keys()].map((path) => path.split('.'));
    const hidden = paths.flatMap((path) => (canRead && isShown(node.entity, path) ? [] : path.slice(0, 1)));
    return hidden.length === 0 ? node : { ...node, replaced: [...(node.replaced ?? []), ...hidden] };
  });
}

/** The instances that lose and gain a member. */
function changedLinks(
  writeModel: WriteModel,
  { layout, before, after }: InstanceNode,
  association: ReferenceAttribute,
): readonly string[] {
  const path = association.inverse ?? '';
  const end = writeModel.of(entityOf(writeModel.model, association.target)).slots.get(path);
  const isMember = end !== undefined && layout.slots.get(path)?.attribute.declaredBy === end.attribute.declaredBy;
  if (!isMember || !changedPaths(layout, before, after).includes(path)) return [];
  return [before?.get(path), after.get(path)]
    .filter(isReference)
    .map(({ key }) => `${nameOf(association)} ${keyText(key)}`);
}
