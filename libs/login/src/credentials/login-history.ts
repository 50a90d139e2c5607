import type { LoginHistoryRequest, LoginRecord } from '@lintel/contracts';
import { type Database, utcText } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import type { LoginCheck, LoginResult } from './login-check.ts';

/** An attempt of a user, with any method. */
export type LoginHistoryEntry = Omit<LoginRecord, 'at' | 'provider'> & {
  readonly username: string;
  readonly provider?: string | undefined;
};

/** The attempts of users to log in, kept for a limited time. */
export interface LoginHistory {
  record(attempt: LoginHistoryEntry): Promise<void>;
  /** Records an attempt without waiting; a failure is logged. */
  note(attempt: LoginHistoryEntry): void;
  /** The newest first. */
  of(request: LoginHistoryRequest): Promise<readonly LoginRecord[]>;
  /** Removes attempts whose time has passed. */
  prune(): Promise<void>;
}

/** Names that belong to no user are not stored: any client can send any number of them. */
const RECORD = `INSERT INTO auth.login_attempt (username, outcome, client_id, address, method, provider)
SELECT username, $2, $3, $4, $5, $6 FROM sec.user WHERE username = $1`;

const SELECT = `SELECT ${utcText('attempted_at')} AS at,
  outcome, method, provider, client_id AS "clientId", address
FROM auth.login_attempt WHERE username = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`;

/** @param keptMs 0 stores nothing */
export function createLoginHistory(database: Database, keptMs: number, logger: Logger): LoginHistory {
  async function record({ username, outcome, clientId, address, method, provider }: LoginHistoryEntry) {
    if (keptMs === 0 || username.includes('\0')) return;
    const values = [username, outcome, clientId, address, method, provider ?? null];
    await database.query({ name: 'auth_record_attempt', text: RECORD, values });
  }
  return {
    record,
    note(attempt) {
      record(attempt).catch((error: unknown) => logger.warn({ error }, 'A login was not recorded in its history'));
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
 * Adds a record to each refused check of a password; what follows a right one decides what is recorded. Attempts that
 * the guard refuses are not recorded: their number has no limit. The response does not wait for the record: its time
 * would show whether there is a user of the name.
 */
export const recordLogins =
  (check: LoginCheck, history: Pick<LoginHistory, 'note'>): LoginCheck =>
  async (attempt) => {
    const result = await check(attempt);
    const outcome = outcomeOf(result);
    if (outcome !== undefined) {
      const { clientId, address } = attempt;
      const { provider } = result;
      const method = provider === undefined ? 'password' : 'directory';
      history.note({ username: attempt.username, outcome, clientId, address, method, provider });
    }
    return result;
  };

function outcomeOf(result: LoginResult): LoginRecord['outcome'] | undefined {
  if (result.kind === 'accepted') return undefined;
  if (result.refusal === 'disabled') return 'disabled';
  if (result.refusal !== 'bad-credentials') return undefined;
  // A directory that does not know the password is not named.
  return result.provider === undefined ? 'wrong-password' : 'refused';
}
