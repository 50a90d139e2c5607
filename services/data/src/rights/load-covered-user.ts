import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { exceedingPolicies } from '@lintel/security';
import { principalOfUser, type UserWithPrincipal } from '../access/principal-of-user.ts';
import type { RightsDeps } from './rights-deps.ts';

type Deps = Pick<RightsDeps, 'database' | 'readUserAttributes' | 'currentRoles' | 'accessOf'>;

/** @throws PlatformError REQ_NOT_FOUND */
export async function loadUser(username: string, deps: Deps): Promise<UserWithPrincipal> {
  const user = await principalOfUser(username, 'rights', deps);
  if (user === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such user');
  return user;
}

/**
 * A user whose instances may be shown to the caller (contract/rights.md#limits): the caller has every right that the
 * user has, and no row-level role, since the same role may show other rows to another user.
 *
 * @throws PlatformError REQ_NOT_FOUND, ACCESS_DENIED
 */
export async function loadCoveredUser(username: string, caller: Principal, deps: Deps): Promise<UserWithPrincipal> {
  const user = await loadUser(username, deps);
  if (caller.rowLevelRoles.length > 0)
    throw new PlatformError('ACCESS_DENIED', 'A caller with row-level roles may not see what another user sees');
  const { resourceRoles } = deps.currentRoles();
  if (exceedingPolicies(user.principal.resourceRoles, resourceRoles, deps.accessOf(caller)).length > 0)
    throw new PlatformError('ACCESS_DENIED', 'The user has rights that the caller does not have');
  return user;
}
