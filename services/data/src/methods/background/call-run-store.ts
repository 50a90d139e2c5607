import type { CallerKey } from '@lintel/contracts';
import { CALL_JOB } from '@lintel/entities';
import { type Database, enqueueRun } from '@lintel/persistence';
import type { Failure } from '../../access/run-failure.ts';
import type { CallArguments } from './call-job.ts';

/** A call that continues without its client, in the form of runs of reports. */
export interface CallRun {
  readonly id: string;
  readonly service: string;
  readonly method: string;
  readonly status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly progress?: { readonly done: number; readonly of: number; readonly text?: string };
  readonly error?: Failure;
}

interface FoundRun {
  readonly run: CallRun;
  readonly result: string | undefined;
  readonly hash: string | null;
}

const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A run as JSON; `$3` is the error of an attempt that was cut. */
const RUN = `(jsonb_strip_nulls(jsonb_build_object('id', id, 'service', data->'args'->>'service',
  'method', data->'args'->>'method',
  'status', CASE state WHEN 'created' THEN 'QUEUED' WHEN 'retry' THEN 'QUEUED' WHEN 'active' THEN 'RUNNING'
    WHEN 'completed' THEN 'SUCCEEDED' ELSE upper(state::text) END,
  'createdAt', ${iso('created_on')}, 'startedAt', ${iso('started_on')}, 'finishedAt', ${iso('completed_on')},
  'progress', output->'progress')) ||
  CASE WHEN state = 'failed' THEN jsonb_build_object('error', coalesce(output->'failure', $3::jsonb)) ELSE '{}' END)::text AS run`;

/** The name is in the text, as in the index. */
const OF_CALLER = `FROM job.job WHERE name = '${CALL_JOB.name}' AND data->'args'->>'caller' = $1`;

const FIND = `SELECT ${RUN}, output->>'result' AS result, data->'args'->>'requestHash' AS hash ${OF_CALLER} AND id = $2`;

const LIST = `SELECT ${RUN} ${OF_CALLER} ORDER BY created_on DESC, id DESC LIMIT $2`;

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('service runs of ' || $1, 0))";

const COUNT = `SELECT count(*)::int AS count ${OF_CALLER} AND state <= 'active'`;

const CANCEL = `UPDATE job.job SET state = 'cancelled', completed_on = job.job_now()
WHERE name = $1 AND id = $2 AND data->'args'->>'caller' = $3 AND state <= 'active' RETURNING id`;

/** An attempt that was cut with its process. */
const CUT = { status: 500, error: 'Server error', details: 'The call was interrupted' };

/** Reads and changes the runs of callers, who see their own alone. */
export const createCallRunStore = (database: Database) => ({
  /** Queues a call, unless the caller has so many runs that have not ended; returns whether it did. */
  add: (id: string, args: CallArguments, max: number): Promise<boolean> =>
    database.transaction(async (transaction) => {
      // Calls of one caller are counted one after the other.
      await transaction.query({ text: LOCK, values: [args.caller] });
      const [row] = await transaction.query<{ count: number }>({ text: COUNT, values: [args.caller] });
      if ((row?.count ?? 0) >= max) return false;
      const run = { id, json: JSON.stringify(args), user: args.caller };
      await enqueueRun(transaction, { name: CALL_JOB.name, ...CALL_JOB.options }, run);
      return true;
    }),
  /** The run, the JSON of its result, and the hash of a request with an idempotency key. */
  async find(id: string, caller: CallerKey): Promise<FoundRun | undefined> {
    const values = [caller, id, JSON.stringify(CUT)];
    const [row] = await database.query<{ run: string; result: string | null; hash: string | null }>({
      text: FIND,
      values,
    });
    return row && { run: JSON.parse(row.run), result: row.result ?? undefined, hash: row.hash };
  },
  /** The newest runs of the caller, without results. */
  async list(caller: CallerKey, limit: number): Promise<readonly CallRun[]> {
    const values = [caller, limit, JSON.stringify(CUT)];
    return (await database.query<{ run: string }>({ text: LIST, values })).map(({ run }) => JSON.parse(run));
  },
  /** Whether there was a run to cancel. */
  cancel: async (id: string, caller: CallerKey): Promise<boolean> =>
    (await database.query({ text: CANCEL, values: [CALL_JOB.name, id, caller] })).length > 0,
});

export type CallRunStore = ReturnType<typeof createCallRunStore>;
