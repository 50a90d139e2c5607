import { CALL_RUNS_PATH } from '@lintel/contracts';
import { CALL_JOB } from '@lintel/entities';
import type { Engine } from '../../feature.ts';
import { createCallRunStore } from './call-run-store.ts';
import type { CallRunsOptions } from './call-runs.routes.ts';

/** The runs of calls that continue without their client. */
export const callRunsOf = ({ ports, config, write }: Engine): CallRunsOptions => ({
  basePath: config.paths.basePath,
  path: CALL_RUNS_PATH,
  store: createCallRunStore(ports.database),
  newId: () => ports.ids.next(),
  wake: () => write.environment.jobs?.wake(CALL_JOB.name),
});
