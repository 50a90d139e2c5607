import type { SessionStore } from '@lintel/cache';
import { ANONYMOUS, type Session } from '@lintel/contracts';
import type { AccountDirectory } from '../../accounts/account.ts';
import type { Clock } from '../../ports.ts';
import { ANONYMOUS_SESSION_ID, anonymousSession } from '../build-session.ts';

/** The anonymous session is read again after this time, in case an event was lost. */
const ANONYMOUS_TTL_MS = 10 * 60_000;

export interface AnonymousSessionDeps {
  readonly sessions: Pick<SessionStore, 'load' | 'save'>;
  readonly accounts: AccountDirectory;
  readonly clock: Clock;
}

/** The stored session of calls without a token; undefined if it has expired. */
export const loadAnonymous = ({ sessions }: Pick<AnonymousSessionDeps, 'sessions'>): Promise<Session | undefined> =>
  sessions.load(ANONYMOUS_SESSION_ID);

/** Stores the session of calls without a token; undefined if the user `anonymous` was disabled. */
export async function writeAnonymous(deps: AnonymousSessionDeps): Promise<Session | undefined> {
  const { accounts, sessions, clock } = deps;
  const account = await accounts.find(ANONYMOUS);
  if (account !== undefined && !account.isActive) return undefined;
  const session = anonymousSession(account, account ?? (await accounts.rolesOf(ANONYMOUS)), clock.now());
  await sessions.save(session, ANONYMOUS_TTL_MS);
  return session;
}
