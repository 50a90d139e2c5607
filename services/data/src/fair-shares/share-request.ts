import { PlatformError } from '@lintel/errors';
import { principalOf, type RouteHandler, shareCallerOf } from '@lintel/http';
import { runInShare } from './current-share.ts';
import type { LargeBodies } from './large-bodies.ts';

/** Runs the rest of a request with the share of its caller. */
export type ShareRequest = <T>(...parameters: [...Parameters<RouteHandler>, serve: () => T]) => T;

/** Sets the caller for the fair queues of the databases and for that of large bodies, if any. Needs the principal. */
export const shareRequest =
  (isHeavy: boolean, largeBodies?: LargeBodies): ShareRequest =>
  (request, response, serve) => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    const caller = shareCallerOf(request, principal);
    return runInShare({ caller, isHeavy, ...(largeBodies && { largeBodies }), transactions: 0 }, serve);
  };
