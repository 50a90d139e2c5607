import type { JobDefinition } from '@lintel/application';
import { cancelRun, type Database, storeJobQueue } from '@lintel/persistence';

/** States of a run, in the order of a run's life. */
export const RUN_STATES = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;

/** A run as operators see it. It has no arguments, which may have values that are hidden from them. */
export interface StoredRun {
  readonly id: string;
  readonly job: string;
  readonly state: (typeof RUN_STATES)[number];
  /** Attempts that have begun. */
  readonly attempts: number;
  readonly priority: number;
  readonly queuedAt: string;
  readonly runAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly error: string | null;
  readonly progress: { readonly done: number; readonly of: number; readonly text?: string } | null;
}

/** Which runs are listed. */
export interface RunSelection {
  readonly jobs: readonly string[];
  readonly state: string | undefined;
  /** The last run of the page before: microseconds of its time, and its id. */
  readonly after: { readonly micros: string; readonly id: string } | undefined;
  readonly limit: number;
}

const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const COLUMNS = `SELECT j.id, (extract(epoch FROM j.created_on) * 1000000)::bigint::text AS micros, jsonb_build_object(
  'id', j.id, 'job', j.name, 'state', j.state, 'priority', j.priority,
  'attempts', CASE WHEN j.started_on IS NULL THEN 0 ELSE j.retry_count + 1 END,
  'queuedAt', ${iso('j.created_on')}, 'runAt', ${iso('j.start_after')}, 'startedAt', ${iso('j.started_on')},
  'endedAt', ${iso('j.completed_on')}, 'error', j.output->>'message', 'progress', j.output->'progress')::text AS run
FROM job.job j`;

const LIST = `${COLUMNS} WHERE j.name = ANY($1) AND ($2::text IS NULL OR j.state::text = $2)
  AND ($3::bigint IS NULL OR (j.created_on, j.id) < ('epoch'::timestamptz + $3 * interval '1 microsecond', $4::uuid))
ORDER BY j.created_on DESC, j.id DESC LIMIT $5`;

const ONE = `${COLUMNS} WHERE j.name = ANY($1) AND j.id = $2`;

const RETRY = `UPDATE job.job SET state = 'retry', completed_on = NULL, start_after = job.job_now(),
  retry_limit = greatest(retry_limit, retry_count + 1)
WHERE name = $1 AND id = $2 AND state IN ('failed', 'cancelled') RETURNING id`;

const PAUSED = 'SELECT name FROM job.queue WHERE paused_at IS NOT NULL';

const PAUSE = 'UPDATE job.queue SET paused_at = job.job_now() WHERE name = $1 AND paused_at IS NULL';

/** Of the runs that the library has queued for scheduled times since the pause, which have no arguments, the last `$2` stay. */
const RESUME = `WITH paused AS (SELECT name, paused_at FROM job.queue WHERE name = $1 AND paused_at IS NOT NULL FOR UPDATE),
  missed AS (SELECT j.id FROM job.job j, paused p WHERE j.name = p.name AND j.state = 'created' AND NOT j.blocking
    AND j.data->'args' IS NULL AND j.created_on >= p.paused_at ORDER BY j.created_on DESC OFFSET $2),
  dropped AS (DELETE FROM job.job WHERE name = $1 AND state = 'created' AND id IN (SELECT id FROM missed))
UPDATE job.queue q SET paused_at = NULL FROM paused WHERE q.name = paused.name`;

interface RunRow {
  readonly id: string;
  readonly micros: string;
  readonly run: string;
}

/** Reads and changes runs, for operators. */
export const createRunStore = (database: Database) => ({
  /** The newest runs first; `next` continues the page. */
  async list({ jobs, state, after, limit }: RunSelection): Promise<{ runs: StoredRun[]; next: string | null }> {
    const values = [jobs, state ?? null, after?.micros ?? null, after?.id ?? null, limit + 1];
    const rows = await database.query<RunRow>({ text: LIST, values });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { runs: shown.map(({ run }) => JSON.parse(run)), next: last ? `${last.micros}.${last.id}` : null };
  },
  async find(jobs: readonly string[], id: string): Promise<StoredRun | undefined> {
    const [row] = await database.query<RunRow>({ text: ONE, values: [jobs, id] });
    return row && JSON.parse(row.run);
  },
  /** Whether there was a run to cancel. */
  cancel: (job: string, id: string) => database.transaction((transaction) => cancelRun(transaction, job, id)),
  /** Queues a failed or cancelled run again; whether there was one. */
  retry: async (job: string, id: string) => (await database.query({ text: RETRY, values: [job, id] })).length > 0,
  /** Names of the jobs of which no run begins. */
  paused: async (): Promise<ReadonlySet<string>> =>
    new Set((await database.query<{ name: string }>({ text: PAUSED, values: [] })).map(({ name }) => name)),
  /** No run of the job begins in any process, from a few seconds on. */
  async pause({ name, options }: JobDefinition): Promise<void> {
    // Without a process that runs jobs, the database does not know it.
    await storeJobQueue(database, { name, ...options });
    await database.query({ text: PAUSE, values: [name] });
  },
  /** Runs begin again. Scheduled times since the pause are missed ones. */
  resume: ({ name, options }: JobDefinition) =>
    database.query({ text: RESUME, values: [name, options.missed === 'skip' ? 0 : 1] }),
});
