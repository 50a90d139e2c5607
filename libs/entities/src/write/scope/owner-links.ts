import { type Entity, entityOf, type Ownership, type ReferenceAttribute } from '@lintel/metadata';
import type { RowSelection } from '../rows/rows.ts';
import { isReference, type Key, type Values } from '../values/value.ts';
import type { WriteScope } from './write-scope.ts';

/** Keys of the owners, or of the child if the owner refers to it. */
export function linksOf(
  { attribute }: Pick<Ownership, 'attribute'>,
  child: { readonly key: Key; readonly before: Values | undefined; readonly after: Values | undefined },
): readonly Key[] {
  if (attribute.owning) return [child.key];
  return [child.before, child.after].flatMap((values) => {
    const link = values?.get(attribute.inverse ?? '');
    return isReference(link) ? [link.key] : [];
  });
}

/** The rows of the owners with these links. */
export function selectionOf(
  scope: WriteScope,
  attribute: ReferenceAttribute,
  owner: Entity,
  keys: readonly Key[],
): RowSelection | undefined {
  if (!attribute.owning) return { by: 'key', keys };
  const slot = scope.writeModel.of(entityOf(scope.model, owner.name)).slots.get(attribute.name);
  return slot === undefined ? undefined : { by: 'reference', slot, keys };
}
