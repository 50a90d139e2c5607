/**
 * Resource roles, row-level roles and their policies.
 *
 * @module
 */
export {
  type EntityAction,
  entityPolicy,
  modifyAttributes,
  type PredicatePolicyOptions,
  predicatePolicy,
  type QueryPolicyOptions,
  queryPolicy,
  type ResourcePolicy,
  type ResourceRole,
  type RoleScope,
  type RowLevelRole,
  type RowPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  User,
  viewAttributes,
} from '@lintel/security';
