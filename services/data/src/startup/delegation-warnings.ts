import { buildAccess, exceedingPolicies, type RoleRegistry, SYSTEM_ENTITIES } from '@lintel/security';
import type { DataConfig } from '../config.ts';
import { CHOOSE_OWNER } from '../webhooks/definitions/webhook-listeners.ts';

const MANAGE = ['passwords.manage', 'second-factors.manage', 'sessions.manage', 'api-keys.manage', CHOOSE_OWNER];
const WRITES = ['create', 'update', 'delete'] as const;

/**
 * What `svc.security.delegation` means for the present roles, in one sentence: the roles that administer users or roles
 * and do not have every right, or the danger of `unlimited`.
 */
export function delegationWarnings(
  delegation: DataConfig['delegation'],
  { resourceRoles }: Pick<RoleRegistry, 'resourceRoles'>,
): readonly string[] {
  const scope = { requireApiScope: false };
  const every = [...resourceRoles.keys()];
  const limited = every.filter((code) => {
    const access = buildAccess([code], resourceRoles, scope);
    const administers =
      SYSTEM_ENTITIES.some(({ name }) => WRITES.some((action) => access.allows(name, action))) ||
      MANAGE.some((name) => access.hasSpecific(name));
    return administers && exceedingPolicies(every, resourceRoles, access, scope).length > 0;
  });
  if (limited.length === 0) return [];
  const roles = limited.sort().join(', ');
  return [
    delegation === 'bounded'
      ? `svc.security.delegation=bounded: with ${roles} alone, users change only users and roles whose rights they have themselves, and give only such rights`
      : `svc.security.delegation=unlimited: users with ${roles} can get every right; bounded is the default`,
  ];
}
