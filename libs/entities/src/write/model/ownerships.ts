import type { Entity, Model, ReferenceAttribute } from '@lintel/metadata';

/** A composition and the entity that has it. */
export interface Ownership {
  readonly owner: Entity;
  readonly attribute: ReferenceAttribute;
}

/** Compositions by the name of the entity they consist of. */
export function findOwnerships(model: Model): ReadonlyMap<string, readonly Ownership[]> {
  const all = [...model.entities.values()].flatMap((owner) =>
    owner.kind !== 'entity'
      ? []
      : [...owner.attributes.values()].flatMap((attribute) =>
          attribute.kind === 'reference' && attribute.composition && attribute.declaredBy === owner.name
            ? [{ owner, attribute }]
            : [],
        ),
  );
  return Map.groupBy(all, ({ attribute }) => attribute.target);
}
