import type { JobDefinition } from '@lintel/application';
import type { WriteDependencies } from '@lintel/entities';
import { type Database, enqueueRun, storeJobQueue } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import { createPeriodicTask } from '@lintel/timing';
import { PgBoss } from 'pg-boss';
import { nextTimeOf } from '../schedules/next-time.ts';
import { bossDatabase } from './boss-database.ts';
import { createJobRunner, type JobRunner } from './create-job-runner.ts';
import { queueDueTime, queueDueTimes, runsEveryTime, storeSchedulePositions } from './queue-due-times.ts';
import { type DueRuns, runDue, type TriedRun } from './run-due.ts';
import type { RunJob } from './run-job.ts';
import { createRunStore } from './run-store.ts';
import { within } from './within.ts';

export interface WorkerOptions {
  readonly jobs: readonly JobDefinition[];
  readonly database: Database;
  readonly write: WriteDependencies;
  readonly runJob: RunJob;
  readonly logger: Logger;
  /** Whether jobs run by `runDue` alone. */
  readonly isOnDemand: boolean;
}

/** Runs the jobs of the application in this process; other processes may do the same. */
export interface JobWorker {
  /** @throws StartError for a schedule that cannot be read */
  start(): Promise<void>;
  /** Runs that are active may end; those that do not are aborted, and run again without the use of a retry. */
  stop(): Promise<void>;
  /** Runs what is due; only for jobs that run on demand. */
  runDue(wanted: DueRuns): Promise<readonly TriedRun[]>;
}

/** Longest wait for active runs at the end of the process. */
const STOP_MS = 10_000;
/** Aborted handlers may end within this time. */
const ABORT_MS = 1_000;

const SCHEDULE_SECONDS = 10;
/** How soon a process learns that a job is paused, or goes on. */
const PAUSE_MS = 2_000;

/** Without DDL, without tables of its own for what the platform does itself, and without a pool of its own. */
const SETTINGS = {
  schema: 'job',
  migrate: false,
  reindex: false,
  monitorVacuum: false,
  registerInstance: false,
  openTelemetry: { enabled: false },
  // A scheduled run starts within about these two.
  cronMonitorIntervalSeconds: SCHEDULE_SECONDS,
  cronWorkerIntervalSeconds: 1,
  superviseIntervalSeconds: 15,
  monitorIntervalSeconds: 30,
} as const;

/** Creates the worker; the database is first used by `start`. */
export function createWorker(options: WorkerOptions): JobWorker {
  const { jobs, database, write, runJob, logger, isOnDemand } = options;
  const own = isOnDemand ? { schedule: false, supervise: false } : {};
  const boss = new PgBoss({ ...SETTINGS, ...own, db: bossDatabase(database) });
  boss.on('error', (error) => logger.error({ error }, 'a statement of the queue of jobs has failed'));
  boss.on('warning', ({ message }) => logger.warn({ warning: message }, 'the queue of jobs needs attention'));
  const runners = new Map<string, JobRunner>();
  const wake = (name: string): void => runners.get(name)?.wake();
  // Runs that waited for others.
  boss.on('flow', () => [...runners.keys()].forEach(wake));
  const store = createRunStore(database);
  let paused: ReadonlySet<string> = new Set();
  const readPaused = async (): Promise<void> => {
    paused = await store.paused();
  };
  const pausing = createPeriodicTask(readPaused, PAUSE_MS, (error) =>
    logger.error({ error }, 'jobs that are paused could not be read'),
  );
  const everyTime = jobs.filter(runsEveryTime);
  const scheduling = createPeriodicTask(
    async () => (await queueDueTimes(database, everyTime)).forEach(wake),
    SCHEDULE_SECONDS * 1_000,
    (error) => logger.error({ error }, 'scheduled runs could not be queued'),
  );
  return {
    async start() {
      for (const one of jobs) {
        nextTimeOf(one, new Date());
        await storeJobQueue(database, { name: one.name, ...one.options });
      }
      await boss.start();
      if (isOnDemand) return;
      await storeSchedules(boss, jobs);
      await readPaused();
      pausing.start();
      for (const one of jobs) {
        const isPaused = (): boolean => paused.has(one.name);
        runners.set(one.name, createJobRunner(one, { boss, database, runJob, isPaused, logger }));
      }
      write.environment.jobs?.onWake(wake);
      await storeSchedulePositions(database, jobs);
      if (everyTime.length > 0) scheduling.start();
    },
    async stop() {
      await Promise.all([scheduling.stop(), pausing.stop()]);
      const all = [...runners.values()];
      const ended = Promise.all(all.map((runner) => runner.stop()));
      await within(STOP_MS, ended);
      await Promise.all(all.map((runner) => runner.cut()));
      await within(ABORT_MS, ended);
      await boss.stop({ graceful: false });
    },
    async runDue(wanted) {
      await readPaused();
      return runDue(
        {
          jobs: jobs.filter(({ name }) => !paused.has(name)),
          boss,
          runJob,
          queue: (job, due) =>
            due === undefined
              ? enqueueRun(
                  database,
                  { name: job.name, ...job.options },
                  { id: write.environment.ids.next(), json: '{}' },
                )
              : queueDueTime(database, job, due),
        },
        wanted,
      );
    },
  };
}

/** Replaces the schedules of the last release. */
async function storeSchedules(boss: PgBoss, jobs: readonly JobDefinition[]): Promise<void> {
  const scheduled = new Map(jobs.map(({ name, options }) => [name, options]));
  for (const { name } of await boss.getSchedules()) {
    const { schedule, missed } = scheduled.get(name) ?? {};
    if (schedule === undefined || missed === 'all') await boss.unschedule(name);
  }
  for (const [name, { schedule, timeZone = 'UTC', missed = 'once' }] of scheduled)
    if (schedule !== undefined && missed !== 'all') await boss.schedule(name, schedule, null, { tz: timeZone, missed });
}
