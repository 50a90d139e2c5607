import type { CallerKey } from '@lintel/contracts';
import type { Database, Statement } from '@lintel/persistence';
import type { StoredDocument } from '../files/document-store.ts';
import type { BackgroundRun, ClaimedRun, Lease, NewRun, RunFailure, RunProgress } from '../runs/background-run.ts';

/** Outcome of a cancellation. */
export type Cancellation = 'cancelled' | 'finished' | 'unknown';

/** The runs of all replicas, in the database. Every change is one statement that checks the state that it changes. */
export interface RunStore {
  /**
   * Adds a waiting run; returns false, and adds nothing, where the caller has `maxUnfinished` runs that have not ended.
   */
  add(run: NewRun, maxUnfinished: number): Promise<boolean>;
  /** Finds a run of the caller. */
  find(id: string, caller: CallerKey): Promise<BackgroundRun | undefined>;
  /** The newest runs of the caller, the newest first. */
  list(caller: CallerKey, limit: number): Promise<readonly BackgroundRun[]>;
  /**
   * Acquires a lease of `leaseMs` on a run that waits, or whose lease has expired. Returns `exhausted` where it was
   * begun `maxAttempts` times; undefined where another worker executes it or it has ended.
   */
  claim(
    id: string,
    leaseId: string,
    leaseMs: number,
    maxAttempts: number,
  ): Promise<ClaimedRun | 'exhausted' | undefined>;
  /**
   * Extends the lease to `leaseMs` from now; false where it is lost: the run was cancelled, or another worker has it.
   */
  renew(lease: Lease, progress: RunProgress, leaseMs: number): Promise<boolean>;
  /** Returns the run to the queue; where `counts` is false, as if this attempt had not begun. */
  release(lease: Lease, counts: boolean): Promise<void>;
  /**
   * Ends the run, with the number of rows that were read; returns false, and changes nothing, where the lease is lost.
   */
  succeed(lease: Lease, result: StoredDocument, rows: number): Promise<boolean>;
  fail(lease: Lease, failure: RunFailure, rows: number): Promise<boolean>;
  /** Ends a run that no worker executes. */
  giveUp(id: string, failure: RunFailure): Promise<void>;
  cancel(id: string, caller: CallerKey): Promise<Cancellation>;
  /** Requeues runs with an expired lease; returns these and the runs that wait for longer than `waitedMs`. */
  recover(waitedMs: number): Promise<readonly string[]>;
  /** Returns the number of runs that wait for a worker. */
  countWaiting(): Promise<number>;
  /** Removes runs that ended longer ago than the retention. Their documents are kept. */
  prune(retentionMs: number): Promise<void>;
}

interface RunRow {
  readonly id: string;
  readonly caller: CallerKey;
  readonly session_id: string;
  readonly report_id: string;
  readonly report_code: string | null;
  readonly report_name: string;
  readonly template_code: string;
  readonly request: string;
  readonly locale: string;
  readonly waiting_token: string;
  readonly attempts: number;
  readonly status: BackgroundRun['status'];
  readonly phase: BackgroundRun['phase'] | null;
  readonly rows_read: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly failure: string | null;
  readonly result: string | null;
}

const UNFINISHED = `status IN ('QUEUED', 'RUNNING')`;
/** Ends a run and clears the token, so that the service cannot act for its user any more. */
const ENDED = 'finished_at = now(), phase = NULL, waiting_token = NULL, lease_id = NULL, lease_until = NULL';
const HAS_LEASE = `id = $1 AND lease_id = $2 AND status = 'RUNNING'`;
const isoOf = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column.slice(2)}`;
const inMs = (parameter: string): string => `${parameter}::float8 * interval '1 millisecond'`;

const ADD = `INSERT INTO report_run.run (id, username, session_id, report_id, report_code, report_name, template_code,
  request, locale, waiting_token, status)
SELECT $1::uuid, $2::varchar, $3, $4::uuid, $5, $6, $7, $8, $9, $10, 'QUEUED'
WHERE (SELECT count(*) FROM report_run.run WHERE username = $2 AND ${UNFINISHED}) < $11
RETURNING id`;

const STATE = `id, report_id, report_code, report_name, template_code, status, phase, rows_read,
  ${isoOf('r.created_at')}, ${isoOf('r.started_at')}, ${isoOf('r.finished_at')},
  failure::text AS failure, result::text AS result`;
const FIND = `SELECT ${STATE} FROM report_run.run r WHERE id = $1 AND username = $2`;
const LIST = `SELECT ${STATE} FROM report_run.run r WHERE username = $1 ORDER BY r.created_at DESC, id LIMIT $2`;

const FREE = `(status = 'QUEUED' OR (status = 'RUNNING' AND lease_until < now()))`;
const CLAIM = `UPDATE report_run.run SET status = 'RUNNING', lease_id = $2, lease_until = now() + ${inMs('$3')},
  attempts = attempts + 1, phase = 'PARAMETERS', rows_read = 0, started_at = coalesce(started_at, now())
WHERE id = $1 AND ${FREE} AND attempts < $4
RETURNING id, username AS caller, session_id, report_id, report_code, report_name, template_code, request, locale, waiting_token,
  attempts`;
const IS_FREE = `SELECT 1 AS free FROM report_run.run WHERE id = $1 AND ${FREE}`;

const RENEW = `UPDATE report_run.run SET lease_until = now() + ${inMs('$3')}, phase = $4, rows_read = $5
WHERE ${HAS_LEASE} RETURNING id`;
const RELEASE = `UPDATE report_run.run SET status = 'QUEUED', queued_at = now(), lease_id = NULL, lease_until = NULL,
  attempts = attempts - $3, phase = NULL, rows_read = 0
WHERE ${HAS_LEASE}`;
const SUCCEED = `UPDATE report_run.run SET status = 'SUCCEEDED', result = $3, rows_read = $4, ${ENDED}
WHERE ${HAS_LEASE} RETURNING id`;
const FAIL = `UPDATE report_run.run SET status = 'FAILED', failure = $3, rows_read = $4, ${ENDED}
WHERE ${HAS_LEASE} RETURNING id`;
const GIVE_UP = `UPDATE report_run.run SET status = 'FAILED', failure = $2, ${ENDED} WHERE id = $1 AND ${FREE}`;
const CANCEL = `UPDATE report_run.run SET status = 'CANCELLED', ${ENDED}
WHERE id = $1 AND username = $2 AND ${UNFINISHED} RETURNING id`;
const RECOVER = `UPDATE report_run.run SET status = 'QUEUED', queued_at = now(), lease_id = NULL, lease_until = NULL
WHERE (status = 'RUNNING' AND lease_until < now()) OR (status = 'QUEUED' AND queued_at < now() - ${inMs('$1')})
RETURNING id`;
const WAITING = `SELECT count(*)::int AS waiting FROM report_run.run WHERE status = 'QUEUED'`;
const PRUNE = `DELETE FROM report_run.run WHERE finished_at < now() - ${inMs('$1')}`;

/** Creates the store on the table `report_run.run`. */
export function createRunStore(database: Pick<Database, 'query'>): RunStore {
  const query = <R extends object>(name: string, text: string, values: Statement['values']) =>
    database.query<R>({ name: `lintel_report_run_${name}`, text, values });
  const changes = async (name: string, text: string, values: Statement['values']): Promise<boolean> =>
    (await query(name, text, values)).length > 0;
  return {
    add: (run, maxUnfinished) =>
      changes('add', ADD, [
        ...[run.id, run.caller, run.sessionId, run.report.id, run.report.code ?? null, run.report.name],
        ...[run.templateCode, run.request, run.locale, run.waitingToken, maxUnfinished],
      ]),
    async find(id, caller) {
      const [row] = await query<RunRow>('find', FIND, [id, caller]);
      return row && toBackgroundRun(row);
    },
    list: async (caller, limit) => (await query<RunRow>('list', LIST, [caller, limit])).map(toBackgroundRun),
    async claim(id, leaseId, leaseMs, maxAttempts) {
      const [row] = await query<RunRow>('claim', CLAIM, [id, leaseId, leaseMs, maxAttempts]);
      if (row !== undefined) return { runId: id, leaseId, run: toNewRun(row), attempt: row.attempts };
      return (await changes('is_free', IS_FREE, [id])) ? 'exhausted' : undefined;
    },
    renew: ({ runId, leaseId }, { phase, rows }, leaseMs) =>
      changes('renew', RENEW, [runId, leaseId, leaseMs, phase, rows]),
    async release({ runId, leaseId }, counts) {
      await query('release', RELEASE, [runId, leaseId, counts ? 0 : 1]);
    },
    succeed: ({ runId, leaseId }, result, rows) =>
      changes('succeed', SUCCEED, [runId, leaseId, JSON.stringify(result), rows]),
    fail: ({ runId, leaseId }, failure, rows) => changes('fail', FAIL, [runId, leaseId, JSON.stringify(failure), rows]),
    async giveUp(id, failure) {
      await query('give_up', GIVE_UP, [id, JSON.stringify(failure)]);
    },
    async cancel(id, caller) {
      if (await changes('cancel', CANCEL, [id, caller])) return 'cancelled';
      const [row] = await query<RunRow>('find', FIND, [id, caller]);
      if (row === undefined) return 'unknown';
      return row.status === 'CANCELLED' ? 'cancelled' : 'finished';
    },
    async recover(waitedMs) {
      return (await query<{ id: string }>('recover', RECOVER, [waitedMs])).map(({ id }) => id);
    },
    async countWaiting() {
      const [row] = await query<{ waiting: number }>('waiting', WAITING, []);
      return row?.waiting ?? 0;
    },
    async prune(retentionMs) {
      await query('prune', PRUNE, [retentionMs]);
    },
  };
}

const reportOf = (row: RunRow): NewRun['report'] => ({
  id: row.report_id,
  code: row.report_code ?? undefined,
  name: row.report_name,
});

const toNewRun = (row: RunRow): NewRun => ({
  id: row.id,
  caller: row.caller,
  sessionId: row.session_id,
  report: reportOf(row),
  templateCode: row.template_code,
  request: row.request,
  locale: row.locale,
  waitingToken: row.waiting_token,
});

const toBackgroundRun = (row: RunRow): BackgroundRun => ({
  id: row.id,
  report: reportOf(row),
  templateCode: row.template_code,
  status: row.status,
  phase: row.phase ?? undefined,
  rows: Number(row.rows_read),
  createdAt: row.created_at,
  startedAt: row.started_at ?? undefined,
  finishedAt: row.finished_at ?? undefined,
  failure: row.failure === null ? undefined : (JSON.parse(row.failure) as RunFailure),
  result: row.result === null ? undefined : (JSON.parse(row.result) as StoredDocument),
});
