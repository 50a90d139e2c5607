import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { assertSpecific } from '@lintel/security';
import type { Router } from 'express';
import { ownerIn } from '../access/may-act-on.ts';
import type { Engine } from '../feature.ts';
import { receiveJson } from '../receiving/receive-json.ts';
import { otherUserOf, ownNameOf } from '../receiving/receive-user.ts';
import { hasEnded } from './has-ended.ts';

/** The specific policy for one's own new keys. */
const CREATE = 'api-keys.create';
/** The specific policy for the keys of other users. */
const MANAGE = 'api-keys.manage';
const DENIED = 'User is not allowed to see keys of other users';
const NO_KEYS = 'The caller is no user, and has no keys';
const MAX_ID_LENGTH = 100;

/** Keys with which scripts of a user call the API (contract/user.md#api-keys). */
export function registerApiKeysRoutes(router: Router, { ports, config, accessOf, assertMayActOn }: Engine): void {
  const path = config.paths.apiKeysPath;
  const auth = ports.authAdministration;
  const mayManage = (principal: Principal): boolean => accessOf(principal).hasSpecific(MANAGE);
  const requireManage = (principal: Principal): void =>
    assertSpecific(accessOf(principal), MANAGE, 'ACCESS_DENIED', DENIED);

  router.get(path, async (request, response) => {
    const { principal } = contextOf(request, response);
    const username = otherUserOf(request, principal, requireManage) ?? ownNameOf(principal, NO_KEYS);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, await auth.call('api-keys/list', { username }));
  });

  router.post(path, async (request, response) => {
    const { principal } = contextOf(request, response);
    const username = ownNameOf(principal, NO_KEYS);
    assertSpecific(accessOf(principal), CREATE, 'ACCESS_DENIED', 'User is not allowed to create keys');
    // Otherwise a key could make itself immortal.
    if (principal.clientId.startsWith('api-key:'))
      throw new PlatformError('ACCESS_DENIED', 'A key cannot create keys: log in');
    const creation = { username, resourceRoles: principal.resourceRoles, key: await receiveJson(request) };
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 201, await auth.call('api-keys/create', creation));
  });

  router.delete(`${path}/:keyId`, async (request, response) => {
    const { principal } = contextOf(request, response);
    const id = (request.params['keyId'] ?? '').slice(0, MAX_ID_LENGTH);
    const owner = mayManage(principal)
      ? ownerIn(await auth.call('api-keys/owner', { id }))
      : ownNameOf(principal, NO_KEYS);
    if (owner !== undefined) await assertMayActOn(principal, owner);
    const ended =
      owner !== undefined && (await auth.call('api-keys/end', { id, by: principal.username, username: owner }));
    if (!hasEnded(ended)) throw new PlatformError('REQ_NOT_FOUND', 'There is no such key');
    response.status(204).end();
  });
}
