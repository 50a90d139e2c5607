import type { LoginHistoryRequest, LoginRecord } from '@lintel/contracts';
import type { Database } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import type { LoginCheck } from './login-check.ts';

/** The attempts of users to log in, kept for a limited time. */
export interface LoginHistory {
  record(attempt: Omit<LoginRecord, 'at'> & { readonly username: string }): Promise<void>;
  /** The newest first. */
  of(request: LoginHistoryRequest): Promise<readonly LoginRecord[]>;
  /** Removes attempts whose time has passed. */
  prune(): Promise<void>;
}

/** Names that belong to no user are not stored: any client can send any number of them. */
const RECORD = `INSERT INTO auth.login_attempt (username, outcome, client_id, address)
SELECT username, $2, $3, $4 FROM sec.user WHERE username = $1`;

const SELECT = `SELECT to_char(attempted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
  outcome, client_id AS "clientId", address
FROM auth.login_attempt WHERE username = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`;

/** @param keptMs 0 stores nothing */
export function createLoginHistory(database: Database, keptMs: number): LoginHistory {
  return {
    async record({ username, outcome, clientId, address }) {
      if (keptMs === 0 || username.includes('\0')) return;
      await database.query({
        name: 'auth_record_attempt',
        text: RECORD,
        values: [username, outcome, clientId, address],
      });
    },
    of: ({ username, limit, offset }) =>
      database.query<LoginRecord>({ name: 'auth_login_attempts', text: SELECT, values: [username, limit, offset] }),
    async prune() {
      await database.query({
        name: 'auth_prune_attempts',
        text: `DELETE FROM auth.login_attempt WHERE attempted_at < now() - $1::float8 * interval '1 millisecond'`,
        values: [keptMs],
      });
    },
  };
}

/**
 * Adds a record to each check of a password. Attempts that the guard refuses are not recorded: their number has no limit.
 * The response does not wait for the record: its time would show whether there is a user of the name.
 */
export const recordLogins =
  (check: LoginCheck, history: LoginHistory, logger: Logger): LoginCheck =>
  async (attempt) => {
    const result = await check(attempt);
    const outcome = result.kind === 'accepted' ? 'succeeded' : OUTCOMES[result.refusal];
    if (outcome !== undefined) {
      const { clientId, address } = attempt;
      const username = result.kind === 'accepted' ? result.account.username : attempt.username;
      history
        .record({ username, outcome, clientId, address })
        .catch((error: unknown) => logger.warn({ error }, 'A login was not recorded in its history'));
    }
    return result;
  };

const OUTCOMES: Readonly<Record<string, LoginRecord['outcome'] | undefined>> = {
  'bad-credentials': 'wrong-password',
  disabled: 'disabled',
};
