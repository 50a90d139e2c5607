import { type Acr, meetsAcr, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';

/** The authentication that a request needs. */
export interface NeededAuthentication {
  readonly acr?: Acr | undefined;
  /** Maximum age of the login. */
  readonly maxAgeSeconds?: number | undefined;
}

const DESCRIPTION = 'A stronger or newer login is required';

/** The 401 of RFC 9470 §3, which names what the client requests at the authorization endpoint. */
export function insufficientAuthentication({ acr, maxAgeSeconds }: NeededAuthentication): PlatformError {
  const needed = [
    ...(acr === undefined ? [] : [`acr_values="${acr}"`]),
    ...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
  ];
  const challenge = [
    'Bearer realm="oauth2-resource"',
    'error="insufficient_user_authentication"',
    `error_description="${DESCRIPTION}"`,
    ...needed,
  ];
  return new PlatformError('AUTH_STEP_UP_REQUIRED', DESCRIPTION, {
    headers: { 'WWW-Authenticate': challenge.join(', ') },
  });
}

/** Whether a login is as strong and as new as needed; one whose strength or time is not known is not. */
export const isSufficient = (
  { acr, authTime }: Pick<Principal, 'acr' | 'authTime'>,
  needed: NeededAuthentication,
  nowMs: number,
): boolean =>
  (needed.acr === undefined || meetsAcr(acr, needed.acr)) &&
  (needed.maxAgeSeconds === undefined || (authTime !== undefined && nowMs / 1_000 - authTime <= needed.maxAgeSeconds));
