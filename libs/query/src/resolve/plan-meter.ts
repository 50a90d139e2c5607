import {
  type Attribute,
  dynamicAttributesOf,
  type Entity,
  entityOf,
  type FetchPlan,
  familyTreeOf,
  type Model,
} from '@lintel/metadata';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';
import { dependencyPlan, isComputed } from './resolve-node.ts';

/** The size of what a fetch plan expands to. */
export interface PlanSize {
  /** The object itself, and each reference, collection and embedded object below it, however it is shared. */
  readonly nodes: number;
  /** Number of them where a collection with a limit has so many members. */
  readonly objects: number;
  readonly depth: number;
}

const NOTHING: PlanSize = { nodes: 0, objects: 0, depth: 0 };

/**
 * Measures fetch plans before they are expanded. A plan that is referred to several times is measured once and counts
 * each time, so the work is linear in the size of the definition, not in that of its expansion.
 */
export class PlanMeter {
  readonly #model: Model;
  readonly #limits: QueryLimits;
  readonly #isDynamic: boolean;
  readonly #plans = new Map<FetchPlan, PlanSize>();
  readonly #entities = new Map<string, number>();
  readonly #names = new Map<string, number>();

  /** @param isDynamic whether dynamic attributes are shown at every level */
  constructor(model: Model, limits: QueryLimits, isDynamic = false) {
    this.#model = model;
    this.#limits = limits;
    this.#isDynamic = isDynamic;
  }

  sizeOf(plan: FetchPlan): PlanSize {
    const known = this.#plans.get(plan);
    if (known !== undefined) return known;
    // The recursion ends for attributes that are computed from each other.
    this.#plans.set(plan, NOTHING);
    const entity = entityOf(this.#model, plan.entity);
    const inputs = this.#sizeOfInputs(plan, entity);
    const own = this.#ownNodes(entity);
    let nodes = own + inputs.nodes;
    let objects = own + inputs.objects;
    let { depth } = inputs;
    for (const { name, plan: nested, members } of plan.properties) {
      const below = this.#sizeOfProperty(entity.attributes.get(name), nested);
      nodes += below.nodes;
      objects += below.objects * (members?.limit ?? 1);
      depth = Math.max(depth, below.depth);
    }
    const size = { nodes, objects, depth: depth + 1 };
    this.#plans.set(plan, size);
    return size;
  }

  /**
   * @param level of the plan below the root, which is 1
   * @throws PlatformError REQ_COST_EXCEEDED
   */
  assertWithin(plan: FetchPlan, level = 1): void {
    const { nodes, objects, depth } = this.sizeOf(plan);
    assertLimit(this.#limits, 'planNodes', nodes);
    if (objects > nodes) assertLimit(this.#limits, 'responseNodes', objects, limitsIn(plan).join(', '));
    assertLimit(this.#limits, 'planDepth', depth + level - 1);
  }

  /** The dependencies of the computed attributes of the plan. */
  #sizeOfInputs({ properties }: FetchPlan, entity: Entity): PlanSize {
    const names = properties.flatMap(({ name }) => {
      const attribute = entity.attributes.get(name);
      return attribute?.kind === 'datatype' && isComputed(attribute) ? attribute.dependsOn : [];
    });
    return names.length === 0 ? NOTHING : this.sizeOf(dependencyPlan(this.#model, entity, [...new Set(names)]));
  }

  #sizeOfProperty(attribute: Attribute | undefined, plan: FetchPlan | undefined): PlanSize {
    if (plan !== undefined) return this.sizeOf(plan);
    if (attribute?.kind === 'reference' || attribute?.kind === 'embedded') {
      const nodes = this.#ownNodes(entityOf(this.#model, attribute.target));
      return { nodes, objects: nodes, depth: 1 };
    }
    return attribute?.kind === 'elements' ? { nodes: 1, objects: 1, depth: 0 } : NOTHING;
  }

  /** An object, the references that its instance name shows, and what its dynamic attributes refer to. */
  #ownNodes(entity: Entity): number {
    const known = this.#entities.get(entity.name);
    if (known !== undefined) return known;
    const dynamic = this.#isDynamic ? dynamicAttributesOf(this.#model, entity) : [];
    const nodes = dynamic.reduce(
      (sum, { target }) => sum + (target === undefined ? 0 : this.#namedNodes(entityOf(this.#model, target))),
      this.#namedNodes(entity),
    );
    this.#entities.set(entity.name, nodes);
    return nodes;
  }

  #namedNodes(entity: Entity): number {
    const known = this.#names.get(entity.name);
    if (known !== undefined) return known;
    // The recursion ends for names that refer to each other in a cycle.
    this.#names.set(entity.name, 0);
    const names = entity.kind === 'entity' ? familyTreeOf(this.#model, entity) : [];
    const references = new Set(names.flatMap((member) => referencesOfName(member)));
    const nodes = [...references].reduce((sum, target) => sum + this.#namedNodes(entityOf(this.#model, target)), 1);
    this.#names.set(entity.name, nodes);
    return nodes;
  }
}

/** The collections with a limit, for the error. */
const limitsIn = ({ properties }: FetchPlan): readonly string[] =>
  properties.flatMap(({ name, plan, members }) => [
    ...(members?.limit === undefined ? [] : [`${name} ${members.limit}`]),
    ...(plan === undefined ? [] : limitsIn(plan)),
  ]);

/** The entities that an instance name refers to. */
function referencesOfName({ instanceName, attributes }: Entity): readonly string[] {
  if (instanceName === undefined) return [];
  const names =
    instanceName.kind === 'method'
      ? instanceName.dependsOn
      : instanceName.parts.flatMap((part) => ('attribute' in part ? [part.attribute] : []));
  return names.flatMap((name) => {
    const attribute = attributes.get(name);
    return attribute?.kind === 'reference' ? [attribute.target] : [];
  });
}
