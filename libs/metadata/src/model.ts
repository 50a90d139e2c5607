import type { Attribute } from './entities/attribute.ts';
import type { DynamicAttribute } from './entities/dynamic-attribute.ts';
import type { Entity } from './entities/entity.ts';
import type { Enumeration } from './entities/enumeration.ts';
import type { FetchPlan } from './fetch-plans/fetch-plan.ts';

/** The application's data model as one immutable value. A reload creates a new one. */
export interface Model {
  /** Changes whenever anything in the model changes; part of every cache key. */
  readonly version: string;
  /** All entities, embeddables and DTOs by name, those of the platform included. */
  readonly entities: ReadonlyMap<string, Entity>;
  /** All enums by name. */
  readonly enums: ReadonlyMap<string, Enumeration>;
  /** Named fetch plans by entity name and plan name, built-in ones included. */
  readonly fetchPlans: ReadonlyMap<string, ReadonlyMap<string, FetchPlan>>;
  /** Attributes that administrators defined, by the name of the entity that has them; see `dynamicAttributesOf`. */
  readonly dynamicAttributes: ReadonlyMap<string, readonly DynamicAttribute[]>;
  /** Names of the attributes that code of the application keeps in sessions; none by default. */
  readonly sessionAttributes?: readonly string[];
}

/** The attribute with that name, if the entity has one. */
export const attributeOf = (entity: Entity, name: string): Attribute | undefined => entity.attributes.get(name);

/** The entity with that name. Throws when the model has none: for names the model itself gave. */
export function entityOf(model: Model, name: string): Entity {
  const entity = model.entities.get(name);
  if (entity === undefined) throw new Error(`The model has no entity ${name}`);
  return entity;
}

/** The enum with that name. Throws when the model has none: for names the model itself gave. */
export function enumOf(model: Model, name: string): Enumeration {
  const enumeration = model.enums.get(name);
  if (enumeration === undefined) throw new Error(`The model has no enum ${name}`);
  return enumeration;
}

/** The entity and all its ancestors, nearest first. */
export function lineageOf(model: Model, entity: Entity): readonly Entity[] {
  const lineage: Entity[] = [];
  for (let next: Entity | undefined = entity; next !== undefined; ) {
    lineage.push(next);
    next = next.ancestor === undefined ? undefined : entityOf(model, next.ancestor);
  }
  return lineage;
}

/** The entity and all its descendants, depth first. */
export function familyTreeOf(model: Model, entity: Entity): readonly Entity[] {
  return [entity, ...entity.descendants.flatMap((name) => familyTreeOf(model, entityOf(model, name)))];
}
