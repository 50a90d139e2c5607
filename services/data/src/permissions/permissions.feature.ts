import type { FeatureFactory } from '../feature.ts';
import { registerPermissionRoutes } from './permissions.routes.ts';

/** The permissions of the caller. */
export const permissionsFeature: FeatureFactory = ({ config, read, accessOf }) => ({
  register: ({ rest }) =>
    registerPermissionRoutes(rest, { path: config.paths.permissionsPath, currentModel: read.currentModel, accessOf }),
});
