import type { FeatureFactory } from '../feature.ts';
import { registerMethodRoutes } from './methods.routes.ts';

/** The service methods of the application. */
export const methodsFeature: FeatureFactory = ({ ports, config, write, defaultLocale }) => ({
  register: ({ rest }) =>
    registerMethodRoutes(rest, {
      application: ports.application,
      write,
      defaultLocale,
      path: config.paths.servicesPath,
      versions: ports.application.modelVersions,
      clock: ports.clock,
    }),
});
