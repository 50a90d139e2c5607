import type { FeatureFactory } from '../feature.ts';
import { registerAboutRoutes } from './about.routes.ts';

/** The version and the capabilities of the API. */
export const aboutFeature: FeatureFactory = ({ config }) => ({
  register: ({ rest }) =>
    registerAboutRoutes(rest, {
      capabilitiesPath: config.paths.capabilitiesPath,
      inlineFetchPlansEnabled: config.inlineFetchPlanEnabled,
    }),
});
