import type { Principal } from '@lintel/contracts';
import { type Access, buildAccess, type RoleDirectory } from '@lintel/security';

/** Answers of callers with the same roles are kept; there are few combinations of roles. */
const MOST_KEPT = 1000;

/** What callers may do, by the application's roles. */
export function createAccessLoader(roles: RoleDirectory): (principal: Principal) => Access {
  const known = new Map<string, Access>();
  return (principal) => {
    const requireApiScope = principal.kind !== 'anonymous';
    const key = JSON.stringify([requireApiScope, principal.resourceRoles]);
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const access = buildAccess(principal.resourceRoles, roles, { requireApiScope });
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, access);
    return access;
  };
}
