import { PlatformError } from './platform-error.ts';

/** The authentication that a request needs. */
export interface NeededAuthentication {
  /** Value of the claim `acr`. */
  readonly acr?: string | undefined;
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
