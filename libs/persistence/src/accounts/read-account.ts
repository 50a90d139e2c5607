import type { StatementRunner } from '../database.ts';
import { isStorable } from '../is-storable.ts';

/** Codes of the roles that are assigned to a name. */
export interface AssignedRoles {
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
}

/**
 * Whether there are roles. A person who can choose the name of a new user must not get those that a removed user has
 * left.
 */
export const hasRoles = ({ resourceRoles, rowLevelRoles }: AssignedRoles): boolean =>
  resourceRoles.length + rowLevelRoles.length > 0;

/** A user as stored in `sec.user` and `sec.role_assignment`. */
export interface StoredAccount extends AssignedRoles {
  readonly id: string;
  readonly username: string;
  readonly isActive: boolean;
  /** Stored password hash; empty for a user without one, who cannot log in. */
  readonly passwordHash: string;
  /** Own locale in underscore form. */
  readonly locale: string | null;
  /** Local attributes that are not secret, nulls included (contract/user.md#user-info). */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Texts of the columns that migrations of the application added, by name; absent without such columns. */
  readonly userColumns?: Readonly<Record<string, string | null>>;
}

interface AccountRow {
  readonly id: string;
  readonly username: string;
  readonly is_active: boolean;
  readonly password: string | null;
  readonly locale: string | null;
  readonly attributes: string;
  readonly user_columns: string | null;
  readonly roles: string;
}

interface Assignment {
  readonly code: string;
  readonly type: string;
}

const DATE_FORMAT = `'YYYY-MM-DD"T"HH24:MI:SS.MS'`;

const ROLES = `(
  SELECT coalesce(json_agg(json_build_object('code', role_code, 'type', role_type) ORDER BY role_code), '[]')
  FROM sec.role_assignment WHERE role_assignment.username = $1
)::text`;

/** Columns of the platform's own migrations; the others belong to the application. */
const OWN_COLUMNS = `'{id,version,created_date,created_by,last_modified_date,last_modified_by,username,password,first_name,
last_name,email,active,locale,time_zone_id,country}'::text[]`;

const FIND = `SELECT id, username, coalesce(active, false) AS is_active, password, locale,
  json_build_object(
    'id', id, 'version', version,
    'createdDate', to_char(created_date, ${DATE_FORMAT}), 'createdBy', created_by,
    'lastModifiedDate', to_char(last_modified_date, ${DATE_FORMAT}), 'lastModifiedBy', last_modified_by,
    'username', username, 'firstName', first_name, 'lastName', last_name, 'email', email,
    'active', active, 'locale', locale, 'timeZoneId', time_zone_id, 'country', country
  )::text AS attributes,
  (SELECT json_object_agg(key, value)::text FROM jsonb_each_text(to_jsonb("user") - ${OWN_COLUMNS})) AS user_columns,
  ${ROLES} AS roles
FROM sec."user" WHERE username = $1`;

/** Returns the user of that name, undefined if there is none; names compare exactly (contract/tokens.md#users). */
export async function readAccount(database: StatementRunner, username: string): Promise<StoredAccount | undefined> {
  if (!isStorable(username)) return undefined;
  const [row] = await database.query<AccountRow>({ name: 'lintel_find_account', text: FIND, values: [username] });
  return row === undefined ? undefined : toAccount(row);
}

/** Returns the roles of names, whether or not there are such users; a name without roles is absent. */
export async function readRolesOf(
  database: StatementRunner,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, AssignedRoles>> {
  const rows = await database.query<Assignment & { readonly username: string }>({
    text: `SELECT username::text AS username, role_code AS code, role_type AS type
FROM sec.role_assignment WHERE username = ANY($1::varchar[]) ORDER BY role_code`,
    values: [usernames],
  });
  const byName = Map.groupBy(rows, ({ username }) => username);
  return new Map([...byName].map(([username, assignments]) => [username, rolesIn(assignments)]));
}

/** Returns the roles of a username, whether or not the user exists. */
export async function readAssignedRoles(database: StatementRunner, username: string): Promise<AssignedRoles> {
  const [row] = await database.query<{ readonly roles: string }>({
    name: 'lintel_roles_of',
    text: `SELECT ${ROLES} AS roles`,
    values: [username],
  });
  return toRoles(row?.roles ?? '[]');
}

function toAccount(row: AccountRow): StoredAccount {
  return Object.freeze({
    id: row.id,
    username: row.username,
    isActive: row.is_active,
    passwordHash: row.password ?? '',
    locale: row.locale === null || row.locale === '' ? null : row.locale.replaceAll('-', '_'),
    attributes: JSON.parse(row.attributes) as Record<string, unknown>,
    ...(row.user_columns === null
      ? {}
      : { userColumns: JSON.parse(row.user_columns) as Record<string, string | null> }),
    ...toRoles(row.roles),
  });
}

const toRoles = (text: string): AssignedRoles => rolesIn(JSON.parse(text) as readonly Assignment[]);

function rolesIn(assignments: readonly Assignment[]): AssignedRoles {
  const codesOf = (isWanted: (type: string) => boolean) =>
    assignments.filter(({ type }) => isWanted(type)).map(({ code }) => code);
  return {
    resourceRoles: codesOf((type) => type === 'resource'),
    // Only SQL that bypasses the API can write another type. To ignore it could lift a restriction.
    rowLevelRoles: codesOf((type) => type !== 'resource'),
  };
}
