import type { FeatureFactory } from '../feature.ts';
import { followChanges, followRoles } from './follow-changes.ts';
import { registerUserSessionRoutes } from './user-sessions.routes.ts';
import { endUserSessions, type UserSessionsDeps } from './user-sessions.ts';

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
      registerUserSessionRoutes(internal, { ...deps, history });
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
