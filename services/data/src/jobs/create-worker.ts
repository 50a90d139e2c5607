import { setTimeout as sleep } from 'node:timers/promises';
import type { JobDefinition } from '@lintel/application';
import type { WriteDependencies } from '@lintel/entities';
import { type Database, storeJobQueue } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import { type Job, PgBoss } from 'pg-boss';
import { bossDatabase } from './boss-database.ts';
import { nextTimeOf } from './next-time.ts';
import type { RunJob } from './run-job.ts';

export interface WorkerOptions {
  readonly jobs: readonly JobDefinition[];
  readonly database: Database;
  readonly write: WriteDependencies;
  readonly runJob: RunJob;
  readonly logger: Logger;
}

/** Runs the jobs of the application in this process; other processes may do the same. */
export interface JobWorker {
  /** @throws StartError for a schedule that cannot be read */
  start(): Promise<void>;
  /** Runs that are active may end; those that do not are aborted, and run again without the use of a retry. */
  stop(): Promise<void>;
}

/** Longest wait for active runs at the end of the process. */
const STOP_MS = 10_000;
/** Parallel runs of a job that may overlap, in one process. */
const CONCURRENCY = 4;
/** How soon an active run learns that it is cancelled. */
const TOUCH_SECONDS = 2;

/** Without DDL, without tables of its own for what the platform does itself, and without a pool of its own. */
const SETTINGS = {
  schema: 'job',
  migrate: false,
  reindex: false,
  monitorVacuum: false,
  registerInstance: false,
  openTelemetry: { enabled: false },
  // A scheduled run starts within about these two.
  cronMonitorIntervalSeconds: 10,
  cronWorkerIntervalSeconds: 1,
  superviseIntervalSeconds: 15,
  monitorIntervalSeconds: 30,
} as const;

/** The end of the process is no failure of an attempt: another one may follow. */
const PERMIT_RETRY = `UPDATE job.job j SET retry_limit = j.retry_limit + 1
FROM unnest($1::text[], $2::uuid[], $3::int[]) AS cut (name, id, attempt)
WHERE j.name = cut.name AND j.id = cut.id AND j.state = 'active' AND j.retry_count = cut.attempt`;

/** Creates the worker; the database is first used by `start`. */
export function createWorker({ jobs, database, write, runJob, logger }: WorkerOptions): JobWorker {
  const boss = new PgBoss({ ...SETTINGS, db: bossDatabase(database) });
  boss.on('error', (error) => logger.error({ error }, 'a statement of the queue of jobs has failed'));
  boss.on('warning', ({ message }) => logger.warn({ warning: message }, 'the queue of jobs needs attention'));
  const workers = new Map<string, readonly string[]>();
  const active = new Set<Job<object>>();
  const runTracked: RunJob = async (job, run) => {
    active.add(run);
    try {
      return await runJob(job, run);
    } finally {
      active.delete(run);
    }
  };
  const wake = (name: string): void => {
    for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker);
  };
  return {
    async start() {
      for (const one of jobs) {
        nextTimeOf(one, new Date());
        await storeJobQueue(database, { name: one.name, ...one.options });
      }
      await boss.start();
      await storeSchedules(boss, jobs);
      for (const one of jobs) workers.set(one.name, await startWorkers(boss, one, runTracked));
      write.environment.jobs?.onWake(wake);
    },
    async stop() {
      const deadline = new AbortController();
      const ended = Promise.all(jobs.map(({ name }) => boss.offWork(name)));
      await Promise.race([ended, sleep(STOP_MS, undefined, deadline)]);
      deadline.abort();
      await permitRetry(database, [...active]).catch((error: unknown) =>
        logger.error({ error }, 'attempts that the end of the process cuts use up a retry'),
      );
      await boss.stop({ graceful: false });
    },
  };
}

async function permitRetry(database: Database, cut: readonly Job<object>[]): Promise<void> {
  if (cut.length === 0) return;
  const values = [cut.map(({ name }) => name), cut.map(({ id }) => id), cut.map(({ retryCount }) => retryCount)];
  await database.query({ text: PERMIT_RETRY, values });
}

/** Replaces the schedules of the last release. */
async function storeSchedules(boss: PgBoss, jobs: readonly JobDefinition[]): Promise<void> {
  const scheduled = new Map(jobs.map(({ name, options }) => [name, options.schedule]));
  for (const { name } of await boss.getSchedules()) if (scheduled.get(name) === undefined) await boss.unschedule(name);
  for (const { name, options } of jobs)
    if (options.schedule !== undefined)
      await boss.schedule(name, options.schedule, null, {
        tz: options.timeZone ?? 'UTC',
        missed: options.missed ?? 'once',
      });
}

/** Each worker has an id of its own, by which it is woken. */
async function startWorkers(boss: PgBoss, job: JobDefinition, runJob: RunJob): Promise<readonly string[]> {
  const ids: string[] = [];
  const count = job.options.overlap === true ? CONCURRENCY : 1;
  for (let at = 0; at < count; at++) {
    const id = await boss.work(job.name, { heartbeatRefreshSeconds: TOUCH_SECONDS }, async ([run]: Job<object>[]) => {
      try {
        return run && (await runJob(job, run));
      } finally {
        // Others may wait: by itself the library looks for them only after a pause.
        boss.notifyWorker(ids[at] ?? '');
      }
    });
    ids.push(id);
  }
  return ids;
}
