import type { FeatureFactory } from '../feature.ts';
import { registerApiKeysRoutes } from './api-keys.routes.ts';
import { registerClientsRoutes } from './clients.routes.ts';
import { registerConsentsRoutes } from './consents.routes.ts';

/** What administrators and users manage at auth. */
export const identityFeature: FeatureFactory = ({ ports, config, accessOf, ceiling, assertMayActOn }) => ({
  register({ rest }) {
    const auth = ports.authAdministration;
    registerApiKeysRoutes(rest, { path: config.paths.apiKeysPath, auth, accessOf, assertMayActOn });
    registerConsentsRoutes(rest, { path: config.paths.userSessionPath, auth, accessOf, assertMayActOn });
    const { currentRoles, database } = ports;
    registerClientsRoutes(rest, { path: config.paths.clientsPath, auth, accessOf, currentRoles, ceiling, database });
  },
});
