import type { FeatureFactory } from '../feature.ts';
import { registerUserSessionRoutes } from './user-session.routes.ts';

/** The session of the caller. */
export const userSessionFeature: FeatureFactory = ({ ports, config }) => ({
  register: ({ rest }) =>
    registerUserSessionRoutes(rest, {
      path: config.paths.userSessionPath,
      availableLocales: config.availableLocales,
      sessions: ports.sessionLocales,
    }),
});
