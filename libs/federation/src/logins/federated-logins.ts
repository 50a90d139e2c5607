import { type Database, firstRowOf, hasRows, rowsOf } from '@lintel/persistence';
import type { TextCipher } from '../federation-ports.ts';

/** A login at a provider, from which sessions began. */
export interface FederatedLogin {
  readonly id: string;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly sid: string | undefined;
  readonly username: string;
  readonly refreshToken: string | undefined;
}

/** A login that is due for a check. */
export interface StaleLogin extends FederatedLogin {
  /** Whether its time has passed: that of the session at the provider. */
  readonly hasExpired: boolean;
}

/** The logins at providers, and the grants of clients that began with them. */
export interface FederatedLogins {
  /** @param lifeMs after which the login has expired; zero or less: at once */
  save(login: FederatedLogin, lifeMs: number): Promise<void>;
  /** Connects a grant, or a login session of the browser, with a login; false if the login has ended. */
  bind(key: string, loginId: string): Promise<boolean>;
  unbind(key: string): Promise<void>;
  loginOf(key: string): Promise<string | undefined>;
  /**
   * The login of a session if it has expired, has none of these providers, or was checked longer ago; it counts as checked now.
   * Other requests do not check it at the same time, since a provider may accept a refresh token only once.
   */
  takeStale(key: CheckKey, providers: readonly string[], intervalMs: number): Promise<StaleLogin | undefined>;
  /** Whether the login that a key is connected with has expired. */
  hasExpired(key: string): Promise<boolean>;
  replaceRefreshToken(id: string, refreshToken: string): Promise<void>;
  /** The next refresh checks a login again, whose check was not successful. */
  requireCheck(id: string): Promise<void>;
  /** Ids of the grants and browser sessions of logins. */
  keysOf(which: LoginSelection): Promise<readonly string[]>;
  /** Removes logins; returns the ids of their grants and browser sessions. */
  end(which: LoginSelection): Promise<readonly string[]>;
  /** Names of providers with logins that grants began with. */
  providers(): Promise<readonly string[]>;
}

export type CheckKey = { readonly sessionId: string } | { readonly grantId: string };

export type LoginSelection =
  | { readonly id: string }
  | { readonly provider: string; readonly subject: string | undefined; readonly sid: string | undefined }
  | { readonly provider: string };

interface LoginRow {
  readonly id: string;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly sid: string | null;
  readonly username: string;
  readonly refresh_token_encrypted: Buffer | null;
  readonly has_expired: boolean;
}

/** Of refreshes within this time after a successful check none is checked. */
export const MIN_REFRESH_INTERVAL_MS = 10_000;

const SAVE = `INSERT INTO auth.federated_login
  (id, provider, issuer, subject, sid, username, refresh_token_encrypted, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8::float8 * interval '1 millisecond')`;

const BIND = `INSERT INTO auth.federated_grant (grant_id, login_id)
SELECT $1, id FROM auth.federated_login WHERE id = $2 AND expires_at > now()
ON CONFLICT (grant_id) DO UPDATE SET login_id = excluded.login_id RETURNING grant_id`;

const staleOf = (grant: string): string => `UPDATE auth.federated_login AS l SET checked_at = now()
FROM auth.federated_grant AS g
WHERE l.id = g.login_id AND g.grant_id = ${grant}
  AND (l.expires_at <= now() OR l.provider <> ALL ($2::text[])
    OR l.checked_at <= now() - $3::float8 * interval '1 millisecond')
RETURNING l.id, l.provider, l.issuer, l.subject, l.sid, l.username, l.refresh_token_encrypted,
  l.expires_at <= now() AS has_expired`;

const STALE = {
  session: staleOf(`(SELECT m.grant_id FROM auth.oidc_model AS m WHERE m.model = 'Login' AND m.id = $1)`),
  grant: staleOf('$1'),
};

const UNCHECKED = `UPDATE auth.federated_login
SET checked_at = least(checked_at, now() - $2::float8 * interval '1 millisecond') WHERE id = $1`;

const KEYS = `SELECT g.grant_id FROM auth.federated_grant AS g JOIN auth.federated_login AS l ON l.id = g.login_id
WHERE matches`;

const END = `WITH bound AS (
  SELECT g.grant_id FROM auth.federated_grant AS g JOIN auth.federated_login AS l ON l.id = g.login_id WHERE matches
), ended AS (DELETE FROM auth.federated_login AS l WHERE matches)
SELECT grant_id FROM bound`;

const UNBIND = 'DELETE FROM auth.federated_grant WHERE grant_id = $1';
const LOGIN_OF = 'SELECT login_id FROM auth.federated_grant WHERE grant_id = $1';
const EXPIRED = `SELECT 1 FROM auth.federated_grant AS g JOIN auth.federated_login AS l ON l.id = g.login_id
WHERE g.grant_id = $1 AND l.expires_at <= now()`;
const REPLACE_TOKEN = 'UPDATE auth.federated_login SET refresh_token_encrypted = $2 WHERE id = $1';

export function createFederatedLogins(database: Database, cipher: TextCipher): FederatedLogins {
  const encrypted = (id: string, token: string | undefined) =>
    token === undefined ? null : cipher.encrypt(token, `refresh token ${id}`);
  const select = async (which: LoginSelection, statement: string): Promise<readonly string[]> => {
    const [condition, values] = conditionOf(which);
    const text = statement.replaceAll('matches', condition);
    return (await database.query<{ readonly grant_id: string }>({ text, values })).map(({ grant_id }) => grant_id);
  };
  return {
    async save({ id, provider, issuer, subject, sid, username, refreshToken }, lifeMs) {
      const values = [id, provider, issuer, subject, sid ?? null, username, encrypted(id, refreshToken), lifeMs];
      await rowsOf(database, 'auth_save_federated_login', SAVE, values);
    },
    bind: (key, loginId) => hasRows(database, 'auth_bind_federated', BIND, [key, loginId]),
    async unbind(key) {
      await rowsOf(database, 'auth_unbind_federated', UNBIND, [key]);
    },
    loginOf: async (key) =>
      (await firstRowOf<{ readonly login_id: string }>(database, 'auth_federated_login_of', LOGIN_OF, [key]))?.login_id,
    async takeStale(key, providers, intervalMs) {
      const bySession = 'sessionId' in key;
      const name = bySession ? 'auth_stale_login_of_session' : 'auth_stale_login_of_grant';
      const values = [bySession ? key.sessionId : key.grantId, providers, intervalMs];
      const row = await firstRowOf<LoginRow>(database, name, bySession ? STALE.session : STALE.grant, values);
      return row === undefined ? undefined : toLogin(row, cipher);
    },
    hasExpired: (key) => hasRows(database, 'auth_federated_login_expired', EXPIRED, [key]),
    async replaceRefreshToken(id, refreshToken) {
      await rowsOf(database, 'auth_replace_refresh_token', REPLACE_TOKEN, [id, encrypted(id, refreshToken)]);
    },
    async requireCheck(id) {
      await rowsOf(database, 'auth_require_login_check', UNCHECKED, [id, MIN_REFRESH_INTERVAL_MS]);
    },
    keysOf: (which) => select(which, KEYS),
    end: (which) => select(which, END),
    async providers() {
      const rows = await database.query<{ readonly provider: string }>({
        text: 'SELECT DISTINCT l.provider FROM auth.federated_login AS l JOIN auth.federated_grant AS g ON g.login_id = l.id',
        values: [],
      });
      return rows.map(({ provider }) => provider);
    },
  };
}

function conditionOf(which: LoginSelection): readonly [string, readonly string[]] {
  if ('id' in which) return ['l.id = $1', [which.id]];
  if (!('subject' in which)) return ['l.provider = $1', [which.provider]];
  const { provider, subject, sid } = which;
  if (sid === undefined) return ['l.provider = $1 AND l.subject = $2', [provider, subject ?? '']];
  if (subject === undefined) return ['l.provider = $1 AND l.sid = $2', [provider, sid]];
  return ['l.provider = $1 AND l.sid = $2 AND l.subject = $3', [provider, sid, subject]];
}

const toLogin = (row: LoginRow, cipher: TextCipher): StaleLogin => ({
  id: row.id,
  provider: row.provider,
  issuer: row.issuer,
  subject: row.subject,
  sid: row.sid ?? undefined,
  username: row.username,
  hasExpired: row.has_expired,
  refreshToken:
    row.refresh_token_encrypted === null
      ? undefined
      : cipher.decrypt(row.refresh_token_encrypted, `refresh token ${row.id}`),
});
