import { PlatformError } from '@lintel/errors';
import { principalOf, shareCallerOf } from '@lintel/http';
import type { RequestHandler } from 'express';
import { runInShare } from './current-share.ts';
import type { LargeBodies } from './large-bodies.ts';

/**
 * Sets the caller for the fair queues of the databases and for that of large bodies, if any. To be used after
 * `authenticate`.
 */
export const shareRequests =
  (isHeavy: boolean, largeBodies?: LargeBodies): RequestHandler =>
  (request, response, next) => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    runInShare(
      { caller: shareCallerOf(request, principal), isHeavy, ...(largeBodies && { largeBodies }), transactions: 0 },
      next,
    );
  };
