import type { FeatureFactory } from '../feature.ts';
import { createFileTickets } from '../tickets/file-tickets.ts';
import { registerMethodRoutes } from './methods.routes.ts';

/** The service methods of the application. */
export const methodsFeature: FeatureFactory = ({ ports, config, write, defaultLocale }) => ({
  register: ({ rest }) =>
    registerMethodRoutes(rest, {
      application: ports.application,
      write,
      defaultLocale,
      sessionAttributes: ports.application.sessionAttributes,
      changeSessionAttributes: ports.sessionLocales.changeAttributes,
      fileTickets: createFileTickets(ports.tickets, `${config.paths.basePath}${config.paths.filesPath}`),
      path: config.paths.servicesPath,
      versions: ports.application.modelVersions,
      clock: ports.clock,
      unknownMembers: config.unknownMembers,
    }),
});
