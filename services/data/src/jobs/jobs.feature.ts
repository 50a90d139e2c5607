import { createUserAttributeReader } from '@lintel/application';
import type { FeatureFactory } from '../feature.ts';
import { receiveOperator } from '../operations/receive-operator.ts';
import type { JobWorker } from './create-worker.ts';
import { registerJobsRoutes } from './jobs.routes.ts';
import { createRunJob } from './run-job.ts';

/** The jobs of the application. Without one nothing is started or loaded. */
export const jobsFeature: FeatureFactory = ({ ports, config, accessOf, write }) => {
  const { application, database } = ports;
  const { jobs = [] } = application;
  const logger = ports.logger.child({ component: 'jobs' });
  const readUserAttributes = createUserAttributeReader(application);
  let worker: JobWorker | undefined;
  return {
    register: ({ rest }) =>
      registerJobsRoutes(rest, {
        path: config.paths.operationsPath,
        guard: receiveOperator(accessOf),
        jobs,
        database,
        write,
        clock: ports.clock,
      }),
    async start() {
      if (jobs.length === 0) return;
      const { createWorker } = await import('./create-worker.ts');
      const runJob = createRunJob({ database, write, logger, readUserAttributes });
      worker = createWorker({ jobs, database, write, logger, runJob });
      await worker.start();
    },
    close: async () => worker?.stop(),
  };
};
