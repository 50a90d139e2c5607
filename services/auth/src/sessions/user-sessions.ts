import type { SessionStore } from '@lintel/cache';
import type { EndSessionsRequest, UserSession } from '@lintel/contracts';
import type { Login, LoginStore } from './login.ts';
import type { LoginSessions } from './login-sessions.ts';
import type { SessionService } from './session-service.ts';

export interface UserSessionsDeps {
  readonly logins: Pick<LoginStore, 'activeOf' | 'find'>;
  readonly sessions: Pick<SessionStore, 'lastSeenOf'>;
  readonly sessionService: Pick<SessionService, 'endLogins'>;
  readonly loginSessions: Pick<LoginSessions, 'endAllOf'>;
}

/** The logins of a user that have not ended, the newest first. */
export async function listUserSessions(
  username: string,
  { logins, sessions }: UserSessionsDeps,
): Promise<readonly UserSession[]> {
  const found = await logins.activeOf(username);
  const seen = await sessions.lastSeenOf(found.map(({ sessionId }) => sessionId));
  return found.map((login, index) => ({
    id: login.sessionId,
    clientId: login.clientId,
    startedAt: new Date(login.startedAt * 1000).toISOString(),
    lastUsedAt: timeOf(seen[index]),
    address: login.address ?? null,
    userAgent: login.userAgent ?? null,
  }));
}

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/**
 * Ends the logins that a request selects, with all their tokens. Returns their number. With all logins of a user those
 * of browsers end, too, except that of the excepted session.
 */
export async function endUserSessions(request: EndSessionsRequest, deps: UserSessionsDeps): Promise<number> {
  const candidates = await candidatesOf(request, deps);
  const { username, sessionId, clientId } = request;
  if (username !== undefined && sessionId === undefined && clientId === undefined) {
    const excepted = candidates.find((login) => login.sessionId === request.exceptSessionId);
    await deps.loginSessions.endAllOf(username, excepted?.grantId);
  }
  const selected = candidates.filter((login) => isSelected(login, request));
  const [first] = selected;
  if (first === undefined) return 0;
  const reason = request.by === first.username ? 'ended by the user' : 'ended by an administrator';
  await deps.sessionService.endLogins(first.username, selected, reason);
  return selected.length;
}

async function candidatesOf({ username, sessionId }: EndSessionsRequest, { logins }: UserSessionsDeps) {
  if (sessionId === undefined) return username === undefined ? [] : logins.activeOf(username);
  const login = await logins.find(sessionId);
  return login === undefined ? [] : [login];
}

const isSelected = (login: Login, { username, clientId, exceptSessionId }: EndSessionsRequest): boolean =>
  (username === undefined || login.username === username) &&
  (clientId === undefined || login.clientId === clientId) &&
  login.sessionId !== exceptSessionId;
