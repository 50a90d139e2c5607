import {
  BUILT_IN_FETCH_PLANS,
  type Entity,
  entityOf,
  type FetchPlan,
  type FetchPlanProperty,
  isLocal,
  type MemberSelection,
  type Model,
} from '@lintel/metadata';

type PropertyOfPlan = string | ({ readonly name: string; readonly fetchPlan: NestedPlanInfo } & MemberSelection);

interface NestedPlanInfo {
  readonly name?: string;
  readonly properties: readonly PropertyOfPlan[];
}

/** A fetch plan in the metadata API (contract/metadata.md#fetch-plans). */
export interface FetchPlanInfo {
  readonly name: string;
  readonly entity: string;
  readonly properties: readonly PropertyOfPlan[];
}

/**
 * The named plans of the application for an entity; the built-in ones are served by name only
 * (contract/metadata.md#fetch-plans).
 */
export const namedFetchPlans = (model: Model, entity: Entity): readonly FetchPlan[] =>
  [...(model.fetchPlans.get(entity.name)?.values() ?? [])].filter(
    ({ name }) => !(BUILT_IN_FETCH_PLANS as readonly (string | undefined)[]).includes(name),
  );

/** A fetch plan with all nested plans. */
export function describeFetchPlan(model: Model, plan: FetchPlan): FetchPlanInfo {
  return { name: plan.name ?? '', entity: plan.entity, properties: describeProperties(model, plan) };
}

const describeProperties = (model: Model, plan: FetchPlan): readonly PropertyOfPlan[] =>
  plan.properties.map((property) => describeProperty(model, entityOf(model, plan.entity), property));

/** A reference without a plan is an object, too, with an empty plan. */
function describeProperty(model: Model, entity: Entity, { name, plan, members }: FetchPlanProperty): PropertyOfPlan {
  const attribute = entity.attributes.get(name);
  if (attribute === undefined || isLocal(attribute) || attribute.kind === 'elements') return name;
  const nested = plan === undefined ? [] : describeProperties(model, plan);
  return {
    name,
    fetchPlan: { ...(plan?.name === undefined ? {} : { name: plan.name }), properties: nested },
    ...members,
  };
}
