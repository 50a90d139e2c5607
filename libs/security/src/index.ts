export type { Access } from './access/access.ts';
export { buildAccess, type RequestScope, type RoleDirectory } from './access/build-access.ts';
export { RoleAssignment, SYSTEM_ENTITIES, User } from './entities/system-entities.ts';
export { BUILT_IN_ROLES, SPECIFIC_PERMISSIONS, type SpecificPermission } from './roles/built-in-roles.ts';
export * from './roles/role.ts';
export * from './roles/role-builder.ts';
