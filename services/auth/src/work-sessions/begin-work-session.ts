import { hash } from 'node:crypto';
import { AUDIENCE_REST, WORK_CLIENT_ID as CLIENT_ID, type workSessionRequestSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { z } from 'zod';
import type { AccountDirectory } from '../accounts/account.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import type { SessionService } from '../sessions/session-service.ts';

export interface WorkSessionDeps {
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly sessions: Pick<SessionService, 'open' | 'resume'>;
  readonly signer: Pick<TokenSigner, 'sign'>;
  readonly apiScope: string;
  readonly clock: Clock;
}

/** A run that waits has a token of this lifetime, too. */
const LIFE_MS = 24 * 3_600_000;
const MAX_JWT_SECONDS = 60;
/** Names that cannot log in. */
const WITHOUT_LOGIN: ReadonlySet<string> = new Set(['system', 'anonymous']);

/**
 * A JWT with which a service works for a user, such as the run of a report on a schedule. Its session is a login of the
 * user, one for all work: it follows all changes of the user, is in the user's list of sessions, and can be ended there,
 * until the next work begins.
 *
 * @throws PlatformError REQ_NOT_FOUND if there is no such active user
 */
export async function beginWorkSession(
  { username, userId }: z.infer<typeof workSessionRequestSchema>,
  { accounts, sessions, signer, apiScope, clock }: WorkSessionDeps,
): Promise<{ readonly jwt: string; readonly expiresAt: number }> {
  const account = await accounts.find(username);
  if (account?.isActive !== true || account.id !== userId || WITHOUT_LOGIN.has(username))
    throw new PlatformError('REQ_NOT_FOUND', 'There is no such active user');
  const sessionId = hash('sha256', `work of ${account.id}`, 'hex').slice(0, 32).toUpperCase();
  const client = { clientId: CLIENT_ID, accessTokenTtlMs: LIFE_MS, refreshTokenTtlMs: LIFE_MS };
  const session =
    (await sessions.resume(sessionId)) ??
    (await sessions.open(account, client, `${CLIENT_ID}:${account.id}`, undefined, { sessionId }));
  return signer.sign(
    { sub: session.username, aud: AUDIENCE_REST, client_id: CLIENT_ID, sid: session.id, scope: apiScope },
    Math.floor(clock.now() / 1_000) + MAX_JWT_SECONDS,
  );
}
