import {
  type Attribute,
  dynamicAttributesOf,
  type Entity,
  entityOf,
  type FetchPlan,
  isLocal,
  type Model,
} from '@lintel/metadata';
import { type QueryLimits, UNLIMITED } from '../limits/query-limits.ts';
import { resolveMembers } from './resolve-members.ts';
import type { ResolvedDynamicAttribute, ResolvedNode, ResolvedProperty } from './resolved-query.ts';

/** Members that are returned in addition to the plan's attributes. */
export interface NodeOptions {
  /**
   * The computed attributes that the plan suffices for (contract/instances.md#computed: shown when no plan was given).
   */
  readonly computed?: boolean;
  /** The dynamic attributes, at every level. */
  readonly dynamic?: boolean;
  /** Limits of the filters and sorts of collections in the plan. */
  readonly limits?: QueryLimits;
}

/** Nodes below the root, by the plan they are of: a plan that is shared is bound once. */
type BoundNodes = Map<FetchPlan, ResolvedNode>;

/** Binds a fetch plan to attributes, in the order of the model. */
export function resolveNode(
  model: Model,
  plan: FetchPlan,
  options: NodeOptions = {},
  bound: BoundNodes = new Map(),
): ResolvedNode {
  const entity = entityOf(model, plan.entity);
  const { limits = UNLIMITED } = options;
  const planned = new Map(plan.properties.map((property) => [property.name, property]));
  const isIncluded = (attribute: Attribute): boolean =>
    planned.has(attribute.name) ||
    (options.computed === true && isComputed(attribute) && attribute.dependsOn.every((name) => planned.has(name)));
  const attributes = [...entity.attributes.values()].filter((attribute) => !attribute.secret && isIncluded(attribute));
  return Object.freeze({
    entity,
    properties: Object.freeze(
      attributes.map((attribute): ResolvedProperty => {
        const property = planned.get(attribute.name);
        return {
          attribute,
          node: nodeOf(model, attribute, property?.plan, { dynamic: options.dynamic === true, limits }, bound),
          ...(property?.members && { members: resolveMembers(model, attribute, property.members, limits) }),
        };
      }),
    ),
    dynamic: options.dynamic === true ? dynamicOf(model, entity) : [],
    inputs: inputsOf(model, entity, attributes),
  });
}

/** Whether the attribute's value is left to code. */
export const isComputed = (attribute: Attribute): boolean =>
  attribute.kind === 'datatype' && attribute.compute !== undefined;

function nodeOf(
  model: Model,
  attribute: Attribute,
  planned: FetchPlan | undefined,
  options: NodeOptions,
  bound: BoundNodes,
): ResolvedNode | undefined {
  if (attribute.kind !== 'reference' && attribute.kind !== 'embedded') return undefined;
  const plan = planned ?? { name: undefined, entity: attribute.target, properties: [] };
  const node = bound.get(plan) ?? resolveNode(model, plan, options, bound);
  bound.set(plan, node);
  return node;
}

/** A reference is shown by its identity alone (contract/dynamic-attributes.md#dynamic-attributes). */
const dynamicOf = (model: Model, entity: Entity): readonly ResolvedDynamicAttribute[] =>
  dynamicAttributesOf(model, entity).map((attribute) => ({
    attribute,
    node:
      attribute.target === undefined
        ? undefined
        : resolveNode(model, { name: undefined, entity: attribute.target, properties: [] }),
  }));

function inputsOf(model: Model, entity: Entity, attributes: readonly Attribute[]): ResolvedNode | undefined {
  const names = new Set(attributes.flatMap((attribute) => (isComputed(attribute) ? attribute.dependsOn : [])));
  return names.size === 0 ? undefined : dependencyNode(model, entity, [...names]);
}

/**
 * The node that loads the given dotted paths for code of the application: local attributes by themselves,
 * references and embedded objects with their `_base` plan, unless the path goes on.
 */
export function dependencyNode(model: Model, entity: Entity, paths: readonly string[]): ResolvedNode {
  return resolveNode(model, dependencyPlan(model, entity, paths));
}

/** The plan of `dependencyNode`. */
export function dependencyPlan(model: Model, entity: Entity, paths: readonly string[]): FetchPlan {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    const further = byName.get(name) ?? [];
    byName.set(name, rest.length === 0 ? further : [...further, rest.join('.')]);
  }
  const properties = [...byName].map(([name, further]) => {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined) throw new Error(`${entity.name} has no attribute ${name}`);
    if (isLocal(attribute) || attribute.kind === 'elements') return { name, plan: undefined };
    const target = entityOf(model, attribute.target);
    const plan =
      further.length === 0 ? model.fetchPlans.get(target.name)?.get('_base') : dependencyPlan(model, target, further);
    return { name, plan };
  });
  return { name: undefined, entity: entity.name, properties };
}
