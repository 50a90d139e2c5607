import type { FeatureFactory } from '../feature.ts';
import { registerImportRoutes } from './imports.routes.ts';

/** Tables that become instances. */
export const importsFeature: FeatureFactory = ({ config, write }) => ({
  register: ({ rest }) => registerImportRoutes(rest, { write, maxImportBytes: config.maxImportBytes }),
});
