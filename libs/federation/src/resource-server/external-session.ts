import { createHmac } from 'node:crypto';
import { type Database, firstRowOf, rowsOf } from '@lintel/persistence';
import type { ExternalClaims } from './external-verifier.ts';
import type { ResourceServerConfig } from './resource-server-settings.ts';

/** Name under which the assignments of the issuer are stored. */
export const RESOURCE_SERVER = 'resource-server';

const NEWEST = `SELECT newest_issued_at FROM auth.federated_login WHERE id = $1 AND expires_at > now()`;
const SAVE = `WITH saved AS (
  INSERT INTO auth.federated_login (id, provider, issuer, subject, sid, username, newest_issued_at, expires_at)
  VALUES ($1, '${RESOURCE_SERVER}', $2, $3, $4, $5, $6, to_timestamp($7))
  ON CONFLICT (id) DO UPDATE SET username = excluded.username,
    newest_issued_at = greatest(federated_login.newest_issued_at, excluded.newest_issued_at),
    expires_at = greatest(federated_login.expires_at, excluded.expires_at)
  WHERE federated_login.username <> excluded.username OR federated_login.expires_at < excluded.expires_at
    OR federated_login.newest_issued_at < excluded.newest_issued_at OR federated_login.newest_issued_at IS NULL
)
UPDATE auth.oidc_model SET expires_at = greatest(expires_at, to_timestamp($7)) WHERE model = 'Login' AND id = $1 AND expires_at < to_timestamp($7)`;

/** The id of the session that tokens of one subject, client and login at the issuer share. */
export const externalSessionId = (
  secret: string,
  issuer: string,
  { sub, sid }: ExternalClaims,
  clientId: string,
): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['external session', issuer, sub, clientId, typeof sid === 'string' ? sid : '']))
    .digest('hex')
    .slice(0, 32)
    .toUpperCase();

/** The stored facts of the sessions of another issuer. */
export function createExternalSessionStore(
  database: Database,
  config: Pick<ResourceServerConfig, 'clockToleranceMs'> & { readonly issuer: string },
) {
  return {
    /** When the newest token of a session was issued, in seconds since 1970; undefined without a session. */
    async newestOf(sessionId: string): Promise<number | undefined> {
      const name = 'auth_newest_external';
      const row = await firstRowOf<{ readonly newest_issued_at: string }>(database, name, NEWEST, [sessionId]);
      return row === undefined ? undefined : Number(row.newest_issued_at);
    },

    /** Writes the session of an accepted token, which lasts at least as long as the token. */
    async remember(sessionId: string, { sub, sid, iat, exp }: ExternalClaims, username: string): Promise<void> {
      const until = exp + config.clockToleranceMs / 1000;
      const login = [sessionId, config.issuer, sub, typeof sid === 'string' ? sid : null, username];
      await rowsOf(database, 'auth_save_external', SAVE, [...login, Math.floor(iat), until]);
    },
  };
}
