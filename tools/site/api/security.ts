/**
 * Resource roles, row-level roles and their policies.
 *
 * @module
 */
export {
  type EntityAction,
  entityPolicy,
  type LoginCondition,
  type LoginDependentPolicy,
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
  requireAcr,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  User,
  viewAttributes,
} from '@lintel/security';
