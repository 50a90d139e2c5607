import { PlatformError } from '@lintel/errors';
import { contextOf } from '@lintel/http';
import { assertSpecific } from '@lintel/security';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { textOf } from '../receiving/receive-user.ts';

/** The specific policy for the passwords of users. */
const MANAGE = 'passwords.manage';
const DENIED = 'User is not allowed to require new passwords';

/** Requires that a user chooses a new password (contract/user.md#password-change). */
export function registerPasswordChangeRoute(router: Router, { ports, config, accessOf, assertMayActOn }: Engine): void {
  const path = config.paths.userSessionPath;
  router.post(`${path}/password-change`, async (request, response) => {
    const { principal } = contextOf(request, response);
    assertSpecific(accessOf(principal), MANAGE, 'ACCESS_DENIED', DENIED);
    const username = textOf(request, 'username');
    if (username === undefined) throw new PlatformError('REQ_INVALID_PARAMETER', 'username is required');
    const mail = textOf(request, 'mail') ?? 'false';
    if (mail !== 'true' && mail !== 'false')
      throw new PlatformError('REQ_INVALID_PARAMETER', 'mail must be true or false');
    await assertMayActOn(principal, username);
    await ports.authAdministration.call('passwords/require-change', {
      username,
      by: principal.username,
      mail: mail === 'true',
    });
    response.status(204).end();
  });
}
