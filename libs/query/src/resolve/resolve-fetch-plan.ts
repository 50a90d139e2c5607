import { PlatformError } from '@lintel/errors';
import {
  type Attribute,
  type Entity,
  entityOf,
  type FetchPlan,
  type FetchPlanProperty,
  lineageOf,
  type Model,
} from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject } from '../json/exact-json.ts';
import type { ParsedFetchPlan } from '../parse/parsed-query.ts';

/** A plan nested deeper would exhaust the database's stack. */
const GREATEST_DEPTH = 40;

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_FETCH_PLAN', details);

/**
 * Looks up or binds a fetch plan; no plan is `_base` (decisions.md 46).
 *
 * @throws PlatformError REQ_FETCH_PLAN_NOT_FOUND for an unknown name; REQ_INVALID_FETCH_PLAN naming the
 *   offending entity, property or nested plan (decisions.md 5)
 */
export function resolveFetchPlan(parsed: ParsedFetchPlan, entity: Entity, model: Model): FetchPlan {
  switch (parsed.kind) {
    case 'default':
      return namedPlan('_base', entity, model);
    case 'named':
      return namedPlan(parsed.name, entity, model);
    case 'inline':
      return inlinePlan(parsed.definition, entity, model);
    default:
      return parsed satisfies never;
  }
}

function namedPlan(name: string, entity: Entity, model: Model): FetchPlan {
  const plan = model.fetchPlans.get(entity.name)?.get(name);
  if (plan === undefined)
    throw new PlatformError('REQ_FETCH_PLAN_NOT_FOUND', `Fetch plan ${name} for entity ${entity.name} not found`);
  return plan;
}

function inlinePlan(definition: ExactObject, entity: Entity, model: Model): FetchPlan {
  const root = definition['entity'];
  if (typeof root !== 'string') throw refuse("The plan has no text member 'entity'");
  if (!lineageOf(model, entity).some((ancestor) => ancestor.name === root))
    throw refuse(
      model.entities.has(root) ? `The plan is for ${root}, not for ${entity.name}` : `Unknown entity ${root}`,
    );
  return new InlinePlanBinder(model).bind(definition, entity, 1);
}

/** Binds one inline plan; knows the named plans defined so far inside it. */
class InlinePlanBinder {
  readonly #model: Model;
  /** By `<entity> <plan name>`. */
  readonly #defined = new Map<string, FetchPlan>();

  constructor(model: Model) {
    this.#model = model;
  }

  bind(definition: ExactObject, entity: Entity, depth: number): FetchPlan {
    if (depth > GREATEST_DEPTH) throw refuse(`The plan is nested deeper than ${GREATEST_DEPTH} levels`);
    const items = definition['properties'];
    if (!Array.isArray(items)) throw refuse(`The plan of ${entity.name} has no array 'properties'`);
    const properties = new Map<string, FetchPlanProperty>();
    for (const item of items) merge(properties, this.#item(item, entity, depth));
    const name = definition['name'];
    const plan = Object.freeze({
      name: undefined,
      entity: entity.name,
      properties: Object.freeze([...properties.values()]),
    });
    if (typeof name === 'string') this.#defined.set(`${entity.name} ${name}`, plan);
    return plan;
  }

  #item(item: ExactJson, entity: Entity, depth: number): FetchPlanProperty {
    if (typeof item === 'string') return this.#path(item.split('.'), entity, depth);
    if (!isExactObject(item)) throw refuse(`${JSON.stringify(item)} is no property of a fetch plan`);
    const name = item['name'];
    if (typeof name !== 'string') throw refuse(`The property ${JSON.stringify(item)} has no text member 'name'`);
    const attribute = attributeNamed(name, entity);
    const nested = item['fetchPlan'];
    if (nested === undefined) return this.#path([name], entity, depth);
    const target = this.#targetOf(attribute, entity);
    if (isExactObject(nested)) return { name, plan: this.bind(nested, target, depth + 1) };
    if (typeof nested !== 'string') throw refuse(`The plan of property ${name} is neither an object nor a name`);
    return { name, plan: this.#namedPlan(nested, target) };
  }

  /** A plan of that name defined earlier in the same definition; registered plans are none (contract §1.6). */
  #namedPlan(name: string, target: Entity): FetchPlan {
    const plan = this.#defined.get(`${target.name} ${name}`);
    if (plan === undefined) throw refuse(`Fetch plan ${name} for entity ${target.name} not found`);
    return plan;
  }

  #path([name = '', ...rest]: readonly string[], entity: Entity, depth: number): FetchPlanProperty {
    const attribute = attributeNamed(name, entity);
    if (rest.length > 0) {
      if (depth > GREATEST_DEPTH) throw refuse(`The plan is nested deeper than ${GREATEST_DEPTH} levels`);
      const target = this.#targetOf(attribute, entity);
      return { name, plan: planOf(target, [this.#path(rest, target, depth + 1)]) };
    }
    if (attribute.kind === 'reference') return { name, plan: planOf(entityOf(this.#model, attribute.target), []) };
    if (attribute.kind === 'embedded')
      return { name, plan: namedPlan('_base', entityOf(this.#model, attribute.target), this.#model) };
    return { name, plan: undefined };
  }

  #targetOf(attribute: Attribute, entity: Entity): Entity {
    if (attribute.kind !== 'reference' && attribute.kind !== 'embedded')
      throw refuse(`${entity.name}.${attribute.name} is no reference: it has no nested plan`);
    return entityOf(this.#model, attribute.target);
  }
}

const planOf = (entity: Entity, properties: readonly FetchPlanProperty[]): FetchPlan =>
  Object.freeze({ name: undefined, entity: entity.name, properties: Object.freeze(properties) });

function attributeNamed(name: string, entity: Entity): Attribute {
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) throw refuse(`Property ${name} of ${entity.name} not found`);
  return attribute;
}

/** A property named twice has both plans' properties. */
function merge(properties: Map<string, FetchPlanProperty>, added: FetchPlanProperty): void {
  const present = properties.get(added.name);
  if (present?.plan === undefined || added.plan === undefined) {
    properties.set(added.name, present?.plan === undefined ? added : present);
    return;
  }
  const merged = new Map(present.plan.properties.map((property) => [property.name, property]));
  for (const property of added.plan.properties) merge(merged, property);
  properties.set(added.name, {
    name: added.name,
    plan: Object.freeze({ ...present.plan, name: undefined, properties: Object.freeze([...merged.values()]) }),
  });
}
