import type { StatementRunner } from '@lintel/persistence';
import { compileFilter } from '../filters/compile-filter.ts';
import { compileOrder } from '../filters/compile-order.ts';
import type { ListRequest } from '../requests/list-request.ts';
import { USER_COLUMNS } from './user-columns.ts';
import type { StoredUser, UserFields } from './user-fields.ts';

/** One page of a list. */
export interface Page<T> {
  readonly total: number;
  readonly items: readonly T[];
}

export interface StoredName {
  readonly id: string;
  readonly username: string;
  /** Whether SCIM has a record of the user, and has removed the user. */
  readonly isRemoved: boolean;
}

/** The source of assignments and changes. */
export const SCIM_SOURCE = 'scim';

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const USER_JSON = `json_build_object('id', u.id, 'userName', u.username, 'firstName', u.first_name,
  'lastName', u.last_name, 'email', u.email, 'active', coalesce(u.active, false), 'locale', u.locale,
  'displayName', s.display_name, 'externalId', s.external_id,
  'version', u.version || '-' || coalesce(s.revision, 0),
  'created', to_char(u.created_date, ${ISO}),
  'lastModified', to_char(greatest(u.created_date, u.last_modified_date), ${ISO}),
  'groups', (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.display_name) ORDER BY g.display_name), '[]')
    FROM auth.scim_member AS m JOIN auth.scim_group AS g ON g.id = m.group_id WHERE m.user_id = u.id))`;

/** Users with what SCIM knows of them. */
export const USER_SOURCE = 'sec."user" AS u LEFT JOIN auth.scim_user AS s ON s.user_id = u.id';

/** `$1`: whether users that SCIM did not create are visible. */
export const VISIBLE = `u.username NOT IN ('system', 'anonymous')
  AND (CASE WHEN s.user_id IS NULL THEN $1::boolean ELSE NOT s.is_removed END)`;

const END_CREDENTIALS = `WITH factors AS (DELETE FROM auth.second_factor WHERE user_id = $1),
codes AS (DELETE FROM auth.recovery_code WHERE user_id = $1),
own AS (DELETE FROM auth.own_password WHERE user_id = $1),
former AS (DELETE FROM auth.password_history WHERE user_id = $1),
links AS (DELETE FROM auth.password_reset WHERE user_id = $1),
consents AS (
  DELETE FROM auth.oidc_model WHERE model = 'Consent' AND uid = (SELECT u.username FROM sec."user" AS u WHERE u.id = $1)
)
SELECT sec.change_password(u.id, u.password, '', $2) FROM sec."user" AS u WHERE u.id = $1 AND u.password <> ''`;

/** Statements about users; each list is one. */
export function createUserStore(linksExisting: boolean) {
  return {
    async list(runner: StatementRunner, request: ListRequest): Promise<Page<StoredUser>> {
      const parameters: unknown[] = [linksExisting];
      const condition = request.filter === undefined ? 'true' : compileFilter(request.filter, USER_COLUMNS, parameters);
      const { key, order } = compileOrder(request, USER_COLUMNS);
      const offset = `$${parameters.push(request.startIndex - 1)}::bigint`;
      const limit = `$${parameters.push(request.count)}::bigint`;
      const [row] = await runner.query<{ readonly total: number; readonly items: string }>({
        costName: 'auth_scim_users',
        text: `WITH matched AS MATERIALIZED (SELECT u.id, ${key} AS sort FROM ${USER_SOURCE} WHERE ${VISIBLE} AND ${condition}),
page AS (SELECT id, row_number() OVER (ORDER BY ${order}) AS number FROM matched ORDER BY ${order} OFFSET ${offset} LIMIT ${limit})
SELECT (SELECT count(*)::int FROM matched) AS total,
  (SELECT coalesce(json_agg(${USER_JSON} ORDER BY page.number), '[]')
    FROM page JOIN sec."user" AS u ON u.id = page.id LEFT JOIN auth.scim_user AS s ON s.user_id = u.id)::text AS items`,
        values: parameters,
      });
      return { total: row?.total ?? 0, items: JSON.parse(row?.items ?? '[]') as StoredUser[] };
    },

    async find(runner: StatementRunner, id: string): Promise<StoredUser | undefined> {
      const [row] = await runner.query<{ readonly item: string }>({
        name: 'auth_scim_user',
        text: `SELECT ${USER_JSON}::text AS item FROM ${USER_SOURCE} WHERE ${VISIBLE} AND u.id = $2`,
        values: [linksExisting, id],
      });
      return row === undefined ? undefined : (JSON.parse(row.item) as StoredUser);
    },

    /** The user with a name in any case, also one that is not visible. */
    async findName(runner: StatementRunner, username: string): Promise<StoredName | undefined> {
      const [row] = await runner.query<StoredName>({
        name: 'auth_scim_name',
        text: `SELECT u.id, u.username, coalesce(s.is_removed, false) AS "isRemoved" FROM ${USER_SOURCE}
WHERE lower(u.username) = lower($1) ORDER BY u.id LIMIT 1`,
        values: [username],
      });
      return row;
    },

    /** Changes of one resource, and creations with one name, run one after the other until the transaction ends. */
    async lock(runner: StatementRunner, key: string): Promise<void> {
      await runner.query({
        name: 'auth_scim_lock',
        text: `SELECT pg_advisory_xact_lock(hashtextextended('scim ' || $1, 0))`,
        values: [key],
      });
    },

    /** False if the name is taken. The user is active. */
    async create(runner: StatementRunner, id: string, user: UserFields): Promise<boolean> {
      const { userName, firstName, lastName, email, locale } = user;
      const [row] = await runner.query<{ readonly created: boolean }>({
        name: 'auth_scim_create',
        text: 'SELECT sec.create_federated_user($1, $2, $3, $4, $5, $6, $7) AS created',
        values: [id, userName, firstName, lastName, email, locale, SCIM_SOURCE],
      });
      return row?.created === true;
    },

    /** Changes attributes of the entity: those that `changes` names, as in JSON of the entity. */
    async change(runner: StatementRunner, id: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
      await runner.query({
        name: 'auth_scim_change',
        text: 'SELECT sec.change_provisioned_user($1, $2::jsonb, $3)',
        values: [id, JSON.stringify(changes), SCIM_SOURCE],
      });
    },

    /** Writes what only SCIM knows of a user. */
    async record(
      runner: StatementRunner,
      id: string,
      { displayName, externalId }: Pick<UserFields, 'displayName' | 'externalId'>,
    ): Promise<void> {
      await runner.query({
        name: 'auth_scim_record',
        text: `INSERT INTO auth.scim_user (user_id, display_name, external_id) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET display_name = excluded.display_name, external_id = excluded.external_id,
  is_removed = false, revision = scim_user.revision + 1`,
        values: [id, displayName, externalId],
      });
    },

    /**
     * SCIM does not see the user any more, who leaves all groups. The links to subjects of providers end: a user who
     * comes back may have another subject, and a user has one of each provider.
     */
    async forget(runner: StatementRunner, id: string): Promise<void> {
      await runner.query({
        name: 'auth_scim_forget',
        text: `WITH members AS (DELETE FROM auth.scim_member WHERE user_id = $1),
links AS (DELETE FROM auth.federated_user WHERE user_id = $1)
INSERT INTO auth.scim_user (user_id, is_removed) VALUES ($1, true)
ON CONFLICT (user_id) DO UPDATE SET is_removed = true, external_id = NULL, display_name = NULL`,
        values: [id],
      });
    },

    /**
     * Ends what the person of an active user has logged in with and allowed: the password, second factors and consents.
     */
    async endCredentials(runner: StatementRunner, id: string): Promise<void> {
      await runner.query({ name: 'auth_scim_end_credentials', text: END_CREDENTIALS, values: [id, SCIM_SOURCE] });
    },

    /** Removes the user with all roles. */
    async remove(runner: StatementRunner, id: string): Promise<void> {
      await runner.query({
        name: 'auth_scim_remove',
        text: 'SELECT sec.remove_provisioned_user($1, $2)',
        values: [id, SCIM_SOURCE],
      });
      await runner.query({
        name: 'auth_scim_remove_record',
        text: `WITH members AS (DELETE FROM auth.scim_member WHERE user_id = $1) DELETE FROM auth.scim_user WHERE user_id = $1`,
        values: [id],
      });
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
