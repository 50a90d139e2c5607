import { CALL_RUNS_PATH } from '@lintel/contracts';
import { CALL_JOB } from '@lintel/entities';
import type { FeatureFactory } from '../feature.ts';
import { createCallRunStore } from '../methods/background/call-run-store.ts';
import { registerImportRoutes } from './imports.routes.ts';

/** Tables that become instances. */
export const importsFeature: FeatureFactory = ({ ports, config, write }) => ({
  register: ({ rest }) => {
    const { maxImportBytes, unknownMembers } = config;
    const runs = {
      path: CALL_RUNS_PATH,
      store: createCallRunStore(ports.database),
      newId: () => ports.ids.next(),
      wake: () => write.environment.jobs?.wake(CALL_JOB.name),
    };
    registerImportRoutes(rest, { write, maxImportBytes, unknownMembers, runs, files: ports.storedFiles });
  },
});
