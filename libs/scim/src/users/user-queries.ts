import { firstRowOf, type StatementRunner } from '@lintel/persistence';
import { type AttributeColumn, compileFilter } from '../filters/compile-filter.ts';
import { compileOrder } from '../filters/compile-order.ts';
import { SCHEMA_URIS } from '../protocol/schema-uris.ts';
import type { ListRequest, Page } from '../requests/list-request.ts';
import type { StoredUser } from './user-fields.ts';

const WORK = `CASE WHEN u.email IS NOT NULL THEN 'work' END`;
const MEMBERSHIP = 'SELECT FROM auth.scim_member AS f WHERE f.user_id = u.id';

/** Attributes of users in filters and as sort keys; `u` is the user, `s` the record of SCIM. */
export const USER_COLUMNS: ReadonlyMap<string, AttributeColumn> = new Map<string, AttributeColumn>([
  ['id', { sql: 'u.id', kind: 'id' }],
  ['externalid', { sql: 's.external_id', kind: 'exact' }],
  ['username', { sql: 'u.username', kind: 'text' }],
  ['name.givenname', { sql: 'u.first_name', kind: 'text' }],
  ['name.familyname', { sql: 'u.last_name', kind: 'text' }],
  ['displayname', { sql: 's.display_name', kind: 'text' }],
  ['emails', { sql: 'u.email', kind: 'text' }],
  ['emails.value', { sql: 'u.email', kind: 'text' }],
  ['emails.type', { sql: WORK, kind: 'text' }],
  ['emails.primary', { sql: '(u.email IS NOT NULL AND coalesce(s.is_primary, true))', kind: 'boolean' }],
  ['active', { sql: 'coalesce(u.active, false)', kind: 'boolean' }],
  ['locale', { sql: `replace(u.locale, '_', '-')`, kind: 'text' }],
  ['preferredlanguage', { sql: `replace(u.locale, '_', '-')`, kind: 'text' }],
  // Not stored: without a value. Entra ID looks for users by their managers unless its mapping is removed.
  ...['manager', `${SCHEMA_URIS.enterpriseUser.toLowerCase()}:manager`].flatMap((name) =>
    [name, `${name}.value`].map((each): [string, AttributeColumn] => [each, { sql: 'NULL::text', kind: 'text' }]),
  ),
  ['groups', { sql: 'f.group_id', kind: 'relation', from: MEMBERSHIP }],
  ['groups.value', { sql: 'f.group_id', kind: 'relation', from: MEMBERSHIP }],
  ['meta.created', { sql: `(u.created_date AT TIME ZONE 'UTC')`, kind: 'date' }],
  ['meta.lastmodified', { sql: `(greatest(u.created_date, u.last_modified_date) AT TIME ZONE 'UTC')`, kind: 'date' }],
]);

/** A user that a name belongs to. */
export interface StoredName {
  readonly id: string;
  readonly username: string;
  /** Whether SCIM has a record of the user, and has removed the user. */
  readonly isRemoved: boolean;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const USER_JSON = `json_build_object('id', u.id, 'userName', u.username, 'firstName', u.first_name,
  'lastName', u.last_name, 'email', u.email, 'active', coalesce(u.active, false), 'locale', u.locale,
  'isPrimary', coalesce(s.is_primary, true), 'formattedName', s.formatted_name, 'displayName', s.display_name, 'externalId', s.external_id,
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

const FIND = `SELECT ${USER_JSON}::text AS item FROM ${USER_SOURCE} WHERE ${VISIBLE} AND u.id = $2`;
const FIND_NAME = `SELECT u.id, u.username, coalesce(s.is_removed, false) AS "isRemoved" FROM ${USER_SOURCE}
WHERE sec.name_key(u.username) = sec.name_key($1) ORDER BY u.username <> $1, u.id LIMIT 1`;
const IS_TAKEN = `SELECT EXISTS (SELECT FROM sec."user" AS u WHERE sec.name_key(u.username) = sec.name_key($1) AND u.id <> $2)
  OR EXISTS (SELECT FROM auth.client AS c WHERE sec.name_key(c.client_id) = sec.name_key($1))
  OR EXISTS (SELECT FROM auth.configured_client AS c WHERE sec.name_key(c.client_id) = sec.name_key($1)) AS taken`;

/** Statements that read users; each list is one. */
export function createUserQueries(linksExisting: boolean) {
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
      const row = await firstRowOf<{ readonly item: string }>(runner, 'auth_scim_user', FIND, [linksExisting, id]);
      return row === undefined ? undefined : (JSON.parse(row.item) as StoredUser);
    },

    /** The user with a name in any case, also one that is not visible. */
    findName: (runner: StatementRunner, username: string): Promise<StoredName | undefined> =>
      firstRowOf(runner, 'auth_scim_name', FIND_NAME, [username]),

    /** Whether another user has a name, in any case, or a client. */
    async isTaken(runner: StatementRunner, username: string, userId: string): Promise<boolean> {
      const values = [username, userId];
      const row = await firstRowOf<{ readonly taken: boolean }>(runner, 'auth_scim_name_taken', IS_TAKEN, values);
      return row?.taken === true;
    },
  };
}
