/** The members of a collection that a plan shows. */
export interface MemberSelection {
  /** Filter of the members, in the JSON form of clients (contract/filters.md). */
  readonly filter?: unknown;
  /** Attributes of the member with commas; `-` descends. Without it members are in the order of their keys. */
  readonly sort?: string;
  readonly limit?: number;
  readonly offset?: number;
  /** Shows the number of members that the filter selects, too. */
  readonly count?: boolean;
}

/** Names of its members, as plans have them. */
export const MEMBER_SELECTION = ['filter', 'sort', 'limit', 'offset', 'count'] as const;

/** A property of a fetch plan: an attribute, with a nested plan if it is a reference or embedded. */
export interface FetchPlanProperty {
  /** Name of the attribute. */
  readonly name: string;
  /** What is loaded of the target; undefined for a value. */
  readonly plan: FetchPlan | undefined;
  /** Selection of a collection's members; without it all are shown. */
  readonly members?: MemberSelection;
}

/** Which attributes to load and show, at every level. `name` is absent for inline plans. */
export interface FetchPlan {
  readonly name: string | undefined;
  /** Name of the entity whose instances the plan is for. */
  readonly entity: string;
  /** In the order in which they are shown. */
  readonly properties: readonly FetchPlanProperty[];
}

/** The name that published clients have for `_instance_name`; an application may define a plan with it. */
export const MINIMAL_FETCH_PLAN = '_minimal';

/** Names of the plans every entity has (contract/fetch-plans.md#built-in). */
export const BUILT_IN_FETCH_PLANS = ['_base', '_local', '_instance_name', MINIMAL_FETCH_PLAN] as const;
/** The name of a plan that every entity has. */
export type BuiltInFetchPlan = (typeof BUILT_IN_FETCH_PLANS)[number];
