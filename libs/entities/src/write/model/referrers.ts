import { type DeletePolicy, type Entity, lineageOf, type Model, type ReferenceAttribute } from '@lintel/metadata';

/** A reference that has a policy for the deletion of its target. */
export interface Referrer {
  /** Whose reference it is. */
  readonly entity: Entity;
  readonly attribute: ReferenceAttribute;
  readonly policy: DeletePolicy;
}

/** The references to an entity or an ancestor of it, in the order of the model. */
export function findReferrers(model: Model, target: Entity): readonly Referrer[] {
  const names = new Set(lineageOf(model, target).map(({ name }) => name));
  return [...model.entities.values()].flatMap((entity) => {
    if (entity.kind !== 'entity') return [];
    return [...entity.attributes.values()].flatMap((attribute): Referrer[] => {
      if (attribute.kind !== 'reference' || attribute.onDeleteInverse === undefined) return [];
      const isOwn = attribute.declaredBy === entity.name && attribute.owning && names.has(attribute.target);
      return isOwn ? [{ entity, attribute, policy: attribute.onDeleteInverse }] : [];
    });
  });
}
