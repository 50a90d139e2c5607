import type { StatementRunner } from '@lintel/persistence';

/** The tables with rows about a user, by the column with the id or with the name of the user. */
export const TABLES_OF_USERS: Readonly<Record<string, 'user_id' | 'username' | 'owner'>> = {
  'auth.api_key': 'user_id',
  'auth.own_password': 'user_id',
  'auth.password_history': 'user_id',
  'auth.password_reset': 'user_id',
  'auth.second_factor': 'user_id',
  'auth.recovery_code': 'user_id',
  'auth.federated_user': 'user_id',
  'auth.scim_user': 'user_id',
  'auth.scim_member': 'user_id',
  'auth.federated_login': 'username',
  'auth.login_attempt': 'username',
  'sys.list_view': 'owner',
  'sec.role_assignment': 'username',
};

/** Columns that show a credential, or what one can be guessed from. */
const CREDENTIALS = `ARRAY['password', 'hash', 'credential', 'password_hash', 'token_hash', 'secret_encrypted', 'public_key',
  'credential_id', 'digest', 'refresh_token_encrypted', 'last_step']`;

/** The rows about a user, without credentials: the name of a file, and its rows. */
export async function userRows(
  id: string,
  database: StatementRunner,
): Promise<readonly [name: string, rows: readonly Readonly<Record<string, unknown>>[]][]> {
  const rowsOf = async (table: string, condition: string, value: string) => {
    const text = `SELECT to_jsonb(r) - ${CREDENTIALS} AS row FROM ${table} r WHERE ${condition} = $1`;
    const rows = await database.query<{ readonly row: string }>({ text, values: [value] });
    return rows.map(({ row }) => JSON.parse(row) as Readonly<Record<string, unknown>>);
  };
  const [user] = await rowsOf('sec."user"', 'r.id::text', id);
  if (user === undefined) return [];
  const all: [string, readonly Readonly<Record<string, unknown>>[]][] = [['user/user.ndjson', [user]]];
  for (const [table, column] of Object.entries({ ...TABLES_OF_USERS, 'auth.security_event': 'username' })) {
    const value = column === 'user_id' ? id : String(user['username']);
    all.push([`user/${table.split('.')[1]}.ndjson`, await rowsOf(table, `r.${column}::text`, value)]);
  }
  return all;
}
