/**
 * Roles and policies as applications declare them (contract/roles.md#definition, contract/row-policies.md#policies).
 */
import type { Acr } from '@lintel/contracts';

/** What a policy on an entity permits or limits. */
export type EntityAction = 'create' | 'read' | 'update' | 'delete';

/** Grants; there is no denying policy (contract/decisions.md#31). */
export type ResourcePolicy =
  /** `entity` is an entity name or `*`. */
  | ({ readonly kind: 'entity'; readonly entity: string; readonly actions: readonly EntityAction[] } & LoginCondition)
  /** `attribute` is an attribute name or `*`; `entity` an entity name or `*` (then `attribute` is `*`). */
  | {
      readonly kind: 'attribute';
      readonly entity: string;
      readonly attribute: string;
      readonly action: 'view' | 'modify';
    }
  /** `name` is a specific permission's name or `*`. */
  | ({ readonly kind: 'specific'; readonly name: string } & LoginCondition);

/** Which logins a policy grants something to. */
export interface LoginCondition {
  /** The policy has an effect only for logins that are at least as strong; absent: for all. */
  readonly acr?: Acr;
}

/** A policy that can depend on the strength of the login. */
export type LoginDependentPolicy = Extract<ResourcePolicy, LoginCondition & { readonly kind: 'entity' | 'specific' }>;

/** Where a role counts: in the API, or in screens of other programs that use the same roles. */
export type RoleScope = 'API' | 'UI';

/** A role that grants rights on entities, attributes and named permissions. Rights of several roles add up. */
export interface ResourceRole {
  /** Unique among the resource roles; assignments and configuration name the role by it. */
  readonly code: string;
  /** The name for people. */
  readonly name: string;
  /** What the role is for. */
  readonly description?: string;
  /** A role counts for API calls only with the scope `API`. */
  readonly scopes: readonly RoleScope[];
  /** Codes of roles whose policies this one includes. */
  readonly childRoles: readonly string[];
  /** What the role grants, in addition to the policies of the child roles. */
  readonly policies: readonly ResourcePolicy[];
}

/** One rule on the rows of an entity. All rules of all roles of a user apply together (AND). */
export type RowPolicy =
  /**
   * In the entity query language; `{E}` is the instance. Applies to reading, inside the statement; to writing, by
   * one statement in the transaction (contract/row-policies.md#writing).
   */
  | {
      readonly kind: 'query';
      readonly entity: string;
      readonly where: string;
      /** Joins that the condition may use: `join {E}.lines l`. One joined row that satisfies the condition suffices. */
      readonly join?: string;
      /** Absent: for reading alone. For `update` the row must keep the rule before the change and after it. */
      readonly actions?: readonly EntityAction[];
    }
  /**
   * A pure function over the loaded instance and the caller: `session('current_user_country')`. For `create` and
   * `update` it is tested after the change, for `delete` before it.
   */
  | {
      readonly kind: 'predicate';
      readonly entity: string;
      readonly actions: readonly EntityAction[];
      /** Fetch plan properties the predicate reads. */
      readonly dependsOn: readonly string[];
      readonly test: (instance: Readonly<Record<string, unknown>>, session: (name: string) => unknown) => boolean;
    };

/** A role that hides rows. Policies of several roles apply together. */
export interface RowLevelRole {
  /** Unique among the row-level roles; assignments and configuration name the role by it. */
  readonly code: string;
  /** The name for people. */
  readonly name: string;
  /** The rules that all rows must keep for a user with this role. */
  readonly policies: readonly RowPolicy[];
}
