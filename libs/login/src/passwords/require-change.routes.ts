import { type EndSessionsRequest, requirePasswordChangeRequestSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Account, AccountDirectory } from '../login-ports.ts';
import type { PasswordChanges } from './change-password.ts';
import type { Passwords } from './create-passwords.ts';

const MINUTE_MS = 60_000;

export interface RequireChangeDeps {
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly changes: Pick<PasswordChanges, 'require'>;
  readonly resets: Passwords['resets'];
  readonly mailTexts: Passwords['mailTexts'];
  /** What mails call the installation. */
  readonly host: string;
  /** Life of a link. */
  readonly lifeMs: number;
  readonly endSessions: (request: EndSessionsRequest) => Promise<unknown>;
}

/** Route of the internal listener with which administrators require new passwords (contract/user.md#password-change). */
export function registerRequireChangeRoute(
  router: Router,
  { accounts, changes, endSessions, ...mails }: RequireChangeDeps,
): void {
  router.post('/passwords/require-change', async (request, response) => {
    const { username, by, mail } = await receiveJson(request, requirePasswordChangeRequestSchema);
    const account = await accounts.find(username);
    if (account === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such user');
    if (account.passwordHash === '')
      throw new PlatformError('REQ_INVALID_PARAMETER', 'username: the user has no password here');
    if (mail === true) await invite(account, mails);
    // First the requirement: a login that begins now needs the new password, too.
    await changes.require(account);
    await endSessions({ username: account.username, by });
    sendJson(response, 200, {});
  });
}

/** Sends the link before anything else: if it cannot be sent, nothing changes. */
async function invite(
  account: Account,
  { resets, mailTexts, host, lifeMs }: Pick<RequireChangeDeps, 'resets' | 'mailTexts' | 'host' | 'lifeMs'>,
): Promise<void> {
  const { locale } = account.attributes;
  const text = mailTexts(typeof locale === 'string' ? locale.replace('_', '-') : undefined);
  const facts = { host, minutes: Math.round(lifeMs / MINUTE_MS) };
  const isSent = await resets
    ?.invite(account, {
      subject: text('lintel.mail.invitation.subject', facts),
      text: (link) => text('lintel.mail.invitation.text', { ...facts, link }),
    })
    .catch((cause: unknown) => {
      throw new PlatformError('AUTH_UNAVAILABLE', 'The mail server did not accept the mail', { cause });
    });
  if (isSent === undefined)
    throw new PlatformError('REQ_INVALID_PARAMETER', 'mail: the server sends no mails (svc.mail.smtp-host)');
  if (!isSent)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      'mail: the user must be active, with an e-mail address, and gets at most 3 links in an hour',
    );
}
