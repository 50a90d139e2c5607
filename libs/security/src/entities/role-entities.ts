import { compositionOfMany, elements, standardEntity, string, text, toOne } from '@lintel/metadata';

/**
 * A resource role that administrators store in the database, in addition to those of the application
 * (contract/roles.md#definition). `scopes` contains `API` and `UI`; without `API` the role has no effect
 * on calls of the API. `childRoles` contains the codes of other roles.
 */
const ResourceRoleEntity = standardEntity('sec_ResourceRole', {
  attributes: {
    name: string(255).mandatory(),
    code: string(255).mandatory().unique(),
    description: text(),
    scopes: elements(10),
    childRoles: elements(255),
    resourcePolicies: compositionOfMany('sec_ResourcePolicy', 'role'),
  },
  instanceName: ['name'],
});

/**
 * One policy of a resource role: `type` is `entity`, `entityAttribute` or `specific`, `resource` and `action`
 * depend on the type (contract/roles.md#definition).
 */
const ResourcePolicyEntity = standardEntity('sec_ResourcePolicy', {
  attributes: {
    role: toOne('sec_ResourceRole').mandatory(),
    type: string(30)
      .mandatory()
      .pattern(/entity|entityAttribute|specific/),
    policyGroup: string(255),
    resource: string(500).mandatory(),
    action: string(30).mandatory(),
    effect: string(10)
      .mandatory()
      .default('allow')
      .pattern(/allow|step-up/),
  },
  instanceName: ['{type}', ' ', '{resource}', ' ', '{action}'],
});

/** A row-level role that administrators keep in the database (contract/row-policies.md#policies). */
const RowLevelRoleEntity = standardEntity('sec_RowLevelRole', {
  attributes: {
    name: string(255).mandatory(),
    code: string(255).mandatory().unique(),
    description: text(),
    rowLevelPolicies: compositionOfMany('sec_RowLevelPolicy', 'role'),
  },
  instanceName: ['name'],
});

/**
 * One policy of a row-level role. `type` is `query`, with `whereClause` in the entity query language, which is
 * a part of statements; or `predicate`, with `script`, a condition of that language which is tested on the
 * instance. It applies to the actions in `action`: `create`, `read`, `update`, `delete`, separated by commas
 * (contract/decisions.md#59, #73).
 */
const RowLevelPolicyEntity = standardEntity('sec_RowLevelPolicy', {
  attributes: {
    role: toOne('sec_RowLevelRole').mandatory(),
    type: string(30)
      .mandatory()
      .pattern(/query|predicate/),
    entityName: string(255).mandatory(),
    action: string(100).mandatory().default('read'),
    whereClause: text(),
    joinClause: text(),
    script: text(),
  },
  instanceName: ['{type}', ' ', '{entityName}'],
});

/** Entities that store the roles of the database; a change of an instance changes the rights of users. */
export const ROLE_ENTITIES = [
  ResourceRoleEntity,
  ResourcePolicyEntity,
  RowLevelRoleEntity,
  RowLevelPolicyEntity,
] as const;
