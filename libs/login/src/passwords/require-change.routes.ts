import { type EndSessionsRequest, requirePasswordChangeRequestSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { AccountDirectory } from '../login-ports.ts';
import type { PasswordChanges } from './change-password.ts';

export interface RequireChangeDeps {
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly changes: Pick<PasswordChanges, 'require'>;
  readonly endSessions: (request: EndSessionsRequest) => Promise<unknown>;
}

/** Route of the internal listener with which administrators require new passwords (contract/user.md#password-change). */
export function registerRequireChangeRoute(
  router: Router,
  { accounts, changes, endSessions }: RequireChangeDeps,
): void {
  router.post('/passwords/require-change', async (request, response) => {
    const { username, by } = await receiveJson(request, requirePasswordChangeRequestSchema);
    const account = await accounts.find(username);
    if (account === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such user');
    if (account.passwordHash === '')
      throw new PlatformError('REQ_INVALID_PARAMETER', 'username: the user has no password here');
    // First the requirement: a login that begins now needs the new password, too.
    await changes.require(account);
    await endSessions({ username: account.username, by });
    sendJson(response, 200, {});
  });
}
