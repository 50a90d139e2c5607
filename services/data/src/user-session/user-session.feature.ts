import type { FeatureFactory } from '../feature.ts';
import { registerPasswordChangeRoute } from './password-change.routes.ts';
import { registerSecondFactorRoutes } from './second-factors.routes.ts';
import { registerUserSessionRoutes } from './user-session.routes.ts';
import { registerUserSessionsRoutes } from './user-sessions.routes.ts';

/** The session of the caller. */
export const userSessionFeature: FeatureFactory = (engine) => ({
  register({ rest }) {
    registerUserSessionRoutes(rest, engine);
    registerSecondFactorRoutes(rest, engine);
    registerPasswordChangeRoute(rest, engine);
    registerUserSessionsRoutes(rest, engine);
  },
});
