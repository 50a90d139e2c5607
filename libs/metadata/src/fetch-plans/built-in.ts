import { isLocal, isToOne } from '../entities/attribute.ts';
import { type Entity, storedNameAttributes } from '../entities/entity.ts';
import { type FetchPlan, type FetchPlanProperty, MINIMAL_FETCH_PLAN } from './fetch-plan.ts';

type Entities = ReadonlyMap<string, Entity>;

/** `_base`, `_local`, `_instance_name` and `_minimal`, its alias, of an entity (contract/fetch-plans.md#built-in). */
export function builtInFetchPlans(entities: Entities, entity: Entity): readonly FetchPlan[] {
  const named = instanceNamePlan(entities, entity, []);
  const minimal = Object.freeze({ ...named, name: MINIMAL_FETCH_PLAN });
  return [basePlan(entities, entity, []), localPlan(entity), named, minimal];
}

const isStored = (entity: Entity, attribute: { persistent: boolean; readOnly: boolean }): boolean =>
  entity.kind === 'dto' ? !attribute.readOnly : attribute.persistent;

function localProperties(entity: Entity): readonly FetchPlanProperty[] {
  return [...entity.attributes.values()]
    .filter((attribute) => isLocal(attribute) && isStored(entity, attribute))
    .map((attribute) => ({ name: attribute.name, plan: undefined }));
}

function localPlan(entity: Entity): FetchPlan {
  return Object.freeze({ name: '_local', entity: entity.name, properties: Object.freeze(localProperties(entity)) });
}

/** `path` contains the entities above, so that the recursion ends if names refer to each other in a cycle. */
function instanceNamePlan(entities: Entities, entity: Entity, path: readonly string[]): FetchPlan {
  const properties = [...new Set(storedNameAttributes(entity))].flatMap((name): FetchPlanProperty[] => {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined) return [];
    if (!isToOne(attribute)) return [{ name, plan: undefined }];
    const target = entities.get(attribute.target);
    if (target === undefined || path.includes(target.name)) return [{ name, plan: undefined }];
    return [{ name, plan: instanceNamePlan(entities, target, [...path, entity.name]) }];
  });
  return Object.freeze({ name: '_instance_name', entity: entity.name, properties: Object.freeze(properties) });
}

function basePlan(entities: Entities, entity: Entity, path: readonly string[]): FetchPlan {
  const named = new Set(storedNameAttributes(entity));
  const properties = [...entity.attributes.values()].flatMap((attribute): FetchPlanProperty[] => {
    if (!isStored(entity, attribute)) return [];
    if (isLocal(attribute)) return [{ name: attribute.name, plan: undefined }];
    const nested =
      attribute.kind === 'embedded' || (isToOne(attribute) && named.has(attribute.name))
        ? entities.get(attribute.target)
        : undefined;
    if (nested === undefined || path.includes(nested.name)) return [];
    return [{ name: attribute.name, plan: basePlan(entities, nested, [...path, entity.name]) }];
  });
  return Object.freeze({ name: '_base', entity: entity.name, properties: Object.freeze(properties) });
}
