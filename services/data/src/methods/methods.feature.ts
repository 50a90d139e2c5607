import { CALL_RUNS_PATH } from '@lintel/contracts';
import { CALL_JOB } from '@lintel/entities';
import type { FeatureFactory } from '../feature.ts';
import { createCallRunStore } from './background/call-run-store.ts';
import { methodOptions } from './method-options.ts';
import { registerMethodRoutes } from './methods.routes.ts';

/** The service methods of the application. */
export const methodsFeature: FeatureFactory = (engine) => ({
  register: ({ rest }) => {
    const { ports, config, write } = engine;
    registerMethodRoutes(rest, {
      ...methodOptions(engine),
      path: config.paths.servicesPath,
      versions: ports.application.modelVersions,
      unknownMembers: config.unknownMembers,
      runs: {
        path: CALL_RUNS_PATH,
        store: createCallRunStore(ports.database),
        newId: () => ports.ids.next(),
        wake: () => write.environment.jobs?.wake(CALL_JOB.name),
      },
    });
  },
});
