import { type Principal, seeAsBody } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { assertSpecific } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import { loadCoveredUser } from './load-covered-user.ts';
import { receiveChecked } from './receive-rights.ts';
import type { RightsDeps } from './rights-deps.ts';

/** Sessions that see what another user sees (contract/rights.md#see-as). */
export function registerSeeAsRoutes(router: Router, deps: RightsDeps): void {
  const path = `${deps.path}/see-as`;
  const callerOf = (request: Request, response: Response): Principal => {
    const { principal } = contextOf(request, response);
    assertSpecific(
      deps.accessOf(principal),
      'sessions.see-as',
      'ACCESS_DENIED',
      'User is not allowed to see as another user',
    );
    if (principal.kind !== 'user' || principal.clientId.startsWith('api-key:'))
      throw new PlatformError('ACCESS_DENIED', 'Only a user with a login can see as another user');
    response.setHeader('Cache-Control', 'no-store');
    return principal;
  };

  router.post(path, async (request, response) => {
    const caller = callerOf(request, response);
    const { username } = await receiveChecked(request, seeAsBody);
    if (username === caller.username) throw new PlatformError('REQ_INVALID_PARAMETER', 'username: is the caller');
    const { account } = await loadCoveredUser(username, caller, deps);
    if (!account.isActive) throw new PlatformError('REQ_INVALID_PARAMETER', 'username: the user is disabled');
    const begun = await deps.auth.call('see-as/begin', {
      username,
      caller: { username: caller.username, sessionId: caller.sessionId },
    });
    sendJson(response, 201, begun as object);
  });

  router.delete(path, async (request, response) => {
    const caller = callerOf(request, response);
    await deps.auth.call('see-as/end', { sessionId: caller.sessionId });
    response.status(204).end();
  });
}
