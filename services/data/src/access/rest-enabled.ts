import { PlatformError } from '@lintel/errors';
import { principalOf, type RequestCheck } from '@lintel/http';
import { type AccessOf, assertSpecific } from '@lintel/security';

/**
 * Refuses callers without `rest.enabled`, before any other check (contract/decisions.md#39). Exempt are anonymous
 * patterns and the paths of `isExempt`.
 */
export function requireRestEnabled(options: {
  readonly accessOf: AccessOf;
  readonly isExempt: (path: string) => boolean;
}): RequestCheck {
  return (request, response) => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    // Most callers have the permission: only for others the path is compared with the patterns.
    const access = options.accessOf(principal);
    if (!access.hasSpecific('rest.enabled') && !options.isExempt(request.originalUrl))
      assertSpecific(access, 'rest.enabled', 'ACCESS_REST_DENIED', 'User is not allowed to use the REST API');
  };
}
