export type { Access, AccessAfterLogin } from './access/access.ts';
export { type AccessOf, createAccessDirectory, type RoleHolder } from './access/access-directory.ts';
export { acrFor, assertSpecific, assertStrongLogin, neededPolicy } from './access/assert-strong-login.ts';
export { buildAccess, collectPolicies, type RequestScope, type RoleDirectory } from './access/build-access.ts';
export { createDelegation, type Delegation, type Delegator, type HeldRoles } from './access/delegation.ts';
export { exceedingPolicies } from './access/exceeding-policies.ts';
export { reportOnce } from './access/report-once.ts';
export { surprisingRights } from './access/surprising-rights.ts';
export { ROLE_ENTITIES } from './entities/role-entities.ts';
export { RoleAssignment, SYSTEM_ENTITIES, User } from './entities/system-entities.ts';
export { type UserNameProblem, userNameKey, userNameProblem } from './names/user-name.ts';
export { assertPolicyReadable } from './roles/assert-policy-readable.ts';
export { pathProblem } from './roles/attribute-path.ts';
export { BUILT_IN_ROLES, SPECIFIC_PERMISSIONS, type SpecificPermission } from './roles/built-in-roles.ts';
export { parseCheckedCondition } from './roles/checked-condition.ts';
export * from './roles/role.ts';
export * from './roles/role-builder.ts';
export { resourceRoleProblems, rowLevelRoleProblems } from './roles/role-problems.ts';
export {
  type ApplicationRoles,
  applicationRoles,
  type RoleRegistry,
  roleReader,
} from './roles/role-registry.ts';
export { serverParameterProblem, serverParameters } from './roles/server-parameters.ts';
export { type PolicyCaller, sessionValue } from './roles/session-value.ts';
export {
  PolicyError,
  readResourcePolicy,
  readRowPolicy,
  type StoredResourcePolicy,
  type StoredRoles,
  type StoredRowPolicy,
} from './roles/stored-roles.ts';
export { unknownRowRoles } from './roles/unknown-row-roles.ts';
export { unprotectedChildren } from './roles/unprotected-children.ts';
