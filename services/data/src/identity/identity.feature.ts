import type { FeatureFactory } from '../feature.ts';
import { registerApiKeysRoutes } from './api-keys.routes.ts';
import { registerClientsRoutes } from './clients.routes.ts';
import { registerConsentsRoutes } from './consents.routes.ts';

/** What administrators and users manage at auth. */
export const identityFeature: FeatureFactory = (engine) => ({
  register({ rest }) {
    registerApiKeysRoutes(rest, engine);
    registerConsentsRoutes(rest, engine);
    registerClientsRoutes(rest, engine);
  },
});
