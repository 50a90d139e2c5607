import {
  endSessionsRequestSchema,
  loginHistoryRequestSchema,
  sessionOwnerRequestSchema,
  userSessionsRequestSchema,
} from '@lintel/contracts';
import type { FeatureFactory } from '../feature.ts';
import { respondInternal } from '../respond-internal.ts';
import { followChanges, followRoles } from './follow-changes.ts';
import { endUserSessions, listUserSessions, type UserSessionsDeps } from './user-sessions.ts';

/** Sessions of users, and what administrators end with them. */
export const sessionsFeature: FeatureFactory<
  'ports' | 'accounts' | 'login' | 'logins' | 'loginSessions' | 'history' | 'security' | 'sessions' | 'grants'
> = ({ ports, login, logins, loginSessions, history, security, sessions, accounts, grants }) => {
  const deps: UserSessionsDeps = {
    logins,
    loginSessions,
    sessions: ports.sessions,
    sessionService: {
      // Otherwise the browser of an ended session would get a new one without a password.
      async endLogins(...[username, ended, reason]) {
        for (const { grantId } of ended) await loginSessions.endOfGrant(grantId);
        return sessions.endLogins(username, ended, reason);
      },
    },
  };
  return {
    register({ internal }) {
      respondInternal(internal, '/user-sessions', userSessionsRequestSchema, async ({ username }) => ({
        sessions: await listUserSessions(username, deps),
      }));
      respondInternal(internal, '/user-sessions/owner', sessionOwnerRequestSchema, async ({ sessionId }) => ({
        username: (await logins.find(sessionId))?.username ?? null,
      }));
      respondInternal(internal, '/user-sessions/end', endSessionsRequestSchema, async (end) => ({
        ended: await endUserSessions(end, deps),
      }));
      respondInternal(internal, '/user-sessions/history', loginHistoryRequestSchema, async (page) => ({
        attempts: await history.of(page),
      }));
      login.registerAdministration(internal, (request) => endUserSessions(request, deps));
    },
    follow: [
      () => followChanges(ports.bus, { sessions, loginSessions, accounts }, security),
      () => followRoles(ports.bus, sessions, security),
    ],
    repeated: [
      [grants.purgeExpired, 'expired grants were not removed'],
      [history.prune, 'expired attempts to log in were not removed'],
    ],
  };
};
