import type { Application } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { type Access, buildAccess } from '@lintel/security';

/** What a caller may do, decided from the roles of the session. */
export type AccessOf = (principal: Principal) => Access;

/** Sets of roles are few; more than this many means that somebody makes them up. */
const MAX_REMEMBERED = 1_000;

/**
 * Decides access once per set of roles. All roles of an anonymous caller count, of others those with the
 * scope `API` (contract-security-core.md §§2.4, 3.2).
 */
export function createAccessDirectory(application: Pick<Application, 'resourceRoles'>): AccessOf {
  const known = new Map<string, Access>();
  const decide = (resourceRoles: readonly string[], requireApiScope: boolean): Access => {
    const key = JSON.stringify([requireApiScope, [...resourceRoles].sort()]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const access = buildAccess(resourceRoles, application.resourceRoles, { requireApiScope });
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(key, access);
    return access;
  };
  // Requests of one session come with the same array, which spares them the search by content.
  const bySession = {
    api: new WeakMap<readonly string[], Access>(),
    anonymous: new WeakMap<readonly string[], Access>(),
  };
  return ({ kind, resourceRoles }) => {
    const isAnonymous = kind === 'anonymous';
    const remembered = isAnonymous ? bySession.anonymous : bySession.api;
    const access = remembered.get(resourceRoles) ?? decide(resourceRoles, !isAnonymous);
    remembered.set(resourceRoles, access);
    return access;
  };
}
