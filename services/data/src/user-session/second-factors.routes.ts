import { ACR_TWO_FACTORS, appConfirmationBody, type Principal } from '@lintel/contracts';
import { insufficientAuthentication, PlatformError } from '@lintel/errors';
import { contextOf, isSufficient, sendJson } from '@lintel/http';
import { assertSpecific } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { Engine } from '../feature.ts';
import { receiveJson } from '../receiving/receive-json.ts';
import { otherUserOf, ownNameOf } from '../receiving/receive-user.ts';

/** The specific policy for the second factors of other users. */
const MANAGE = 'second-factors.manage';
const DENIED = 'User is not allowed to see or remove second factors of other users';
/** How old the login of a change may be: somebody else may have got the token. */
const MAX_AGE_SECONDS = 600;
const NO_FACTOR = 'There is no such second factor';

const REFUSALS = {
  'wrong-code': 'code is not the current code of the key',
  expired: 'offer has expired, or is not for this user',
  'too-many': 'The user has the maximum number of second factors',
} as const;

/** Lists and changes second factors: of the caller, or with `second-factors.manage` of any user (contract/user.md#second-factors). */
export function registerSecondFactorRoutes(router: Router, { ports, config, accessOf, assertMayActOn }: Engine): void {
  const { secondFactors: factors, clock } = ports;
  const path = `${config.paths.userSessionPath}/second-factors`;
  const begin = (request: Request, response: Response): Principal => {
    response.setHeader('Cache-Control', 'no-store');
    return contextOf(request, response).principal;
  };
  const requireManage = (principal: Principal): void =>
    assertSpecific(accessOf(principal), MANAGE, 'ACCESS_DENIED', DENIED);
  /** The user that the request names, if it is not the caller. */
  const otherOf = (request: Request, principal: Principal): string | undefined =>
    otherUserOf(request, principal, requireManage);
  /** The caller, whose login is new, and has two factors if the user has them. */
  const freshUser = async (principal: Principal): Promise<string> => {
    const username = ownNameOf(principal);
    const hasFactors = (await factors.list(username)).factors.length > 0;
    const needed = { acr: hasFactors ? ACR_TWO_FACTORS : undefined, maxAgeSeconds: MAX_AGE_SECONDS };
    if (!isSufficient(principal, needed, clock.now())) throw insufficientAuthentication(needed);
    return username;
  };

  /** Another user whose rights the caller has, or the caller after a new login. */
  const userToChange = async (request: Request, principal: Principal): Promise<string> => {
    const other = otherOf(request, principal);
    if (other === undefined) return freshUser(principal);
    await assertMayActOn(principal, other);
    return other;
  };

  router.get(path, async (request, response) => {
    const principal = begin(request, response);
    const username = otherOf(request, principal) ?? ownNameOf(principal);
    sendJson(response, 200, await factors.list(username));
  });
  router.post(`${path}/totp`, async (request, response) => {
    const username = await freshUser(begin(request, response));
    sendJson(response, 200, await factors.offer(username));
  });
  router.post(`${path}/totp/confirm`, async (request, response) => {
    const username = await freshUser(begin(request, response));
    const confirmed = await factors.confirm({ username, ...(await receiveConfirmation(request)) });
    if (confirmed.outcome !== 'added') throw new PlatformError('REQ_INVALID_PARAMETER', REFUSALS[confirmed.outcome]);
    const { id, recoveryCodes } = confirmed;
    sendJson(response, 201, recoveryCodes === undefined ? { id } : { id, recoveryCodes });
  });
  router.post(`${path}/recovery-codes`, async (request, response) => {
    const username = await freshUser(begin(request, response));
    const recoveryCodes = await factors.renewRecoveryCodes(username);
    if (recoveryCodes === null) throw new PlatformError('REQ_NOT_FOUND', 'Recovery codes need a second factor');
    sendJson(response, 200, { recoveryCodes });
  });
  router.delete(path, async (request, response) => {
    const principal = begin(request, response);
    const username = await userToChange(request, principal);
    sendJson(response, 200, { removed: await factors.remove({ username, by: principal.username }) });
  });
  router.delete(`${path}/:factorId`, async (request, response) => {
    const principal = begin(request, response);
    const username = await userToChange(request, principal);
    const id = z.uuid().safeParse(request.params['factorId']);
    const removed = id.success ? await factors.remove({ username, id: id.data, by: principal.username }) : 0;
    if (removed === 0) throw new PlatformError('REQ_NOT_FOUND', NO_FACTOR);
    response.status(204).end();
  });
}

async function receiveConfirmation(request: Request): Promise<z.infer<typeof appConfirmationBody>> {
  const parsed = appConfirmationBody.safeParse(await receiveJson(request));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PlatformError('REQ_INVALID_PARAMETER', `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? ''}`);
}
