import type { JobDefinition } from '@lintel/application';
import { runIdOf } from '@lintel/entities';
import { type Database, enqueueRun, type StatementRunner } from '@lintel/persistence';
import { nextTimeOf } from '../schedules/next-time.ts';

/** Times of a job that are queued together; those after them follow. */
const MAX_TIMES = 1_000;

/** Older times are not made up for: the runs of that time are deleted, too. The clock of the database decides. */
const TAKE = `SELECT name, floor(extract(epoch FROM job.job_now()) * 1000)::text AS now,
  floor(extract(epoch FROM greatest(scheduled_until, job.job_now() - interval '30 days')) * 1000)::text AS since
FROM job.queue WHERE name = ANY($1) AND scheduled_until IS NOT NULL AND paused_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`;

const MOVE = 'UPDATE job.queue SET scheduled_until = $2 WHERE name = $1';

const STORE = `UPDATE job.queue SET scheduled_until = CASE WHEN name = ANY($1) THEN job.job_now() END
WHERE (scheduled_until IS NOT NULL) <> (name = ANY($1))`;

/** Whether each scheduled time has a separate run: the library queues one run for all that were missed. */
export const runsEveryTime = ({ options }: JobDefinition): boolean => options.missed === 'all';

/** Times of a job after `from` up to `to`, at most 1,000 of them. */
export function dueTimesOf(job: JobDefinition, from: Date, to: Date): readonly Date[] {
  const times: Date[] = [];
  for (let next = nextTimeOf(job, from); next !== undefined && next <= to && times.length < MAX_TIMES; ) {
    times.push(next);
    next = nextTimeOf(job, next);
  }
  return times;
}

/** Queues the run for a scheduled time, unless there is one. Runs of the same moment begin in the order of `runAt`. */
export const queueDueTime = (runner: StatementRunner, { name, options }: JobDefinition, due: Date): Promise<void> =>
  enqueueRun(
    runner,
    { name, ...options },
    { id: runIdOf(name, `due ${due.toISOString()}`), json: '{}', runAt: due, due },
  );

/** Stores which jobs run at each time: those that are new begin now. */
export const storeSchedulePositions = (database: Database, jobs: readonly JobDefinition[]) =>
  database.query({ text: STORE, values: [jobs.filter(runsEveryTime).map(({ name }) => name)] });

/**
 * Queues a run for each scheduled time since the last call, of this or another process: jobs that another process has
 * at hand are left to it.
 *
 * @returns names of the jobs that have new runs
 */
export const queueDueTimes = (database: Database, jobs: readonly JobDefinition[]): Promise<readonly string[]> =>
  database.transaction(async (transaction) => {
    const values = [jobs.map(({ name }) => name)];
    const rows = await transaction.query<Record<'name' | 'since' | 'now', string>>({ text: TAKE, values });
    const queued: string[] = [];
    for (const { name, since, now } of rows) {
      const found = jobs.find((job) => job.name === name);
      const times = found && dueTimesOf(found, new Date(Number(since)), new Date(Number(now)));
      const last = times?.at(-1);
      if (found === undefined || times === undefined || last === undefined) continue;
      for (const due of times) await queueDueTime(transaction, found, due);
      await transaction.query({ text: MOVE, values: [name, last.toISOString()] });
      queued.push(name);
    }
    return queued;
  });
