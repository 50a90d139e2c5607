import { PlatformError, shortened } from '@lintel/errors';
import {
  type Attribute,
  type Entity,
  entityOf,
  type FetchPlan,
  type FetchPlanProperty,
  isToMany,
  lineageOf,
  type MemberSelection,
  type Model,
  treeParentOf,
} from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject } from '../json/exact-json.ts';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';
import { parseCount } from '../parse/parse-parameters.ts';
import { inPlanOf, memberSelection } from '../parse/parse-selections.ts';
import type { ParsedFetchPlan } from '../parse/parsed-query.ts';
import { PlanMeter } from './plan-meter.ts';

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_FETCH_PLAN', details);

/**
 * Looks up or binds a fetch plan; no plan is `_base` (contract/decisions.md#46). A plan that is referred to several
 * times is one object, so that the work is linear in the definition.
 *
 * @throws PlatformError REQ_FETCH_PLAN_NOT_FOUND for an unknown name; REQ_INVALID_FETCH_PLAN naming the
 *   offending entity, property or nested plan (contract/decisions.md#5); REQ_COST_EXCEEDED
 */
export function resolveFetchPlan(
  parsed: ParsedFetchPlan,
  entity: Entity,
  model: Model,
  limits: QueryLimits,
): FetchPlan {
  switch (parsed.kind) {
    case 'default':
      return namedPlan('_base', entity, model);
    case 'named':
      return namedPlan(parsed.name, entity, model);
    case 'inline':
      return inlinePlan(parsed.definition, entity, model, limits);
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

function inlinePlan(definition: ExactObject, entity: Entity, model: Model, limits: QueryLimits): FetchPlan {
  const root = definition['entity'];
  if (typeof root !== 'string')
    throw refuse(
      `The plan has no text member 'entity'; a plan of ${entity.name} is {"entity": "${entity.name}", "properties": […]}`,
    );
  if (!lineageOf(model, entity).some((ancestor) => ancestor.name === root))
    throw refuse(
      model.entities.has(root) ? `The plan is for ${root}, not for ${entity.name}` : `Unknown entity ${root}`,
    );
  return new InlinePlanBinder(model, limits).bind(definition, entity, 1);
}

/** A plan while its properties are collected. */
interface Draft {
  readonly entity: Entity;
  readonly properties: Map<string, Draft | FetchPlan | undefined>;
  /** Selections by the names of collections; the last one that is given counts. */
  readonly members: Map<string, MemberSelection>;
}

/** Binds one inline plan; records the named plans that it has defined so far. */
class InlinePlanBinder {
  readonly #model: Model;
  readonly #limits: QueryLimits;
  readonly #meter: PlanMeter;
  /** By `<entity> <plan name>`. */
  readonly #defined = new Map<string, FetchPlan>();
  /** Objects that were made, or merged into others. */
  #work = 0;

  constructor(model: Model, limits: QueryLimits) {
    this.#model = model;
    this.#limits = limits;
    this.#meter = new PlanMeter(model, limits);
  }

  bind(definition: ExactObject, entity: Entity, level: number): FetchPlan {
    assertLimit(this.#limits, 'planDepth', level);
    const items = definition['properties'] ?? (definition['extends'] === undefined ? undefined : []);
    if (!Array.isArray(items)) throw refuse(`The plan of ${entity.name} has no array 'properties'`);
    const draft = this.#draftOf(entity);
    for (const name of extendedNames(definition['extends'], entity)) this.#extend(draft, name);
    for (const item of items) this.#add(draft, item, level);
    const name = definition['name'];
    const plan = finish(draft);
    // What is too large is refused before anything refers to it.
    this.#meter.assertWithin(plan, level);
    if (typeof name === 'string') this.#defined.set(`${entity.name} ${name}`, plan);
    return plan;
  }

  #add(draft: Draft, item: ExactJson, level: number): void {
    const { entity } = draft;
    if (typeof item === 'string') {
      this.#addPath(draft, item, level);
      return;
    }
    if (!isExactObject(item)) throw refuse(`${shortened(JSON.stringify(item))} is no property of a fetch plan`);
    const name = item['name'];
    if (typeof name !== 'string')
      throw refuse(`The property ${shortened(JSON.stringify(item))} has no text member 'name'`);
    const attribute = attributeNamed(name, entity);
    const members = memberSelection(item);
    if (members !== undefined) draft.members.set(name, members);
    const nested = item['fetchPlan'];
    const depth = depthOf(item);
    if (depth !== undefined) assertChildren(this.#model, entity, attribute);
    if (nested === undefined && depth === undefined) {
      this.#addLeaf(draft, attribute);
      return;
    }
    const target = this.#targetOf(attribute, entity);
    let plan: FetchPlan;
    if (nested === undefined) plan = planOf(target);
    else if (isExactObject(nested)) plan = this.bind(nested, target, level + 1);
    else if (typeof nested === 'string') plan = this.#namedPlan(nested, target);
    else throw refuse(`The plan of property ${name} is neither an object nor a name`);
    if (depth === undefined) this.#merge(draft, name, plan);
    else {
      assertLimit(this.#limits, 'planDepth', level + depth);
      const children = { name, ...(members === undefined ? {} : { members }) };
      for (let below = 1; below < depth; below += 1) this.#count();
      this.#merge(draft, name, repeatChildren(this.#model, plan, children, depth));
    }
  }

  /**
   * A plan of that name that was defined earlier in the same definition, otherwise a registered or built-in one
   * (contract/fetch-plans.md#inline).
   */
  #namedPlan(name: string, target: Entity): FetchPlan {
    const plan = this.#defined.get(`${target.name} ${name}`) ?? this.#model.fetchPlans.get(target.name)?.get(name);
    if (plan === undefined) throw refuse(`Fetch plan ${name} for entity ${target.name} not found`);
    return plan;
  }

  /** Adds the properties of a plan of the entity or of an ancestor. */
  #extend(draft: Draft, name: string): void {
    const owner = lineageOf(this.#model, draft.entity).find(
      (each) => this.#defined.has(`${each.name} ${name}`) || this.#model.fetchPlans.get(each.name)?.has(name) === true,
    );
    this.#mergeInto(draft, this.#namedPlan(name, owner ?? draft.entity));
  }

  #addPath(root: Draft, path: string, level: number): void {
    const names = path.split('.');
    let draft = root;
    for (const [at, name] of names.slice(0, -1).entries()) {
      const target = this.#targetOf(attributeNamed(name, draft.entity), draft.entity);
      assertLimit(this.#limits, 'planDepth', level + at + 1);
      draft = this.#draftAt(draft, name, target);
    }
    this.#addLeaf(draft, attributeNamed(names.at(-1) ?? '', draft.entity));
  }

  #addLeaf(draft: Draft, attribute: Attribute): void {
    const { name } = attribute;
    if (attribute.kind === 'reference') this.#merge(draft, name, planOf(entityOf(this.#model, attribute.target)));
    else if (attribute.kind === 'embedded')
      this.#merge(draft, name, namedPlan('_base', entityOf(this.#model, attribute.target), this.#model));
    else draft.properties.set(name, undefined);
  }

  /** A property named twice has both plans' properties. */
  #merge(draft: Draft, name: string, added: FetchPlan): void {
    const present = draft.properties.get(name);
    if (present === undefined) draft.properties.set(name, added);
    else if (present !== added && added.properties.length > 0) {
      this.#count();
      const merged = this.#draftAt(draft, name, entityOf(this.#model, added.entity));
      this.#mergeInto(merged, added);
    }
  }

  #mergeInto(draft: Draft, { properties }: FetchPlan): void {
    for (const { name, plan, members } of properties) {
      if (members !== undefined) draft.members.set(name, members);
      if (plan !== undefined) this.#merge(draft, name, plan);
      else if (!draft.properties.has(name)) draft.properties.set(name, undefined);
    }
  }

  /** The draft of a nested object; the existing draft, or a new one with the properties of the existing plan. */
  #draftAt(draft: Draft, name: string, target: Entity): Draft {
    const present = draft.properties.get(name);
    if (present !== undefined && !('name' in present)) return present;
    const below = this.#draftOf(target);
    for (const property of present?.properties ?? []) {
      below.properties.set(property.name, property.plan);
      if (property.members !== undefined) below.members.set(property.name, property.members);
    }
    draft.properties.set(name, below);
    return below;
  }

  #draftOf(entity: Entity): Draft {
    this.#count();
    return { entity, properties: new Map(), members: new Map() };
  }

  /** An object that is given twice counts twice: a definition makes no more work than two plans at the limit. */
  #count(): void {
    this.#work += 1;
    if (this.#work > 2 * this.#limits.planNodes) assertLimit(this.#limits, 'planNodes', this.#work);
  }

  #targetOf(attribute: Attribute, entity: Entity): Entity {
    if (attribute.kind !== 'reference' && attribute.kind !== 'embedded')
      throw refuse(`${entity.name}.${attribute.name} is no reference: it has no nested plan`);
    return entityOf(this.#model, attribute.target);
  }
}

/** The plan of children that have children themselves, of so many levels (contract/fetch-plans.md#children). */
export function repeatChildren(
  model: Model,
  plan: FetchPlan,
  children: Omit<FetchPlanProperty, 'plan'>,
  levels: number,
): FetchPlan {
  if (levels <= 1) return plan;
  const others = plan.properties.filter(({ name }) => name !== children.name);
  const below = { ...children, plan: repeatChildren(model, plan, children, levels - 1) };
  return planOf(entityOf(model, plan.entity), [...others, below]);
}

/** Refuses a depth of an attribute that has no children of a tree. */
export function assertChildren(model: Model, entity: Entity, attribute: Attribute): void {
  if (!hasChildren(model, attribute))
    throw refuse(`${attribute.name} of ${entity.name} has no children of a tree: it has no depth`);
}

/** Levels of children that an item asks for. */
export function depthOf(item: ExactObject): number | undefined {
  const depth = item['depth'] === undefined ? undefined : inPlanOf(item, () => parseCount(item, 'depth'));
  const isGiven = item['depth'] !== undefined;
  if (depth === 0 || (isGiven && depth === undefined))
    throw refuse(`${item['name']}: Parameter 'depth' must be at least 1`);
  return depth;
}

/** Whether an attribute has the children of the instances of a tree, which have the attribute, too. */
function hasChildren(model: Model, attribute: Attribute): boolean {
  if (attribute.kind !== 'reference' || !isToMany(attribute) || attribute.inverse === undefined) return false;
  const target = entityOf(model, attribute.target);
  return treeParentOf(target)?.name === attribute.inverse && target.attributes.has(attribute.name);
}

/** Names of plans: one text, several separated by commas, or a list of texts. */
function extendedNames(value: ExactJson | undefined, { name }: Entity): readonly string[] {
  if (value === undefined) return [];
  const names = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(names)) throw refuse(`'extends' of the plan of ${name} is neither a name nor a list of names`);
  return names.map((each) => {
    if (typeof each !== 'string')
      throw refuse(`'extends' of the plan of ${name}: ${shortened(JSON.stringify(each))} is no name`);
    return each.trim();
  });
}

function finish({ entity, properties, members }: Draft): FetchPlan {
  return planOf(
    entity,
    [...properties].map(
      ([name, below]): FetchPlanProperty => ({
        name,
        plan: below === undefined || 'name' in below ? below : finish(below),
        ...(members.has(name) ? { members: members.get(name) as MemberSelection } : {}),
      }),
    ),
  );
}

const planOf = (entity: Entity, properties: readonly FetchPlanProperty[] = []): FetchPlan =>
  Object.freeze({ name: undefined, entity: entity.name, properties: Object.freeze(properties) });

function attributeNamed(name: string, entity: Entity): Attribute {
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) throw refuse(`Property ${name} of ${entity.name} not found`);
  return attribute;
}
