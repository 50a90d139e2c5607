import type { EntityAction, ResourcePolicy } from '../roles/role.ts';
import type { Access } from './access.ts';
import { collectPolicies, type RequestScope, type RoleDirectory } from './build-access.ts';

const EVERY_ACTION: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];

/**
 * The policies of roles that grant something which an access does not have. Policies that need a stronger login count
 * as if the holder had it; a policy on all entities is only covered by another one on all entities.
 */
export const exceedingPolicies = (
  roleCodes: readonly string[],
  directory: RoleDirectory,
  access: Access,
  scope: RequestScope = { requireApiScope: true },
): readonly ResourcePolicy[] =>
  collectPolicies(roleCodes, directory, scope).filter((policy) => !isCovered(policy, access));

function isCovered(policy: ResourcePolicy, access: Access): boolean {
  switch (policy.kind) {
    case 'entity':
      return policy.actions.every((action) => EVERY_ACTION.includes(action) && access.allows(policy.entity, action));
    case 'attribute':
      return policy.action === 'modify'
        ? access.mayModify(policy.entity, policy.attribute)
        : access.mayView(policy.entity, policy.attribute);
    case 'specific':
      return access.hasSpecific(policy.name);
    default:
      return policy satisfies never;
  }
}
