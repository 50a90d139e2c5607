import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { principalOf } from '@lintel/http';
import type { RequestHandler } from 'express';

/**
 * Refuses callers without `rest.enabled`, before any other check (contract/decisions.md#39). Exempt are anonymous
 * patterns and the paths of `isExempt`.
 */
export function requireRestEnabled(options: {
  readonly hasSpecific: (principal: Principal, name: string) => boolean;
  readonly isExempt: (path: string) => boolean;
}): RequestHandler {
  return (request, response, next) => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    // Most callers have the permission: only for others the path is compared with the patterns.
    if (!options.hasSpecific(principal, 'rest.enabled') && !options.isExempt(request.originalUrl))
      throw new PlatformError('ACCESS_REST_DENIED', 'User is not allowed to use the REST API');
    next();
  };
}
