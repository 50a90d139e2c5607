import type { JobDefinition } from '@lintel/application';
import type { PgBoss } from 'pg-boss';
import { nextTimeOf } from '../schedules/next-time.ts';
import { dueTimesOf, runsEveryTime } from './queue-due-times.ts';
import type { RunJob, TakenRun } from './run-job.ts';

/** An attempt of a run. */
export interface TriedRun {
  readonly job: string;
  readonly id: string;
  readonly attempt: number;
  /** Absent if the run has ended. */
  readonly error?: string;
}

/** The due runs that are wanted. */
export interface DueRuns {
  /** Names of jobs; all by default. */
  readonly jobs?: readonly string[];
  /** A time that has passed: a job whose schedule was due in it runs once, or for each missed time. */
  readonly passed?: { readonly from: Date; readonly to: Date };
}

export interface DueDependencies {
  readonly jobs: readonly JobDefinition[];
  readonly boss: Pick<PgBoss, 'fetch' | 'complete' | 'fail' | 'resolveFlow'>;
  readonly runJob: RunJob;
  /** `due`: the scheduled time of the run, for jobs that run at each. */
  readonly queue: (job: JobDefinition, due?: Date) => Promise<void>;
}

/** More are jobs that queue themselves without an end. */
const MAX_RUNS = 1_000;

/**
 * Runs what is due, one run after the other in the order of the jobs, and what these runs queue.
 *
 * @throws Error if there is no end
 */
export async function runDue(
  { jobs, boss, runJob, queue }: DueDependencies,
  { jobs: names, passed }: DueRuns,
): Promise<readonly TriedRun[]> {
  const wanted = jobs.filter(({ name }) => names?.includes(name) ?? true);
  if (passed !== undefined)
    for (const job of wanted)
      if (runsEveryTime(job)) for (const due of dueTimesOf(job, passed.from, passed.to)) await queue(job, due);
      else if ((nextTimeOf(job, passed.from) ?? Infinity) <= passed.to) await queue(job);
  const tried: TriedRun[] = [];
  const pass = async (): Promise<boolean> => {
    const before = tried.length;
    for (const job of wanted)
      for (const run of await boss.fetch<TakenRun['data']>(job.name)) {
        if (tried.length === MAX_RUNS)
          throw new Error(`There are more than ${MAX_RUNS} runs; the last is of ${job.name}`);
        tried.push(await attempt(job, run, { boss, runJob }));
      }
    return tried.length > before;
  };
  for (let isProgress = true; isProgress; ) {
    isProgress = await pass();
    if (isProgress) continue;
    // Runs that waited for others.
    await boss.resolveFlow();
    isProgress = await pass();
  }
  return tried;
}

async function attempt(
  job: JobDefinition,
  run: TakenRun,
  { boss, runJob }: Pick<DueDependencies, 'boss' | 'runJob'>,
): Promise<TriedRun> {
  const { timeout = 900 } = job.options;
  const tried = { job: job.name, id: run.id, attempt: run.retryCount + 1 };
  try {
    await boss.complete(job.name, run.id, await runJob(job, run, AbortSignal.timeout(timeout * 1_000)));
    return tried;
  } catch (error) {
    await boss.fail(job.name, run.id, error as object);
    return { ...tried, error: (error as Error).message };
  }
}
