import { familyTreeOf, lineageOf, type Model } from '../model.ts';
import type { ReferenceAttribute } from './attribute.ts';
import type { Entity } from './entity.ts';

/** A composition and the entity that has it. */
export interface Ownership {
  readonly owner: Entity;
  readonly attribute: ReferenceAttribute;
}

const FOUND = new WeakMap<Model['entities'], ReadonlyMap<string, readonly Ownership[]>>();

/** The compositions that consist of instances of an entity, those of its ancestors included. */
export function ownershipsOf(model: Model, entity: Entity): readonly Ownership[] {
  const found = indexOwnerships(model);
  return lineageOf(model, entity).flatMap(({ name }) => found.get(name) ?? []);
}

/** Those of them whose children are visible where their owner is. */
export const visibleOwnershipsOf = (model: Model, entity: Entity): readonly Ownership[] =>
  ownershipsOf(model, entity).filter(({ attribute }) => attribute.visibility === 'owner');

/**
 * The entities whose row-level policies are about instances of an entity, each with the compositions that lead from it
 * to the instances: none for the entity itself and its ancestors.
 */
export function decidingEntities(model: Model, entity: Entity): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>(lineageOf(model, entity).map(({ name }) => [name, []]));
  for (const { owner, attribute } of visibleOwnershipsOf(model, entity))
    for (const member of familyTreeOf(model, owner))
      for (const [name, path] of decidingEntities(model, member))
        if (!found.has(name)) found.set(name, [...path, `${owner.name}.${attribute.name}`]);
  return found;
}

/** Compositions by the name of the entity they consist of, found once: a service calls it when it starts. */
export function indexOwnerships(model: Model): ReadonlyMap<string, readonly Ownership[]> {
  const known = FOUND.get(model.entities);
  if (known !== undefined) return known;
  const all = [...model.entities.values()].flatMap((owner) =>
    owner.kind !== 'entity'
      ? []
      : [...owner.attributes.values()].flatMap((attribute) =>
          attribute.kind === 'reference' && attribute.composition && attribute.declaredBy === owner.name
            ? [{ owner, attribute }]
            : [],
        ),
  );
  const found = Map.groupBy(all, ({ attribute }) => attribute.target);
  FOUND.set(model.entities, found);
  return found;
}
