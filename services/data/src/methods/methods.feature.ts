import type { FeatureFactory } from '../feature.ts';
import { callRunsOf } from './background/call-runs.feature.ts';
import { methodOptions } from './method-options.ts';
import { registerMethodRoutes } from './methods.routes.ts';

/** The service methods of the application. */
export const methodsFeature: FeatureFactory = (engine) => ({
  register: ({ rest }) => {
    const { ports, config } = engine;
    registerMethodRoutes(rest, {
      ...methodOptions(engine),
      path: config.paths.servicesPath,
      versions: ports.application.modelVersions,
      unknownMembers: config.unknownMembers,
      runs: callRunsOf(engine),
    });
  },
});
