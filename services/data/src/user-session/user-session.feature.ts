import type { FeatureFactory } from '../feature.ts';
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
    registerUserSessionsRoutes(rest, { path, sessions: ports.userSessions, accessOf });
  },
});
