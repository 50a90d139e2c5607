import { suggestion } from '@lintel/errors';
import type { RoleRegistry } from '@lintel/security';

/**
 * Roles of `svc.rest.limits.role` that do not exist, one sentence each. They are no reason to refuse the start: roles can
 * be added to the database later.
 */
export const roleWarnings = (
  limits: Readonly<Record<string, unknown>>,
  { resourceRoles }: Pick<RoleRegistry, 'resourceRoles'>,
): readonly string[] =>
  Object.keys(limits)
    .filter((code) => !resourceRoles.has(code))
    .map(
      (code) =>
        `svc.rest.limits.role.${code} applies to no user: there is no role ${code}${suggestion(code, resourceRoles.keys())}`,
    );
