import { createUserAttributeReader } from '@lintel/application';
import type { FeatureFactory } from '../feature.ts';
import type { JobWorker } from './create-worker.ts';
import { createRunJob } from './run-job.ts';

/** The jobs of the application. Without one nothing is started or loaded. */
export const jobsFeature: FeatureFactory = ({ ports, write }) => {
  const { application, database } = ports;
  const { jobs = [] } = application;
  const logger = ports.logger.child({ component: 'jobs' });
  const readUserAttributes = createUserAttributeReader(application);
  let worker: JobWorker | undefined;
  return {
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
