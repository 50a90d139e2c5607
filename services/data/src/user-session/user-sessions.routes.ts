import { INTEGERS, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { assertSpecific } from '@lintel/security';
import type { Request, Router } from 'express';
import { ownerIn } from '../access/may-act-on.ts';
import type { Engine } from '../feature.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { otherUserOf, ownNameOf, textOf } from '../receiving/receive-user.ts';

/** The specific policy for the sessions of other users. */
const MANAGE = 'sessions.manage';
const DENIED = 'User is not allowed to see or end sessions of other users';
const NO_SESSION = 'There is no such session';

/** Lists and ends logins: of the caller, or with `sessions.manage` of any user (contract/user.md#user-sessions). */
export function registerUserSessionsRoutes(router: Router, { ports, config, accessOf, assertMayActOn }: Engine): void {
  const path = config.paths.userSessionPath;
  const { userSessions: sessions, authAdministration: auth } = ports;
  const mayManage = (principal: Principal): boolean => accessOf(principal).hasSpecific(MANAGE);
  const requireManage = (principal: Principal): void =>
    assertSpecific(accessOf(principal), MANAGE, 'ACCESS_DENIED', DENIED);
  /** The user that a request is about: the caller, or the one that it names. */
  const userOf = (request: Request, principal: Principal): string =>
    otherUserOf(request, principal, requireManage) ?? ownNameOf(principal);

  router.get(path, async (request, response) => {
    const { principal } = contextOf(request, response);
    const list = await sessions.list(userOf(request, principal));
    response.setHeader('Cache-Control', 'no-store');
    sendJson(
      response,
      200,
      list.map((each) => ({ ...each, current: each.id === principal.sessionId })),
    );
  });

  router.get(`${path}/history`, async (request, response) => {
    const { principal } = contextOf(request, response);
    const username = userOf(request, principal);
    const limit = numberOf(request, INTEGERS.logins);
    const offset = numberOf(request, INTEGERS.loginsOffset);
    const attempts = await sessions.history({ username, limit, offset });
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, attempts);
  });

  router.delete(path, async (request, response) => {
    const { principal } = contextOf(request, response);
    const username = userOf(request, principal);
    const clientId = textOf(request, 'clientId');
    await assertMayActOn(principal, username);
    const ended = await sessions.end({
      username,
      // The session of the request itself stays: it can be ended by its id.
      exceptSessionId: principal.sessionId,
      by: principal.username,
      ...(clientId !== undefined && { clientId }),
    });
    sendJson(response, 200, { ended });
  });

  router.delete(`${path}/:sessionId`, async (request, response) => {
    const { principal } = contextOf(request, response);
    const { sessionId = '' } = request.params;
    // The database cannot store the character, so no session has it.
    if (sessionId.includes('\0')) throw new PlatformError('REQ_NOT_FOUND', NO_SESSION);
    const selected = { sessionId: sessionId.slice(0, 100) };
    const owner = mayManage(principal)
      ? ownerIn(await auth.call('user-sessions/owner', selected))
      : ownNameOf(principal);
    if (owner === undefined) throw new PlatformError('REQ_NOT_FOUND', NO_SESSION);
    await assertMayActOn(principal, owner);
    const ended = await sessions.end({ ...selected, by: principal.username, username: owner });
    if (ended === 0) throw new PlatformError('REQ_NOT_FOUND', NO_SESSION);
    response.status(204).end();
  });
}
