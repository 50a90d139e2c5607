import type { FeatureFactory } from '../feature.ts';
import { registerPasswordChangeRoute } from './password-change.routes.ts';
import { registerSecondFactorRoutes } from './second-factors.routes.ts';
import { registerUserSessionRoutes } from './user-session.routes.ts';
import { registerUserSessionsRoutes } from './user-sessions.routes.ts';

/** The session of the caller. */
export const userSessionFeature: FeatureFactory = ({ ports, config, accessOf, assertMayActOn }) => ({
  register({ rest }) {
    const path = config.paths.userSessionPath;
    registerUserSessionRoutes(rest, {
      path,
      availableLocales: config.availableLocales,
      sessions: ports.sessionLocales,
    });
    const shared = { path, auth: ports.authAdministration, accessOf, assertMayActOn };
    registerSecondFactorRoutes(rest, { ...shared, factors: ports.secondFactors, now: () => ports.clock.now() });
    registerPasswordChangeRoute(rest, shared);
    registerUserSessionsRoutes(rest, { ...shared, sessions: ports.userSessions });
  },
});
