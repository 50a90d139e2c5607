/** Users, assignments and stored roles, as the database has them. */
export interface State {
  readonly users: readonly StoredUser[];
  readonly assignments: readonly StoredAssignment[];
  readonly roles: StoredRoles;
  /** Ids by entity. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly version: string;
}

export interface StoredUser {
  readonly id: string;
  readonly username: string;
  readonly password: string | null;
  readonly email: string | null;
  /** The whole row. */
  readonly row: string;
}

export interface StoredAssignment {
  readonly username: string;
  readonly code: string;
  readonly type: string;
}

export interface StoredPolicy {
  readonly type: string;
  readonly resource: string;
  readonly action: string;
  /** `allow`, or `step-up` for strong logins alone. */
  readonly effect: string;
}

export interface StoredRoles {
  readonly resourceRoles: readonly {
    readonly code: string;
    readonly scopes: readonly string[];
    readonly childRoles: readonly string[];
    readonly policies: readonly StoredPolicy[];
  }[];
  readonly rowLevelRoles: readonly {
    readonly code: string;
    readonly policies: readonly { readonly entityName: string; readonly action: string }[];
  }[];
}

const idsIn = (table: string): string => `(SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM ${table})`;
const READ = `SELECT json_build_object(
  'users', (SELECT coalesce(json_agg(json_build_object('id', id, 'username', username, 'password', password,
    'email', email, 'row', (to_jsonb(u) - '{version,last_modified_date,last_modified_by}'::text[])::text) ORDER BY id), '[]')
    FROM sec."user" u),
  'assignments', (SELECT coalesce(json_agg(json_build_object('username', username, 'code', role_code, 'type', role_type)
    ORDER BY username, role_code, role_type), '[]') FROM sec.role_assignment),
  'roles', (SELECT body FROM sec.role_snapshot),
  'version', (SELECT version FROM sec.role_snapshot),
  'ids', json_build_object(
    'sec_User', ${idsIn('sec."user"')}, 'sec_RoleAssignment', ${idsIn('sec.role_assignment')},
    'sec_ResourceRole', ${idsIn('sec.resource_role')}, 'sec_ResourcePolicy', ${idsIn('sec.resource_policy')},
    'sec_RowLevelRole', ${idsIn('sec.row_level_role')}, 'sec_RowLevelPolicy', ${idsIn('sec.row_level_policy')},
    't_Employee', ${idsIn('t.employee')})
)::text AS state`;

type Query = (text: string) => Promise<readonly Record<string, unknown>[]>;

export async function readState(query: Query): Promise<State> {
  const [row] = await query(READ);
  return JSON.parse(String(row?.['state'])) as State;
}

/** Codes of the roles of a name. */
export const codesOf = (username: string, { assignments }: State, type: 'resource' | 'row-level'): readonly string[] =>
  assignments.filter((each) => each.username === username && each.type === type).map(({ code }) => code);
