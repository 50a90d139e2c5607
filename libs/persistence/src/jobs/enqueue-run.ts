import { traceparentOf } from '@lintel/telemetry';
import type { Statement, StatementRunner } from '../database.ts';

/** Settings of a job, as the database stores them. */
export interface JobQueueSettings {
  readonly name: string;
  /** Whether several runs may be active at the same time; `groups`: those with different groups. */
  readonly overlap?: boolean | 'groups' | undefined;
  /** Seconds of one attempt. */
  readonly timeout?: number | undefined;
  /** Attempts after the first one. */
  readonly retries?: number | undefined;
}

/** A run that is queued. */
export interface QueuedRun {
  readonly id: string;
  /** The arguments. */
  readonly json: string;
  /** At once by default. */
  readonly runAt?: Date | undefined;
  /** 0 by default. */
  readonly priority?: number;
  /** The scheduled time that the run is for. */
  readonly due?: Date;
  /** Who queues it: users have fair shares. */
  readonly user?: string;
  readonly group?: string | undefined;
  /** The run that has to complete before. */
  readonly after?: { readonly name: string; readonly id: string } | undefined;
}

const DAY_SECONDS = 86_400;

/** The options of `job.create_queue`, which each run has when it is queued. */
export const queueOptionsOf = ({ overlap = false, timeout = 900, retries = 3 }: JobQueueSettings) => ({
  // Of a `singleton` queue only one run of each group is active, by a unique index.
  policy: overlap === true ? 'standard' : 'singleton',
  expireInSeconds: timeout,
  retryLimit: retries,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3_600,
  // Runs of a process that died are run again this much later.
  heartbeatSeconds: 30,
  // Waiting runs are never dropped; those that have ended are.
  retentionSeconds: 10 * 365 * DAY_SECONDS,
  deleteAfterSeconds: 30 * DAY_SECONDS,
});

const CREATE = 'SELECT job.create_queue($1, $2::jsonb)';

const CHANGE = `WITH given AS (SELECT $2::jsonb AS o)
UPDATE job.queue SET policy = o->>'policy', expire_seconds = (o->>'expireInSeconds')::int,
  retry_limit = (o->>'retryLimit')::int, updated_on = now()
FROM given WHERE name = $1 AND (policy, expire_seconds, retry_limit)
  IS DISTINCT FROM (o->>'policy', (o->>'expireInSeconds')::int, (o->>'retryLimit')::int)`;

/** Waiting runs follow the declaration, too, but not in the attempts that are left to one that has begun. */
const FOLLOW = `UPDATE job.job j SET policy = q.policy, expire_seconds = q.expire_seconds,
  singleton_key = CASE WHEN $2 THEN j.singleton_key END,
  retry_limit = CASE j.state WHEN 'created' THEN q.retry_limit ELSE j.retry_limit END
FROM job.queue q WHERE q.name = $1 AND j.name = q.name AND j.state < 'active'
  AND ((j.policy, j.expire_seconds) IS DISTINCT FROM (q.policy, q.expire_seconds)
    OR NOT $2 AND j.singleton_key IS NOT NULL OR j.state = 'created' AND j.retry_limit <> q.retry_limit)`;

/** Stores what the application declares of a job. */
export async function storeJobQueue(runner: StatementRunner, settings: JobQueueSettings): Promise<void> {
  const values = [settings.name, JSON.stringify(queueOptionsOf(settings))];
  await runner.query({ text: CREATE, values });
  await runner.query({ text: CHANGE, values });
  await runner.query({ text: FOLLOW, values: [settings.name, settings.overlap === 'groups'] });
}

/** Before the first start of the data service, tools queue runs of a job that the database does not know yet. */
const INSERT = `WITH made AS MATERIALIZED (
  SELECT job.create_queue($2, $5::jsonb) WHERE NOT EXISTS (SELECT FROM job.queue WHERE name = $2)),
  given AS (SELECT $5::jsonb AS o, coalesce($4::timestamptz, job.job_now()) AS start,
    (SELECT count(*) FROM made) AS created)
INSERT INTO job.job (id, name, data, priority, start_after, created_on, keep_until, policy, expire_seconds, deletion_seconds,
  retry_limit, retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds, group_id, singleton_key, blocked,
  pending_dependencies)
SELECT $1, $2, $3::jsonb, $6, start, job.job_now(), CASE WHEN $9::timestamptz IS NULL
    THEN start + (o->>'retentionSeconds')::int * interval '1 second' ELSE greatest(start, $9) + interval '60 days' END, o->>'policy',
  (o->>'expireInSeconds')::int, (o->>'deleteAfterSeconds')::int, (o->>'retryLimit')::int, (o->>'retryDelay')::int,
  (o->>'retryBackoff')::bool, (o->>'retryDelayMax')::int, (o->>'heartbeatSeconds')::int, $7, $8,
  $9 IS NOT NULL, ($9 IS NOT NULL)::int
FROM given WHERE created >= 0 ON CONFLICT DO NOTHING RETURNING id`;

/** The library looks at runs that block others when they have completed. One that has failed is deleted after 30 days. */
const BLOCK = `UPDATE job.job SET blocking = blocking OR state <> 'completed' WHERE name = $1 AND id = $2
RETURNING CASE WHEN state <> 'completed' THEN start_after END AS since`;

const DEPEND = `INSERT INTO job.job_dependency (child_name, child_id, parent_name, parent_id) VALUES ($1, $2, $3, $4)`;

/**
 * Queues a run; does nothing if there is a run of the job with this id. One statement, without `after`.
 *
 * @param send if given, sends this one statement of a transaction, which need not wait for it
 * @throws RangeError if there is no run `after`
 */
export async function enqueueRun(
  runner: StatementRunner,
  settings: JobQueueSettings,
  { id, json, runAt, priority = 0, due, user, group, after }: QueuedRun,
  send?: (statement: Statement) => void,
): Promise<void> {
  const options = JSON.stringify(queueOptionsOf(settings));
  // The run belongs to the trace of the request that queues it.
  const traceparent = traceparentOf();
  const more = JSON.stringify({ traceparent, due }).slice(1);
  const data = `{"args":${json}${more === '}' ? '' : ','}${more}`;
  const start = runAt?.toISOString() ?? null;
  const insert = (since: string | null) => ({
    name: 'enqueue-run',
    text: INSERT,
    values: [id, settings.name, data, start, options, priority, user ?? null, group ?? null, since],
  });
  if (after === undefined) {
    if (send === undefined) await runner.query(insert(null));
    else send(insert(null));
    return;
  }
  const [parent] = await runner.query<{ since: string | null }>({ text: BLOCK, values: [after.name, after.id] });
  if (parent === undefined) throw new RangeError(`after: there is no such run of ${after.name}`);
  const queued = await runner.query(insert(parent.since));
  if (parent.since !== null && queued.length > 0)
    await runner.query({ text: DEPEND, values: [settings.name, id, after.name, after.id] });
}

const CANCEL = `UPDATE job.job SET state = 'cancelled', completed_on = job.job_now()
WHERE name = $1 AND id = $2 AND state <= 'active' RETURNING started_on IS NULL AS is_new`;

const REMOVE = `DELETE FROM job.job WHERE name = $1 AND id = $2 AND state = 'cancelled' AND NOT blocking`;

/** Cancels a run; one that has not begun, and that no other one waits for, is removed. Returns whether there was one to cancel. */
export async function cancelRun(runner: StatementRunner, name: string, id: string): Promise<boolean> {
  const values = [name, id];
  const [cancelled] = await runner.query<{ is_new: boolean }>({ name: 'cancel-run', text: CANCEL, values });
  if (cancelled?.is_new === true) await runner.query({ name: 'remove-run', text: REMOVE, values });
  return cancelled !== undefined;
}
