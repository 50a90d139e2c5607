import { firstRowOf, rowsOf, type StatementRunner } from '@lintel/persistence';
import type { SentField, UserFields } from './user-fields.ts';

/** The source of assignments and changes. */
export const SCIM_SOURCE = 'scim';

const END_CREDENTIALS = `WITH factors AS (DELETE FROM auth.second_factor WHERE user_id = $1),
codes AS (DELETE FROM auth.recovery_code WHERE user_id = $1),
own AS (DELETE FROM auth.own_password WHERE user_id = $1),
former AS (DELETE FROM auth.password_history WHERE user_id = $1),
links AS (DELETE FROM auth.password_reset WHERE user_id = $1),
consents AS (
  DELETE FROM auth.oidc_model WHERE model = 'Consent' AND uid = (SELECT u.username FROM sec."user" AS u WHERE u.id = $1)
)
SELECT sec.change_password(u.id, u.password, '', $2) FROM sec."user" AS u WHERE u.id = $1 AND u.password <> ''`;

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('scim ' || $1, 0))";
const CREATE = 'SELECT sec.create_federated_user($1, $2, $3, $4, $5, $6, $7) AS created';
const CHANGE = 'SELECT sec.change_provisioned_user($1, $2::jsonb, $3)';
const RECORD = `INSERT INTO auth.scim_user (user_id, display_name, external_id, is_primary, formatted_name) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id) DO UPDATE SET display_name = excluded.display_name, external_id = excluded.external_id,
is_primary = excluded.is_primary, formatted_name = excluded.formatted_name, is_removed = false, revision = scim_user.revision + 1`;
const FORGET = `WITH members AS (DELETE FROM auth.scim_member WHERE user_id = $1),
links AS (DELETE FROM auth.federated_user WHERE user_id = $1)
INSERT INTO auth.scim_user (user_id, is_removed) VALUES ($1, true)
ON CONFLICT (user_id) DO UPDATE SET is_removed = true, external_id = NULL, display_name = NULL, is_primary = true,
formatted_name = NULL`;
const RELEASE_NAME = 'SELECT sec.release_name(u.username) FROM sec."user" AS u WHERE u.id = $1';
const REMOVE = 'SELECT sec.remove_provisioned_user($1, $2)';
const REMOVE_RECORD =
  'WITH members AS (DELETE FROM auth.scim_member WHERE user_id = $1) DELETE FROM auth.scim_user WHERE user_id = $1';

/** Statements that write users. */
export const USER_CHANGES = {
  /** Changes of one resource, and creations with one name, run one after the other until the transaction ends. */
  async lock(runner: StatementRunner, key: string): Promise<void> {
    await rowsOf(runner, 'auth_scim_lock', LOCK, [key]);
  },

  /** False if the name is taken. The user is active. */
  async create(runner: StatementRunner, id: string, user: UserFields): Promise<boolean> {
    const { userName, firstName, lastName, email, locale } = user;
    const values = [id, userName, firstName, lastName, email, locale, SCIM_SOURCE];
    const row = await firstRowOf<{ readonly created: boolean }>(runner, 'auth_scim_create', CREATE, values);
    return row?.created === true;
  },

  /** Changes attributes of the entity: those that `changes` names, as in JSON of the entity. */
  async change(runner: StatementRunner, id: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
    await rowsOf(runner, 'auth_scim_change', CHANGE, [id, JSON.stringify(changes), SCIM_SOURCE]);
  },

  /** Writes what only SCIM knows of a user. */
  async record(runner: StatementRunner, id: string, user: Pick<UserFields, SentField>): Promise<void> {
    const { displayName, externalId, isPrimary, formattedName } = user;
    await rowsOf(runner, 'auth_scim_record', RECORD, [id, displayName, externalId, isPrimary, formattedName]);
  },

  /**
   * SCIM does not see the user any more, who leaves all groups. The links to subjects of providers end: a user who
   * comes back may have another subject, and a user has one of each provider.
   */
  async forget(runner: StatementRunner, id: string): Promise<void> {
    await rowsOf(runner, 'auth_scim_forget', FORGET, [id]);
  },

  /**
   * Ends what the person of an active user has logged in with and allowed: the password, second factors and consents.
   */
  async endCredentials(runner: StatementRunner, id: string): Promise<void> {
    await rowsOf(runner, 'auth_scim_end_credentials', END_CREDENTIALS, [id, SCIM_SOURCE]);
  },

  /** Ends what is stored by the name of a user: attempts to log in, runs of reports, views, webhooks. */
  async releaseName(runner: StatementRunner, id: string): Promise<void> {
    await rowsOf(runner, 'auth_scim_release_name', RELEASE_NAME, [id]);
  },

  /** Removes the user with all roles. */
  async remove(runner: StatementRunner, id: string): Promise<void> {
    await rowsOf(runner, 'auth_scim_remove', REMOVE, [id, SCIM_SOURCE]);
    await rowsOf(runner, 'auth_scim_remove_record', REMOVE_RECORD, [id]);
  },
};
