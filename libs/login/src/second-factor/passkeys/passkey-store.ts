import { type Database, firstRowOf, hasRows, rowsOf } from '@lintel/persistence';
import { addFactor } from '../factors/factor-store.ts';

/** A stored passkey. */
export interface Passkey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  /** Number of signatures; 0 for passkeys that do not count. */
  readonly signCount: number;
  readonly transports: readonly string[];
}

/** Passkeys in `auth.second_factor`. */
export interface PasskeyStore {
  find(credentialId: string): Promise<Passkey | undefined>;
  of(userId: string): Promise<readonly Passkey[]>;
  /** False if the user has `max` factors, or the passkey is known. */
  add(passkey: Passkey & { readonly name: string }, max: number): Promise<boolean>;
  /** Records a use; false if a later signature was used before, which happens with copies of a passkey. */
  use(id: string, signCount: number): Promise<boolean>;
  /** The name of a user. */
  usernameOf(userId: string): Promise<string | undefined>;
}

const COLUMNS = `id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
  sign_count::float8 AS "signCount", coalesce(transports, '{}') AS transports`;

const ADD = `INSERT INTO auth.second_factor
  (id, user_id, kind, name, credential_id, public_key, sign_count, transports)
SELECT $1, $2, 'passkey', $3, $4, $5, $6, $7::text[]
WHERE (SELECT count(*) FROM auth.second_factor WHERE user_id = $2) < $8
ON CONFLICT DO NOTHING RETURNING id`;

const USE = `UPDATE auth.second_factor SET sign_count = $2, last_used_at = now()
WHERE id = $1 AND kind = 'passkey' AND (sign_count < $2 OR sign_count = 0 AND $2 = 0) RETURNING id`;

const USERNAME = 'SELECT username FROM sec."user" WHERE id = $1';

export function createPasskeyStore(database: Database): PasskeyStore {
  const select = (name: string, condition: string, value: string): Promise<readonly Passkey[]> =>
    rowsOf(database, name, `SELECT ${COLUMNS} FROM auth.second_factor WHERE kind = 'passkey' AND ${condition} = $1`, [
      value,
    ]);
  return {
    find: async (credentialId) => (await select('auth_find_passkey', 'credential_id', credentialId))[0],
    of: (userId) => select('auth_passkeys_of_user', 'user_id', userId),
    add({ id, userId, name, credentialId, publicKey, signCount, transports }, max) {
      const values = [id, userId, name, credentialId, publicKey, signCount, transports, max];
      return addFactor(database, userId, { name: 'auth_add_passkey', text: ADD, values });
    },
    use: (id, signCount) => hasRows(database, 'auth_use_passkey', USE, [id, signCount]),
    usernameOf: async (userId) =>
      (await firstRowOf<{ readonly username: string }>(database, 'auth_username_of_id', USERNAME, [userId]))?.username,
  };
}
