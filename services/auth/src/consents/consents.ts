import { createHash } from 'node:crypto';
import { type Database, firstRowOf, hasRows, rowsOf, utcText } from '@lintel/persistence';

/** The consent of a user to a client. */
export interface Consent {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string;
}

/** What a user has allowed a client, so that the user is not asked again. */
export interface Consents {
  /** Adds scopes to those that the user has allowed the client; without scopes the user has used the client. */
  remember(username: string, clientId: string, scopes: readonly string[]): Promise<void>;
  /** Whether the user has allowed the client all of the scopes; without scopes: has used the client. */
  covers(username: string, clientId: string, scopes: readonly string[]): Promise<boolean>;
  /** Those of a user that have not expired and allow something, by client. */
  ofUser(username: string): Promise<readonly Consent[]>;
  /** Ends that of a user to a client. False if there is none. */
  end(username: string, clientId: string): Promise<boolean>;
  /** Removes those of all users for a client. */
  endOfClient(clientId: string): Promise<void>;
}

const idOf = (username: string, clientId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([username, clientId]))
    .digest('base64url');

const USER_ID = '(SELECT u.id::text FROM sec."user" AS u WHERE u.username = oidc_model.uid)';

/** Of the user who has the name now: the next one has another id. Consents of earlier versions have none. */
const IS_OWN = `(NOT oidc_model.payload ? 'userId' OR oidc_model.payload->>'userId' = ${USER_ID})`;

const REMEMBER = `INSERT INTO auth.oidc_model (model, id, payload, expires_at, uid)
VALUES ('Consent', $1,
  $2::jsonb || jsonb_build_object('userId', (SELECT u.id FROM sec."user" AS u WHERE u.username = $4)),
  now() + $3::float8 * interval '1 millisecond', $4)
ON CONFLICT (model, id) DO UPDATE SET expires_at = excluded.expires_at,
  payload = excluded.payload || jsonb_build_object('scopes',
    CASE WHEN oidc_model.expires_at > now() AND ${IS_OWN} THEN oidc_model.payload->'scopes' ELSE '[]' END
    || (excluded.payload->'scopes'))`;

/** A scope that was allowed several times is there once. */
const OF_USER = `SELECT jsonb_build_object('clientId', payload->>'clientId', 'scopes',
  (SELECT jsonb_agg(DISTINCT scope ORDER BY scope) FROM jsonb_array_elements_text(payload->'scopes') AS scope),
  'expiresAt', ${utcText('expires_at')}) AS consent
FROM auth.oidc_model WHERE model = 'Consent' AND uid = $1 AND expires_at > now() AND payload->'scopes' <> '[]' AND ${IS_OWN} ORDER BY payload->>'clientId' LIMIT 1000`;

const COVERS = `SELECT payload->'scopes' @> $2::jsonb AS covered FROM auth.oidc_model
WHERE model = 'Consent' AND id = $1 AND expires_at > now() AND ${IS_OWN}`;
const END = `DELETE FROM auth.oidc_model WHERE model = 'Consent' AND id = $1 AND expires_at > now() AND ${IS_OWN} RETURNING id`;
const END_OF_CLIENT = "DELETE FROM auth.oidc_model WHERE model = 'Consent' AND payload->>'clientId' = $1";

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
      await rowsOf(database, 'auth_remember_consent', REMEMBER, [idOf(username, clientId), payload, lifeMs, username]);
    },
    async covers(username, clientId, scopes) {
      const values = [idOf(username, clientId), JSON.stringify(scopes)];
      const row = await firstRowOf<{ readonly covered: boolean }>(database, 'auth_consent_covers', COVERS, values);
      return row?.covered === true;
    },
    async ofUser(username) {
      const rows = await rowsOf<{ readonly consent: string }>(database, 'auth_consents_of_user', OF_USER, [username]);
      return rows.map(({ consent }) => JSON.parse(consent) as Consent);
    },
    end: (username, clientId) => hasRows(database, 'auth_end_consent', END, [idOf(username, clientId)]),
    async endOfClient(clientId) {
      await rowsOf(database, 'auth_end_consents_of_client', END_OF_CLIENT, [clientId]);
    },
  };
}
