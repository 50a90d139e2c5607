import type { FeatureFactory } from '../feature.ts';
import { callRunsOf } from '../methods/background/call-runs.feature.ts';
import { registerImportRoutes } from './imports.routes.ts';

/** Tables that become instances. */
export const importsFeature: FeatureFactory = (engine) => ({
  register: ({ rest }) => {
    const { ports, config, write } = engine;
    const { maxImportBytes, unknownMembers } = config;
    const runs = callRunsOf(engine);
    registerImportRoutes(rest, { write, maxImportBytes, unknownMembers, runs, files: ports.storedFiles });
  },
});
