import { createUserAttributeReader } from '@lintel/application';
import { createSecurityLog } from '@lintel/telemetry';
import type { FeatureFactory } from '../feature.ts';
import { registerNeededRightRoute } from './needed-right.routes.ts';
import { registerPreviewRoutes } from './preview.routes.ts';
import { registerRolesRoutes } from './roles.routes.ts';
import { registerSeeAsRoutes } from './see-as.routes.ts';

/** Roles, and what other users may do and see. */
export const rightsFeature: FeatureFactory = ({ ports, config, accessOf, read }) => {
  const security = createSecurityLog({ logger: ports.logger });
  const deps = {
    path: config.paths.rightsPath,
    application: ports.application,
    database: ports.database,
    currentRoles: ports.currentRoles,
    accessOf,
    read,
    readUserAttributes: createUserAttributeReader(ports.application),
    auth: ports.authAdministration,
    security,
  };
  return {
    register({ rest }) {
      registerRolesRoutes(rest, deps);
      registerNeededRightRoute(rest, deps);
      registerPreviewRoutes(rest, deps);
      registerSeeAsRoutes(rest, deps);
    },
    close: async () => security.close(),
  };
};
