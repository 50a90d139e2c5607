import { type Database, hasRows, rowsOf } from '@lintel/persistence';
import type { Login, LoginStore } from './login.ts';

/** Neither the row that the statement inserts nor expired rows are among those that it counts. */
const SAVE = `WITH expired AS (
  DELETE FROM auth.oidc_model WHERE model = 'Login' AND uid = $5 AND expires_at <= now()
), ended AS (
  DELETE FROM auth.oidc_model WHERE model = 'Login' AND id IN (
    SELECT id FROM auth.oidc_model WHERE model = 'Login' AND uid = $5 AND expires_at > now()
    ORDER BY (payload->>'startedAt')::bigint DESC, id OFFSET $6)
  RETURNING payload
), saved AS (
  INSERT INTO auth.oidc_model (model, id, payload, expires_at, grant_id, uid)
  VALUES ('Login', $1, $2, now() + $3::float8 * interval '1 millisecond', $4, $5)
  ON CONFLICT DO NOTHING
)
SELECT payload FROM ended`;

const ACTIVE = `SELECT payload FROM auth.oidc_model WHERE model = 'Login' AND uid = $1 AND expires_at > now()
ORDER BY (payload->>'startedAt')::bigint DESC, id LIMIT 1000`;

/** One statement, so that concurrent changes of different attributes all remain. */
const CHANGE_ATTRIBUTES = `UPDATE auth.oidc_model SET payload = payload || jsonb_build_object('sessionAttributes',
  jsonb_strip_nulls(coalesce(payload->'sessionAttributes', '{}') || $2::jsonb))
WHERE model = 'Login' AND id = $1 RETURNING id`;

/** The first of several replicas stores its values; the statement returns the login in any case. */
const COMPLETE = `UPDATE auth.oidc_model SET payload = CASE WHEN payload ? 'hasLoginAttributes' THEN payload
  ELSE payload || jsonb_build_object('hasLoginAttributes', true, 'sessionAttributes',
    coalesce(payload->'sessionAttributes', '{}') || jsonb_strip_nulls($2::jsonb)) END
WHERE model = 'Login' AND id = $1 RETURNING id`;

const OF_LOGINS = `FROM auth.oidc_model WHERE model = 'Login' AND`;
const CHOOSE_LOCALE = `UPDATE auth.oidc_model SET payload = payload || jsonb_build_object('chosenLocale', $2::text)
WHERE model = 'Login' AND id = $1 RETURNING id`;
const REPLACE_CREDENTIAL = `UPDATE auth.oidc_model SET payload = payload || jsonb_build_object('credential', $3::text)
WHERE model = 'Login' AND uid = $1 AND payload->>'credential' = $2`;

/** Logins in the table `auth.oidc_model`, which also has their grants. */
export function createLoginStore(database: Database): LoginStore {
  const run = async (name: string, text: string, values: readonly unknown[]): Promise<readonly Login[]> => {
    const rows = await rowsOf<{ readonly payload: string }>(database, name, text, values);
    return rows.map(({ payload }) => JSON.parse(payload) as Login);
  };
  const select = (name: string, condition: string, values: readonly unknown[]): Promise<readonly Login[]> =>
    run(name, `SELECT payload ${OF_LOGINS} ${condition}`, values);
  return {
    save(login, ttlMs, max) {
      const { sessionId, grantId, username } = login;
      return run('auth_save_login', SAVE, [sessionId, JSON.stringify(login), ttlMs, grantId, username, max - 1]);
    },
    find: async (sessionId) => (await select('auth_find_login', 'id = $1', [sessionId]))[0],
    activeOf: (username) => run('auth_active_logins_of_user', ACTIVE, [username]),
    ofUser: (username) => select('auth_logins_of_user', 'uid = $1', [username]),
    ofGrant: (grantId) => select('auth_logins_of_grant', 'grant_id = $1', [grantId]),
    ofGrants: (grantIds) => select('auth_logins_of_grants', 'grant_id = ANY ($1::text[])', [grantIds]),
    ofSeeAs: () => select('auth_logins_of_see_as', "payload ? 'seenBy'", []),
    ofClient: (clientId, max) => select('auth_logins_of_client', "payload->>'clientId' = $1 LIMIT $2", [clientId, max]),
    async remove(sessionIds) {
      await hasRows(database, 'auth_remove_logins', `DELETE ${OF_LOGINS} id = ANY($1::text[])`, [sessionIds]);
    },
    chooseLocale: (sessionId, locale) => hasRows(database, 'auth_choose_locale', CHOOSE_LOCALE, [sessionId, locale]),
    changeAttributes: (sessionId, attributes) =>
      hasRows(database, 'auth_change_session_attributes', CHANGE_ATTRIBUTES, [sessionId, JSON.stringify(attributes)]),
    completeLogin: (sessionId, values) =>
      hasRows(database, 'auth_complete_login', COMPLETE, [sessionId, JSON.stringify(values)]),
    async replaceCredential(username, before, after) {
      await hasRows(database, 'auth_replace_credential', REPLACE_CREDENTIAL, [username, before, after]);
    },
  };
}
