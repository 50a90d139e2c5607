import type { Acr } from '@lintel/contracts';
import { type ErrorCode, insufficientAuthentication, PlatformError } from '@lintel/errors';
import type { Access } from './access.ts';

/** The weakest login after which the caller would have a right; undefined if no login gives it. */
export function acrFor(
  { afterLogin }: Pick<Access, 'afterLogin'>,
  isGranted: (access: Access) => boolean,
): Acr | undefined {
  if (afterLogin === undefined) return undefined;
  return isGranted(afterLogin.access) ? afterLogin.acr : acrFor(afterLogin.access, isGranted);
}

/**
 * Called for a right that the caller does not have, before it is refused.
 *
 * @throws PlatformError AUTH_STEP_UP_REQUIRED if a stronger login of the caller has the right
 */
export function assertStrongLogin(access: Pick<Access, 'afterLogin'>, isGranted: (access: Access) => boolean): void {
  const acr = acrFor(access, isGranted);
  if (acr !== undefined) throw insufficientAuthentication({ acr });
}

/** Names the specific policy that a refusal is about; escaped, since names of applications have any characters. */
export const neededPolicy = (name: string): { readonly 'X-Needed-Policy': string } => ({
  'X-Needed-Policy': encodeURIComponent(name),
});

/**
 * Asserts that the caller has a specific permission.
 *
 * @param names the permission; or several, of which one is enough: for all entities, and for a single one
 * @throws PlatformError AUTH_STEP_UP_REQUIRED if a stronger login has it, otherwise with the code and the details, and
 *   the header `X-Needed-Policy` (contract/errors.md#needed-policy)
 */
export function assertSpecific(
  access: Pick<Access, 'hasSpecific' | 'afterLogin'>,
  names: string | readonly [string, ...string[]],
  code: ErrorCode,
  details: string,
): void {
  const enough = typeof names === 'string' ? ([names] as const) : names;
  const isGranted = ({ hasSpecific }: Pick<Access, 'hasSpecific'>): boolean => enough.some((name) => hasSpecific(name));
  if (isGranted(access)) return;
  assertStrongLogin(access, isGranted);
  throw new PlatformError(code, details, { headers: neededPolicy(enough[0]) });
}
