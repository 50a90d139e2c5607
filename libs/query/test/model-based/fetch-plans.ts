import { type Entity, entityOf, instanceNameAttributes, isLocal, isToOne, type Model } from '@lintel/metadata';
import type { Meaning } from './conditions.ts';

/** Which attributes are shown; those that lead further have a plan of their own. */
export type Plan = ReadonlyMap<string, Plan | undefined>;

/** Which members of a collection are shown: contract/fetch-plans.md#members. */
export interface Selection {
  readonly filter: Meaning | undefined;
  readonly sort: readonly { readonly path: string; readonly descending: boolean }[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly count: boolean;
}

/** The meaning of the selections that items of plans have, and the selections of plans by the names of collections. */
export const selectionOfItem = new WeakMap<object, Selection>();
export const selectionsOf = new WeakMap<Plan, ReadonlyMap<string, Selection>>();

const withSelections = (plan: Plan, ...selections: readonly (ReadonlyMap<string, Selection> | undefined)[]): Plan => {
  const all = new Map(selections.flatMap((each) => [...(each ?? [])]));
  if (all.size > 0) selectionsOf.set(plan, all);
  return plan;
};

/** `_local`, `_base` and `_instance_name`, from contract/fetch-plans.md#built-in. */
export function builtInPlan(model: Model, entity: Entity, name: string, above: readonly Entity[] = []): Plan {
  const plan = new Map<string, Plan | undefined>();
  const named = new Set(namedAttributes(entity));
  for (const attribute of entity.attributes.values()) {
    if (!attribute.persistent) continue;
    const isNamed = named.has(attribute.name);
    if (isLocal(attribute)) {
      if (name !== '_instance_name' || isNamed) plan.set(attribute.name, undefined);
    } else if (attribute.kind === 'embedded') {
      const target = entityOf(model, attribute.target);
      if (name === '_base') plan.set(attribute.name, builtInPlan(model, target, '_base', [...above, entity]));
    } else if (isToOne(attribute) && isNamed && name !== '_local') {
      const target = entityOf(model, attribute.target);
      // Names that refer to each other in a ring come to an end.
      if (!above.includes(target)) plan.set(attribute.name, builtInPlan(model, target, name, [...above, entity]));
      else if (name === '_instance_name') plan.set(attribute.name, new Map());
    }
  }
  return plan;
}

/**
 * What the instance name is made of; a computed attribute stands for what it depends on
 * (contract/fetch-plans.md#built-in).
 */
export const namedAttributes = ({ instanceName, attributes }: Entity): readonly string[] =>
  instanceName === undefined
    ? []
    : instanceNameAttributes(instanceName).flatMap((name) => {
        const part = attributes.get(name);
        return part?.persistent === false ? part.dependsOn : [name];
      });

/** A property of an inline plan as the client writes it. */
export type PlanItem =
  | string
  | {
      readonly name: string;
      readonly fetchPlan?: PlanDefinition | string | undefined;
      /** Levels of children. */
      readonly depth?: number;
    };

/** An inline plan as the client writes it. */
export interface PlanDefinition {
  readonly entity?: string;
  readonly name?: string;
  readonly properties: readonly PlanItem[];
}

/** Reads an inline plan: contract/fetch-plans.md#parameter. `defined` has the named plans that came earlier in it. */
export function inlinePlan(
  model: Model,
  entity: Entity,
  definition: PlanDefinition,
  defined: Map<string, Plan> = new Map(),
): Plan {
  let plan: Plan = new Map();
  for (const item of definition.properties) plan = union(plan, readItem(model, entity, item, defined));
  if (definition.name !== undefined) defined.set(`${entity.name} ${definition.name}`, plan);
  return plan;
}

function readItem(model: Model, entity: Entity, item: PlanItem, defined: Map<string, Plan>): Plan {
  if (typeof item === 'string') return readPath(model, entity, item.split('.'));
  const selection = selectionOfItem.get(item);
  const plan = withSelections(readPlan(model, entity, item, defined), selection && new Map([[item.name, selection]]));
  return repeated(plan, item.name, item.depth ?? 1);
}

/** The plan with so many levels of children, each like the first one: contract/fetch-plans.md#children. */
function repeated(plan: Plan, name: string, levels: number): Plan {
  const below = plan.get(name);
  if (levels <= 1 || below === undefined) return plan;
  const others = new Map([...below].filter(([other]) => other !== name));
  const selections = [...(selectionsOf.get(below) ?? [])].filter(([other]) => other !== name);
  const next = repeated(plan, name, levels - 1);
  const joined = withSelections(new Map([...others, ...next]), new Map(selections), selectionsOf.get(next));
  return withSelections(new Map([[name, joined]]), selectionsOf.get(plan));
}

function readPlan(model: Model, entity: Entity, item: Exclude<PlanItem, string>, defined: Map<string, Plan>): Plan {
  if (item.fetchPlan === undefined) return readPath(model, entity, [item.name]);
  const target = targetOf(model, entity, item.name);
  if (typeof item.fetchPlan === 'object')
    return new Map([[item.name, inlinePlan(model, target, item.fetchPlan, defined)]]);
  const named = defined.get(`${target.name} ${item.fetchPlan}`);
  if (named === undefined) throw new Error(`No plan ${item.fetchPlan} comes before`);
  return new Map([[item.name, named]]);
}

function readPath(model: Model, entity: Entity, [name = '', ...rest]: readonly string[]): Plan {
  if (rest.length > 0) return new Map([[name, readPath(model, targetOf(model, entity, name), rest)]]);
  const attribute = entity.attributes.get(name);
  if (attribute?.kind === 'reference') return new Map([[name, new Map()]]);
  if (attribute?.kind === 'embedded')
    return new Map([[name, builtInPlan(model, entityOf(model, attribute.target), '_base')]]);
  return new Map([[name, undefined]]);
}

function targetOf(model: Model, entity: Entity, name: string): Entity {
  const attribute = entity.attributes.get(name);
  if (attribute?.kind !== 'reference' && attribute?.kind !== 'embedded') throw new Error(`${name} leads nowhere`);
  return entityOf(model, attribute.target);
}

/** All that either plan shows. */
function union(one: Plan, other: Plan): Plan {
  const all = new Map(one);
  for (const [name, plan] of other) {
    const present = all.get(name);
    all.set(name, present !== undefined && plan !== undefined ? union(present, plan) : (present ?? plan));
  }
  return withSelections(all, selectionsOf.get(one), selectionsOf.get(other));
}
