import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { assertSpecific } from '@lintel/security';
import type { Request, Router } from 'express';
import type { Engine } from '../feature.ts';
import { otherUserOf, ownNameOf } from '../receiving/receive-user.ts';
import { hasEnded } from './has-ended.ts';

const MANAGE = 'sessions.manage';
const DENIED = 'User is not allowed to see or end consents of other users';
const NO_CONSENTS = 'The caller has no consents: name a user with `username`';
const MAX_ID_LENGTH = 300;

/** What a user has allowed clients (contract/user.md#consents). */
export function registerConsentsRoutes(router: Router, { ports, config, accessOf, assertMayActOn }: Engine): void {
  const path = config.paths.userSessionPath;
  const auth = ports.authAdministration;
  const requireManage = (principal: Principal): void =>
    assertSpecific(accessOf(principal), MANAGE, 'ACCESS_DENIED', DENIED);
  /** The user that a request is about: the caller, or the one that it names. */
  const userOf = (request: Request, principal: Principal): string =>
    otherUserOf(request, principal, requireManage) ?? ownNameOf(principal, NO_CONSENTS);

  router.get(`${path}/consents`, async (request, response) => {
    const { principal } = contextOf(request, response);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, await auth.call('consents/list', { username: userOf(request, principal) }));
  });

  router.delete(`${path}/consents/:clientId`, async (request, response) => {
    const { principal } = contextOf(request, response);
    const clientId = (request.params['clientId'] ?? '').slice(0, MAX_ID_LENGTH);
    const username = userOf(request, principal);
    await assertMayActOn(principal, username);
    const body = await auth.call('consents/end', { username, clientId, by: principal.username });
    if (!hasEnded(body)) throw new PlatformError('REQ_NOT_FOUND', 'There is no such consent');
    response.status(204).end();
  });
}
