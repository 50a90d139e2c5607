import { type DeletePolicy, type Entity, lineageOf, type Model, type ReferenceAttribute } from '@lintel/metadata';

/** A reference that has a policy for the deletion of what it leads to. */
export interface Referrer {
  /** Whose reference it is. */
  readonly entity: Entity;
  readonly attribute: ReferenceAttribute;
  readonly policy: DeletePolicy;
}

/** A deletion must not take longer the more entities there are. */
const KNOWN = new WeakMap<Model, Map<string, readonly Referrer[]>>();

/** The references to an entity or an ancestor of it, in the order of the model; found out once for each model. */
export function referrersOf(model: Model, entity: Entity): readonly Referrer[] {
  const known = KNOWN.get(model) ?? new Map<string, readonly Referrer[]>();
  KNOWN.set(model, known);
  const referrers = known.get(entity.name) ?? findReferrers(model, entity);
  known.set(entity.name, referrers);
  return referrers;
}

function findReferrers(model: Model, target: Entity): readonly Referrer[] {
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
