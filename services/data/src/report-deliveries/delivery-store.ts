import { REPORT_DELIVERY_JOB } from '@lintel/entities';
import type { StatementRunner } from '@lintel/persistence';

/** A report on a schedule, as it is run. */
export interface StoredDelivery {
  readonly name: string;
  readonly report: string;
  readonly parameters: readonly object[];
  readonly template: string | null;
  readonly format: string | null;
  readonly recipients: string;
  readonly locale: string | null;
  readonly owner: string;
  readonly ownerId: string | null;
}

/** A delivery whose time has come. */
export interface DueDelivery {
  readonly id: string;
  readonly schedule: string;
  readonly timeZone: string;
  readonly owner: string;
}

/** An owner with so many runs within the time waits: no more than 50 active ones are due by their schedules in an hour. */
const DUE = `SELECT d.id, d.schedule, d.time_zone AS "timeZone", d.owner
FROM sys.report_delivery d LEFT JOIN (SELECT group_id, count(*) AS runs FROM job.job
  WHERE name = $2 AND created_on > $1::timestamp AT TIME ZONE 'UTC' - interval '55 minutes' GROUP BY group_id) recent
  ON recent.group_id = d.owner
WHERE d.next_run <= $1 AND d.active AND coalesce(recent.runs, 0) < 50
ORDER BY d.next_run LIMIT 100 FOR UPDATE OF d SKIP LOCKED`;

const PLAN = 'UPDATE sys.report_delivery SET next_run = $2 WHERE id = $1';

const READ = `SELECT jsonb_build_object('name', name, 'report', report, 'parameters', coalesce(parameters, '[]'),
  'template', template, 'format', format, 'recipients', recipients, 'locale', locale, 'owner', owner,
  'ownerId', owner_id)::text AS delivery
FROM sys.report_delivery WHERE id = $1 AND active`;

const RECORD = `UPDATE sys.report_delivery SET last_error = left($2, 500),
  last_sent = CASE WHEN $2::text IS NULL THEN $3::timestamp ELSE last_sent END
WHERE id = $1`;

/** Locks the deliveries that are due; other processes pass over them. */
export const lockDue = (runner: StatementRunner, now: string) =>
  runner.query<DueDelivery & object>({ text: DUE, values: [now, REPORT_DELIVERY_JOB.name] });

/** Sets when a delivery is due next. */
export const planDelivery = (runner: StatementRunner, id: string, next: string | null) =>
  runner.query({ text: PLAN, values: [id, next] });

/** A delivery; undefined if it does not exist any more, or is not active. */
export async function readDelivery(runner: StatementRunner, id: string): Promise<StoredDelivery | undefined> {
  const [row] = await runner.query<{ readonly delivery: string }>({ text: READ, values: [id] });
  return row && JSON.parse(row.delivery);
}

/** Records the end of a run: its error, or that the document was sent. */
export const recordDelivery = (runner: StatementRunner, id: string, error: string | null, now: string) =>
  runner.query({ text: RECORD, values: [id, error, now] });
