import { createHash } from 'node:crypto';
import { type Database, noteWork, type StatementRunner } from '@lintel/persistence';
import { SCIM_SOURCE } from '../users/user-changes.ts';

/** The roles of a group, by its name; the group `*` is every user of SCIM. */
interface RoleRow {
  readonly group: string;
  readonly code: string;
  readonly type: 'resource' | 'row-level';
}

const EVERYBODY = '*';

/** `group=role`: the text after the last `=` is the role. */
const rowsOf = (items: readonly string[], type: RoleRow['type']): readonly RoleRow[] =>
  items.map((item) => {
    const end = item.lastIndexOf('=');
    return { group: item.slice(0, end).trim().toLowerCase(), code: item.slice(end + 1).trim(), type };
  });

/** One statement for all users: `$1` their ids, `$2` the table, `$3` its digest. */
const FOLLOW = `WITH followed AS MATERIALIZED (
  SELECT u.id, u.username::text AS username, s.user_id IS NOT NULL AND NOT s.is_removed AS has_roles
  FROM sec."user" AS u LEFT JOIN auth.scim_user AS s ON s.user_id = u.id WHERE u.id = ANY($1::uuid[])
), role AS MATERIALIZED (
  SELECT "group", code, type FROM jsonb_to_recordset($2::jsonb) AS t("group" text, code text, type text)
), expected AS (
  SELECT u.username, role.code, role.type FROM followed AS u JOIN role ON role."group" = '${EVERYBODY}' WHERE u.has_roles
  UNION
  SELECT u.username, role.code, role.type FROM followed AS u
  JOIN auth.scim_member AS m ON m.user_id = u.id JOIN auth.scim_group AS g ON g.id = m.group_id
  JOIN role ON role."group" = lower(g.display_name) WHERE u.has_roles
), marked AS (
  UPDATE auth.scim_user SET role_table = $3 WHERE user_id = ANY($1::uuid[]) AND role_table IS DISTINCT FROM $3
)
SELECT unnest(sec.follow_provisioned_roles((SELECT array_agg(username) FROM followed),
  (SELECT coalesce(jsonb_agg(expected), '[]') FROM expected), '${SCIM_SOURCE}')) AS username`;

/** Users of one statement after a change of the configuration. */
const BATCH = 200;

/** Gives users of SCIM the roles of their groups. */
export interface RoleTable {
  /** Whether a group of this name gives roles. */
  hasRoles(groupName: string): boolean;
  /**
   * Lets the roles of users follow their groups. Only roles that SCIM has given are taken away.
   *
   * @returns the names of the users whose roles changed
   */
  follow(runner: StatementRunner, userIds: readonly string[]): Promise<readonly string[]>;
  /** Lets the roles of all users follow a changed configuration. */
  followConfiguration(database: Database): Promise<readonly string[]>;
}

export function createRoleTable(resourceRoles: readonly string[], rowLevelRoles: readonly string[]): RoleTable {
  const rows = [...rowsOf(resourceRoles, 'resource'), ...rowsOf(rowLevelRoles, 'row-level')];
  const names = new Set(rows.map(({ group }) => group));
  const table = JSON.stringify(rows);
  const digest = createHash('sha256').update(table).digest('base64url');

  async function follow(runner: StatementRunner, userIds: readonly string[]): Promise<readonly string[]> {
    if (userIds.length === 0) return [];
    const changed = await runner.query<{ readonly username: string }>({
      name: 'auth_scim_follow_roles',
      text: FOLLOW,
      values: [userIds, table, digest],
    });
    return changed.map(({ username }) => username);
  }

  return {
    hasRoles: (groupName) => names.has(groupName.toLowerCase()) && groupName !== EVERYBODY,
    follow,
    async followConfiguration(database) {
      const changed: string[] = [];
      for (;;) {
        const found = await database.query<{ readonly user_id: string }>({
          name: 'auth_scim_outdated_roles',
          text: 'SELECT user_id FROM auth.scim_user WHERE role_table IS DISTINCT FROM $1 ORDER BY user_id LIMIT $2',
          values: [digest, BATCH],
        });
        if (found.length === 0) return changed;
        const ids = found.map(({ user_id: id }) => id);
        const all = await database.transaction(async (transaction) => {
          await noteWork(transaction, SCIM_SOURCE);
          return follow(transaction, ids);
        });
        changed.push(...all);
      }
    },
  };
}
