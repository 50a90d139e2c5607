import type { Database } from '@lintel/persistence';
import type { Login, LoginStore } from './login.ts';

interface LoginRow {
  readonly payload: string;
}

const toLogin = ({ payload }: LoginRow): Login => JSON.parse(payload) as Login;

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

/** Logins in the table `auth.oidc_model`, which also has their grants. */
export function createLoginStore(database: Database): LoginStore {
  const select = async (name: string, condition: string, value: string): Promise<readonly Login[]> => {
    const rows = await database.query<LoginRow>({
      name,
      text: `SELECT payload FROM auth.oidc_model WHERE model = 'Login' AND ${condition} = $1`,
      values: [value],
    });
    return rows.map(toLogin);
  };
  return {
    async save(login, ttlMs, max) {
      const rows = await database.query<LoginRow>({
        name: 'auth_save_login',
        text: SAVE,
        values: [login.sessionId, JSON.stringify(login), ttlMs, login.grantId, login.username, max - 1],
      });
      return rows.map(toLogin);
    },
    find: async (sessionId) => (await select('auth_find_login', 'id', sessionId))[0],
    async activeOf(username) {
      const rows = await database.query<LoginRow>({
        name: 'auth_active_logins_of_user',
        text: ACTIVE,
        values: [username],
      });
      return rows.map(toLogin);
    },
    ofUser: (username) => select('auth_logins_of_user', 'uid', username),
    ofGrant: (grantId) => select('auth_logins_of_grant', 'grant_id', grantId),
    async ofGrants(grantIds) {
      const rows = await database.query<LoginRow>({
        name: 'auth_logins_of_grants',
        text: `SELECT payload FROM auth.oidc_model WHERE model = 'Login' AND grant_id = ANY ($1::text[])`,
        values: [grantIds],
      });
      return rows.map(toLogin);
    },
    async ofSeeAs() {
      const rows = await database.query<LoginRow>({
        name: 'auth_logins_of_see_as',
        text: `SELECT payload FROM auth.oidc_model WHERE model = 'Login' AND payload ? 'seenBy'`,
        values: [],
      });
      return rows.map(toLogin);
    },
    async ofClient(clientId, max) {
      const rows = await database.query<LoginRow>({
        name: 'auth_logins_of_client',
        text: `SELECT payload FROM auth.oidc_model WHERE model = 'Login' AND payload->>'clientId' = $1 LIMIT $2`,
        values: [clientId, max],
      });
      return rows.map(toLogin);
    },
    async remove(sessionIds) {
      await database.query({
        name: 'auth_remove_logins',
        text: `DELETE FROM auth.oidc_model WHERE model = 'Login' AND id = ANY($1::text[])`,
        values: [sessionIds],
      });
    },
    async chooseLocale(sessionId, locale) {
      const rows = await database.query({
        name: 'auth_choose_locale',
        text: `UPDATE auth.oidc_model SET payload = payload || jsonb_build_object('chosenLocale', $2::text)
WHERE model = 'Login' AND id = $1 RETURNING id`,
        values: [sessionId, locale],
      });
      return rows.length > 0;
    },
    async changeAttributes(sessionId, changes) {
      const rows = await database.query({
        name: 'auth_change_session_attributes',
        text: CHANGE_ATTRIBUTES,
        values: [sessionId, JSON.stringify(changes)],
      });
      return rows.length > 0;
    },
    async completeLogin(sessionId, values) {
      const rows = await database.query({
        name: 'auth_complete_login',
        text: COMPLETE,
        values: [sessionId, JSON.stringify(values)],
      });
      return rows.length > 0;
    },
    async replaceCredential(username, before, after) {
      await database.query({
        name: 'auth_replace_credential',
        text: `UPDATE auth.oidc_model SET payload = payload || jsonb_build_object('credential', $3::text)
WHERE model = 'Login' AND uid = $1 AND payload->>'credential' = $2`,
        values: [username, before, after],
      });
    },
  };
}
