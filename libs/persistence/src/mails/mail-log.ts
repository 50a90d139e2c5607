import type { StatementRunner } from '../database.ts';

/** A mail in the log `sys.mail`. */
export interface LoggedMail {
  readonly id: string;
  readonly name: string;
  readonly recipient: string;
  readonly locale: string | null;
}

/** The end of a mail; one that is `queued` is tried again. */
export type MailState = 'queued' | 'sent' | 'shown' | 'bounced' | 'suppressed' | 'failed';

const LOG = `INSERT INTO sys.mail (id, name, recipient, locale, state, queued_at)
VALUES ($1, $2, $3, $4, 'queued', $5) ON CONFLICT DO NOTHING RETURNING id`;

/** Writes a mail into the log. Returns false if there is one with this id. */
export async function logMail(runner: StatementRunner, mail: LoggedMail, now: string): Promise<boolean> {
  const values = [mail.id, mail.name, mail.recipient, mail.locale, now];
  return (await runner.query({ name: 'log-mail', text: LOG, values })).length > 0;
}

const STATE = `SELECT m.state, EXISTS (SELECT FROM sys.suppressed_address s
  WHERE s.address IN (m.recipient, lower(m.recipient))) AS suppressed
FROM sys.mail m WHERE m.id = $1`;

/** The state of a mail, and whether its receiver gets none; undefined if it is not in the log any more. */
export async function readMailState(runner: StatementRunner, id: string) {
  type Row = { readonly state: MailState; readonly suppressed: boolean };
  const [row] = await runner.query<Row>({ text: STATE, values: [id] });
  return row;
}

const END = `UPDATE sys.mail SET state = $2::varchar, error = left($3, 500),
  finished_at = CASE WHEN $2::varchar = 'queued' THEN NULL ELSE now() AT TIME ZONE 'UTC' END
WHERE id = $1`;

const SUPPRESS = `INSERT INTO sys.suppressed_address (id, version, created_date, created_by, address, reason)
SELECT gen_random_uuid(), 1, now() AT TIME ZONE 'UTC', 'mail', lower(recipient), left($2, 500) FROM sys.mail WHERE id = $1
ON CONFLICT DO NOTHING`;

/** Records the result of an attempt. The address of a mail that has bounced is suppressed from then on. */
export async function recordMail(runner: StatementRunner, id: string, state: MailState, error: string | null) {
  if (state === 'bounced') await runner.query({ text: SUPPRESS, values: [id, error] });
  await runner.query({ text: END, values: [id, state, error] });
}

const PRUNE = `DELETE FROM sys.mail WHERE id IN
  (SELECT id FROM sys.mail WHERE queued_at < (now() - $1 * interval '1 day') AT TIME ZONE 'UTC' LIMIT 100)`;

/** Removes mails of the log that are older; at most 100 at a time. */
export const pruneMails = (runner: StatementRunner, days: number): Promise<unknown> =>
  runner.query({ text: PRUNE, values: [days] });
