import type { FeatureFactory } from '../feature.ts';
import { registerImportRoutes } from './imports.routes.ts';

/** Tables that become instances. */
export const importsFeature: FeatureFactory = ({ config, write }) => ({
  register: ({ rest }) => {
    const { maxImportBytes, unknownMembers } = config;
    registerImportRoutes(rest, { write, maxImportBytes, unknownMembers });
  },
});
