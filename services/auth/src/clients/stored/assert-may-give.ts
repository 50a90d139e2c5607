import type { Administrator } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';

interface Roles {
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
}

/**
 * Asserts that a client or key has no right that its administrator has not: the roles are among those of the
 * administrator, and the row-level roles, which hide rows, are at least those.
 *
 * @throws PlatformError ACCESS_DENIED
 */
export function assertMayGive(roles: Roles, { isUnlimited, resourceRoles, rowLevelRoles }: Administrator): void {
  if (isUnlimited || roles.resourceRoles.length === 0) return;
  const above = roles.resourceRoles.filter((role) => !resourceRoles.includes(role));
  if (above.length > 0)
    throw new PlatformError('ACCESS_DENIED', `resourceRoles: the caller does not have ${above.join(', ')}`);
  const without = rowLevelRoles.filter((role) => !roles.rowLevelRoles.includes(role));
  if (without.length > 0)
    throw new PlatformError('ACCESS_DENIED', `rowLevelRoles: must have those of the caller: ${without.join(', ')}`);
}
