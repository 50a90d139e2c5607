import { createUserAttributeReader, type JobDefinition } from '@lintel/application';
import { CALL_JOB, hasLongCalls } from '@lintel/entities';
import type { Database } from '@lintel/persistence';
import type { Metrics } from '@lintel/telemetry';
import { createExportInBackground } from '../entities/background-exports.routes.ts';
import type { FeatureFactory } from '../feature.ts';
import { recordsJobs } from '../history/records-job.ts';
import { createUndoInBackground } from '../history/undo.routes.ts';
import { createImportInBackground } from '../imports/import-in-background.ts';
import { assertMails, mailJobs } from '../mails/mail-job.ts';
import { createCallJob } from '../methods/background/call-job.ts';
import { methodOptions } from '../methods/method-options.ts';
import { createCallInBackground } from '../methods/methods.routes.ts';
import { receiveOperator } from '../operations/receive-operator.ts';
import { deliveryJobs } from '../report-deliveries/delivery-job.ts';
import type { JobWorker } from './create-worker.ts';
import { registerJobsRoutes } from './jobs.routes.ts';
import { createRunJob } from './run-job.ts';

const STATES = ['queued', 'active', 'failed'] as const;

/** The library counts them every 30 seconds; all series of a collection are one statement. */
function observeRuns(metrics: Metrics, database: Database, jobs: readonly JobDefinition[]): void {
  let counts: Promise<ReadonlyMap<string, Readonly<Record<(typeof STATES)[number], number>>>> | undefined;
  const read = async () => {
    const text = `SELECT name, queued_count AS queued, active_count AS active, failed_count AS failed FROM job.queue`;
    const rows = await database.query<Record<(typeof STATES)[number], number> & { name: string }>({ text, values: [] });
    return new Map(rows.map((row) => [row.name, row]));
  };
  for (const { name } of jobs)
    for (const state of STATES)
      metrics.observe(
        'lintel.jobs.runs',
        async () => {
          counts ??= read().finally(() => setImmediate(() => (counts = undefined)));
          return (await counts).get(name)?.[state];
        },
        { queue: name, state },
      );
}

const OPEN_CALLS = `SELECT FROM job.job WHERE name = '${CALL_JOB.name}' AND state <= 'active' LIMIT 1`;

/** The jobs of the application, and of the platform. Where only imports need one, it starts with the first of them. */
export const jobsFeature: FeatureFactory = (engine) => {
  const { ports, config, accessOf, write } = engine;
  const { application, database } = ports;
  const readUserAttributes = createUserAttributeReader(application);
  const calls = createCallJob(
    {
      call: createCallInBackground(methodOptions(engine)),
      undo: createUndoInBackground(engine),
      imports: createImportInBackground({ files: ports.storedFiles, database, write }),
      exports: createExportInBackground(ports.storedFiles, {
        ...engine.read,
        accessOf,
        versions: application.modelVersions,
      }),
    },
    { database, readUserAttributes, clock: ports.clock },
  );
  const jobs = [
    ...(application.jobs ?? []),
    ...mailJobs(engine),
    ...deliveryJobs(engine),
    calls,
    ...recordsJobs(application, database),
  ];
  const logger = ports.logger.child({ component: 'jobs' });
  let starting: Promise<JobWorker> | undefined;
  const startWorker = async (): Promise<JobWorker> => {
    const { createWorker } = await import('./create-worker.ts');
    const runJob = createRunJob({ database, write, logger, metrics: ports.metrics, readUserAttributes });
    const worker = createWorker({ jobs, database, write, logger, runJob, isOnDemand: ports.runsJobsOnDemand === true });
    await worker.start();
    if (ports.metrics !== undefined) observeRuns(ports.metrics, database, jobs);
    return worker;
  };
  const begin = (): Promise<JobWorker> => {
    starting ??= startWorker();
    return starting;
  };
  return {
    register: ({ rest }) =>
      registerJobsRoutes(rest, {
        path: config.paths.operationsPath,
        guard: receiveOperator(accessOf),
        accessOf,
        jobs,
        database,
        write,
        clock: ports.clock,
      }),
    async start() {
      await assertMails(engine);
      if (config.runsJobs === false) return;
      const isOfImports = config.runsJobs !== true && jobs.length === 1 && !hasLongCalls(application);
      if (!isOfImports || (await database.query({ text: OPEN_CALLS, values: [] })).length > 0) await begin();
      else
        write.environment.jobs?.onWake(() => {
          begin().catch((error: unknown) => {
            starting = undefined;
            logger.error({ error }, 'the worker of imports has not started');
          });
        });
    },
    runDueJobs: async (wanted) => (await (await starting)?.runDue(wanted)) ?? [],
    close: async () => (await starting)?.stop(),
  };
};
