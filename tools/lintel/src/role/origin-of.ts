import type { Application } from '@lintel/application';
import { BUILT_IN_ROLES } from '@lintel/security';

/** Where a role is defined. A row-level role with policies of the application and of the database is of the first. */
export function originOf(
  code: string,
  { resourceRoles, rowRoles }: Pick<Application, 'resourceRoles' | 'rowRoles'>,
): 'platform' | 'application' | 'database' {
  if (BUILT_IN_ROLES.some((role) => role.code === code)) return 'platform';
  return resourceRoles.has(code) || rowRoles.has(code) ? 'application' : 'database';
}
