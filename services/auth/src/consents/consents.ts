import { createHash } from 'node:crypto';
import type { Database } from '@lintel/persistence';

/** What a user has allowed a client, so that the user is not asked again. */
export interface Consents {
  /** Adds scopes to those that the user has allowed the client. */
  remember(username: string, clientId: string, scopes: readonly string[]): Promise<void>;
  /** Whether the user has allowed the client all of the scopes. */
  covers(username: string, clientId: string, scopes: readonly string[]): Promise<boolean>;
}

const idOf = (username: string, clientId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([username, clientId]))
    .digest('base64url');

const REMEMBER = `INSERT INTO auth.oidc_model (model, id, payload, expires_at, uid)
VALUES ('Consent', $1, $2::jsonb, now() + $3::float8 * interval '1 millisecond', $4)
ON CONFLICT (model, id) DO UPDATE SET expires_at = excluded.expires_at,
  payload = excluded.payload || jsonb_build_object('scopes',
    CASE WHEN auth.oidc_model.expires_at > now() THEN auth.oidc_model.payload->'scopes' ELSE '[]' END
    || (excluded.payload->'scopes'))`;

/**
 * Consents in the table `auth.oidc_model`.
 *
 * @param lifeMs `svc.authserver.consent-time-to-live`; zero: none is remembered
 */
export function createConsents(database: Database, lifeMs: number): Consents {
  return {
    async remember(username, clientId, scopes) {
      if (lifeMs === 0) return;
      const payload = JSON.stringify({ username, clientId, scopes });
      await database.query({
        name: 'auth_remember_consent',
        text: REMEMBER,
        values: [idOf(username, clientId), payload, lifeMs, username],
      });
    },
    async covers(username, clientId, scopes) {
      const [row] = await database.query<{ readonly covered: boolean }>({
        name: 'auth_consent_covers',
        text: `SELECT payload->'scopes' @> $2::jsonb AS covered FROM auth.oidc_model
WHERE model = 'Consent' AND id = $1 AND expires_at > now()`,
        values: [idOf(username, clientId), JSON.stringify(scopes)],
      });
      return row?.covered === true;
    },
  };
}
