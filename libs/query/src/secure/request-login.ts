import { insufficientAuthentication, isPlatformError } from '@lintel/errors';
import type { ReadAccess } from '../access.ts';

/**
 * Runs a check of the caller's access. If it refuses, and would not do so after a stronger login of the caller, the
 * error requests that login.
 *
 * @throws PlatformError AUTH_STEP_UP_REQUIRED instead of ACCESS_READ_DENIED
 */
export function requestingLogin<T>(access: ReadAccess, check: (access: ReadAccess) => T): T {
  try {
    return check(access);
  } catch (error) {
    if (isRefusal(error)) assertNoLoginHelps(access, check);
    throw error;
  }
}

const isRefusal = (error: unknown): boolean => isPlatformError(error) && error.code === 'ACCESS_READ_DENIED';

function assertNoLoginHelps({ afterLogin }: ReadAccess, check: (access: ReadAccess) => unknown): void {
  if (afterLogin === undefined) return;
  if (isAccepted(afterLogin.access, check)) throw insufficientAuthentication({ acr: afterLogin.acr });
  assertNoLoginHelps(afterLogin.access, check);
}

function isAccepted(access: ReadAccess, check: (access: ReadAccess) => unknown): boolean {
  try {
    check(access);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
