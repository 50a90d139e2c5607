import type { FeatureFactory } from '../feature.ts';
import { registerPasswordChangeRoute } from './password-change.routes.ts';
import { registerSecondFactorRoutes } from './second-factors.routes.ts';
import { registerUserSessionRoutes } from './user-session.routes.ts';
import { registerUserSessionsRoutes } from './user-sessions.routes.ts';

/** The session of the caller. */
export const userSessionFeature: FeatureFactory = ({ ports, config, accessOf }) => ({
  register({ rest }) {
    const path = config.paths.userSessionPath;
    registerUserSessionRoutes(rest, {
      path,
      availableLocales: config.availableLocales,
      sessions: ports.sessionLocales,
    });
    registerSecondFactorRoutes(rest, { path, factors: ports.secondFactors, accessOf, now: () => ports.clock.now() });
    registerPasswordChangeRoute(rest, { path, auth: ports.authAdministration, accessOf });
    registerUserSessionsRoutes(rest, { path, sessions: ports.userSessions, accessOf });
  },
});
