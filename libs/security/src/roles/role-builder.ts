import type { EntityAction, ResourcePolicy, ResourceRole, RoleScope, RowLevelRole, RowPolicy } from './role.ts';

const ALL_ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];

/** Grants actions on an entity; `all` stands for the four. `*` is every entity. */
export const entityPolicy = (entity: string, ...actions: readonly (EntityAction | 'all')[]): ResourcePolicy => ({
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
export const specificPolicy = (name: string): ResourcePolicy => ({ kind: 'specific', name });

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

/**
 * A rule on rows in the entity query language, e.g. `{E}.address.country = :current_user_country`; with
 * `join`, e.g. `join {E}.lines l`, it holds where one of the joined rows keeps the condition.
 */
export const queryPolicy = (entity: string, where: string, join?: string): RowPolicy => ({
  kind: 'query',
  entity,
  where,
  ...(join === undefined ? {} : { join }),
});

/** Defines a row-level role. */
export const rowLevelRole = (
  code: string,
  options: { readonly name: string; readonly policies: readonly RowPolicy[] },
): RowLevelRole => Object.freeze({ code, ...options });
