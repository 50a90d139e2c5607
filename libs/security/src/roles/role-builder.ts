import type { Acr } from '@lintel/contracts';
import type {
  EntityAction,
  LoginDependentPolicy,
  ResourcePolicy,
  ResourceRole,
  RoleScope,
  RowLevelRole,
  RowPolicy,
} from './role.ts';

const ALL_ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];

/** Grants actions on an entity; `all` is short for all four. `*` is every entity. */
export const entityPolicy = (entity: string, ...actions: readonly (EntityAction | 'all')[]): LoginDependentPolicy => ({
  kind: 'entity',
  entity,
  actions: actions.includes('all') ? ALL_ACTIONS : (actions as readonly EntityAction[]),
});

/** Grants viewing attributes; `*` is every attribute. */
export const viewAttributes = (entity: string, ...attributes: readonly string[]): readonly ResourcePolicy[] =>
  attributes.map((attribute) => ({ kind: 'attribute', entity, attribute, action: 'view' }));

/** Grants viewing and changing attributes; `*` is every attribute. */
export const modifyAttributes = (entity: string, ...attributes: readonly string[]): readonly ResourcePolicy[] =>
  attributes.map((attribute) => ({ kind: 'attribute', entity, attribute, action: 'modify' }));

/** Grants a specific permission, e.g. `rest.fileUpload.enabled`. */
export const specificPolicy = (name: string): LoginDependentPolicy => ({ kind: 'specific', name });

/**
 * Policies that have an effect only for logins that are strong enough: `requireAcr('urn:lintel:acr:2fa',
 * entityPolicy('sales_Order', 'delete'))`. Other logins get 401 with the `acr` that they need, unless another policy
 * grants the same (contract/roles.md#step-up).
 */
export const requireAcr = (acr: Acr, ...policies: readonly LoginDependentPolicy[]): readonly ResourcePolicy[] =>
  policies.map((policy) => ({ ...policy, acr }));

/** Defines a resource role. Nested arrays of policies are flattened. */
export function resourceRole(
  code: string,
  options: {
    readonly name: string;
    readonly description?: string;
    readonly scopes?: readonly RoleScope[];
    readonly childRoles?: readonly string[];
    readonly policies: readonly (ResourcePolicy | readonly ResourcePolicy[])[];
  },
): ResourceRole {
  return Object.freeze({
    code,
    name: options.name,
    ...(options.description === undefined ? {} : { description: options.description }),
    scopes: options.scopes ?? (['API', 'UI'] as const),
    childRoles: options.childRoles ?? [],
    policies: options.policies.flat(),
  });
}

/** Of a query policy. */
export interface QueryPolicyOptions {
  /** Joins that the condition may use, e.g. `join {E}.lines l`: one joined row that satisfies it suffices. */
  readonly join?: string;
  /** The actions to which the rule applies; by default only reading. */
  readonly actions?: readonly EntityAction[];
}

/**
 * A rule on rows in the entity query language, e.g. `{E}.address.country = :current_user_country`.
 *
 * @param options the actions to which it applies, and its joins; a text gives only the joins
 */
export function queryPolicy(entity: string, where: string, options: string | QueryPolicyOptions = {}): RowPolicy {
  const { join, actions } = typeof options === 'string' ? { join: options, actions: undefined } : options;
  return {
    kind: 'query',
    entity,
    where,
    ...(join === undefined ? {} : { join }),
    ...(actions === undefined ? {} : { actions }),
  };
}

/** Of a predicate policy. */
export type PredicatePolicyOptions = Pick<Extract<RowPolicy, { kind: 'predicate' }>, 'actions' | 'dependsOn' | 'test'>;

/**
 * A rule on rows as a function of the instance, e.g. `({ amount }) => Number(amount) <= 100` with
 * `dependsOn: ['amount']`.
 */
export const predicatePolicy = (entity: string, options: PredicatePolicyOptions): RowPolicy => ({
  kind: 'predicate',
  entity,
  ...options,
});

/** Defines a row-level role. */
export const rowLevelRole = (
  code: string,
  options: { readonly name: string; readonly policies: readonly RowPolicy[] },
): RowLevelRole => Object.freeze({ code, ...options });
