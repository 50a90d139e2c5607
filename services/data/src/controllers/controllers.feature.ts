import type { ControllerDefinition } from '@lintel/application';
import type { FeatureFactory } from '../feature.ts';
import { createFileTickets } from '../tickets/file-tickets.ts';
import { assertFreePaths } from './assert-free-path.ts';
import { registerControllerRoutes } from './controllers.routes.ts';

/** The controllers of the application, in and outside of the API. */
export const controllersFeature: FeatureFactory = ({ ports, config, write, defaultLocale }) => {
  const { application } = ports;
  const { controllers = [] } = application;
  const { basePath, ...ownPaths } = config.paths;
  assertFreePaths(controllers, basePath, [...Object.values(ownPaths), '/version']);
  const isInApi = ({ path }: ControllerDefinition): boolean => path.startsWith(`${basePath}/`);
  const options = {
    application,
    write,
    defaultLocale,
    sessionAttributes: application.sessionAttributes,
    changeSessionAttributes: ports.sessionLocales.changeAttributes,
    fileTickets: createFileTickets(ports.tickets, `${config.paths.basePath}${config.paths.filesPath}`),
  };
  return {
    register({ rest, outside }) {
      registerControllerRoutes(rest, {
        ...options,
        controllers: controllers.filter(isInApi),
        mountPath: basePath,
        before: [],
      });
      registerControllerRoutes(outside.router, {
        ...options,
        controllers: controllers.filter((each) => !isInApi(each)),
        mountPath: '',
        before: [outside.guard],
      });
    },
  };
};
