import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { type AccessOf, assertSpecific } from '@lintel/security';
import type { Request, Router } from 'express';
import { textOf } from '../user-session/receive-user.ts';
import type { AuthAdministration } from './auth-administration.ts';

export interface ConsentsOptions {
  /** Prefix below the router: `/user-session`. */
  readonly path: string;
  readonly auth: AuthAdministration;
  readonly accessOf: AccessOf;
}

const MANAGE = 'sessions.manage';
const DENIED = 'User is not allowed to see or end consents of other users';
const MAX_ID_LENGTH = 300;

/** What a user has allowed clients (contract/user.md#consents). */
export function registerConsentsRoutes(router: Router, { path, auth, accessOf }: ConsentsOptions): void {
  /** The user that a request is about: the caller, or the one that it names. */
  const userOf = (request: Request, principal: Principal): string => {
    const { kind, username } = principal;
    const named = textOf(request, 'username');
    if (named !== undefined && !(kind === 'user' && named === username))
      assertSpecific(accessOf(principal), MANAGE, 'ACCESS_DENIED', DENIED);
    if (named === undefined && kind !== 'user')
      throw new PlatformError('ACCESS_DENIED', 'The caller has no consents: name a user with `username`');
    return named ?? username;
  };

  router.get(`${path}/consents`, async (request, response) => {
    const { principal } = contextOf(request, response);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, await auth.call('consents/list', { username: userOf(request, principal) }));
  });

  router.delete(`${path}/consents/:clientId`, async (request, response) => {
    const { principal } = contextOf(request, response);
    const clientId = (request.params['clientId'] ?? '').slice(0, MAX_ID_LENGTH);
    const username = userOf(request, principal);
    const body = await auth.call('consents/end', { username, clientId, by: principal.username });
    const hasEnded = typeof body === 'object' && body !== null && 'ended' in body && body.ended === true;
    if (!hasEnded) throw new PlatformError('REQ_NOT_FOUND', 'There is no such consent');
    response.status(204).end();
  });
}
