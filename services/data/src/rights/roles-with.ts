import { type Access, buildAccess, type RoleRegistry } from '@lintel/security';

/** The resource roles that give a right alone, by code. */
export const rolesWith = (
  { resourceRoles }: Pick<RoleRegistry, 'resourceRoles'>,
  grants: (access: Access) => boolean,
): readonly string[] =>
  [...resourceRoles.keys()]
    .filter((code) => grants(buildAccess([code], resourceRoles, { requireApiScope: true })))
    .sort();
