import { type Database, firstRowOf, hasRows, rowsOf, utcText } from '@lintel/persistence';

/** A key as the database has it; never with the key itself. */
export interface StoredKey {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  /** Beginning of the key, by which its owner recognizes it. */
  readonly hint: string;
  readonly resourceRoles: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}

/** A key that was removed, with its digest. */
export type RemovedKey = StoredKey & { readonly hash: string };

/** Whether a key was inserted, and the expired keys that were removed before. */
export interface InsertedKey {
  readonly isInserted: boolean;
  readonly expired: readonly RemovedKey[];
}

/** Port to the table `auth.api_key`. */
export interface KeyStore {
  /** Inserts a key unless the user has `max` keys that have not expired; those that have are removed. */
  insert(key: Omit<RemovedKey, 'createdAt' | 'lastUsedAt'>, max: number): Promise<InsertedKey>;
  /** Those of a user, the newest first; expired ones as well. */
  ofUser(userId: string): Promise<readonly StoredKey[]>;
  findByHash(hash: string): Promise<StoredKey | undefined>;
  /** The name of the user of a key. */
  ownerOf(id: string): Promise<string | undefined>;
  /** Removes a key of a user. */
  remove(id: string, userId: string): Promise<RemovedKey | undefined>;
  /** Removes all keys of a user name. */
  removeOf(username: string): Promise<readonly RemovedKey[]>;
  /** Accurate to a minute. */
  recordUse(id: string): Promise<void>;
  /** Removes keys that expired long ago. */
  purge(): Promise<void>;
}

const COLUMNS = `id, user_id AS "userId", username, name, hint, resource_roles AS "resourceRoles",
  ${utcText('created_at')} AS "createdAt", ${utcText('expires_at')} AS "expiresAt", ${utcText('last_used_at')} AS "lastUsedAt"`;

const REMOVED = `RETURNING ${COLUMNS}, hash`;

const INSERT = `INSERT INTO auth.api_key (id, user_id, username, name, hint, hash, resource_roles, expires_at)
SELECT $1, $2, $3, $4, $5, $6, $7::text[], $8 WHERE (SELECT count(*) FROM auth.api_key WHERE user_id = $2) < $9
RETURNING id`;
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('api keys'), hashtext($1))";
const REMOVE_EXPIRED = `DELETE FROM auth.api_key WHERE user_id = $1 AND expires_at <= now() ${REMOVED}`;
const OF_USER = `SELECT ${COLUMNS} FROM auth.api_key WHERE user_id = $1 ORDER BY created_at DESC, id`;
const FIND = `SELECT ${COLUMNS} FROM auth.api_key WHERE hash = $1`;
const REMOVE = `DELETE FROM auth.api_key WHERE id = $1::uuid AND user_id = $2 ${REMOVED}`;
const REMOVE_OF = `DELETE FROM auth.api_key WHERE username = $1 ${REMOVED}`;
const RECORD_USE = `UPDATE auth.api_key SET last_used_at = now()
WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

export function createKeyStore(database: Database): KeyStore {
  return {
    insert: (key, max) =>
      database.transaction(async (transaction) => {
        const { id, userId, username, name, hint, hash, resourceRoles, expiresAt } = key;
        // Otherwise two requests could add one key too many.
        await rowsOf(transaction, 'auth_lock_keys', LOCK, [userId]);
        const expired = await rowsOf<RemovedKey>(transaction, 'auth_remove_expired_keys', REMOVE_EXPIRED, [userId]);
        const values = [id, userId, username, name, hint, hash, resourceRoles, expiresAt, max];
        return { isInserted: await hasRows(transaction, 'auth_insert_key', INSERT, values), expired };
      }),
    ofUser: (userId) => rowsOf(database, 'auth_keys_of_user', OF_USER, [userId]),
    findByHash: (hash) => firstRowOf(database, 'auth_find_key', FIND, [hash]),
    async ownerOf(id) {
      const [row] = await database.query<{ readonly username: string }>({
        text: 'SELECT username FROM auth.api_key WHERE id = $1::uuid',
        values: [id],
      });
      return row?.username;
    },
    remove: (id, userId) => firstRowOf(database, 'auth_remove_key', REMOVE, [id, userId]),
    removeOf: (username) => rowsOf(database, 'auth_remove_keys_of_user', REMOVE_OF, [username]),
    async recordUse(id) {
      await rowsOf(database, 'auth_record_key_use', RECORD_USE, [id]);
    },
    async purge() {
      await database.query({
        text: `DELETE FROM auth.api_key WHERE expires_at < now() - interval '30 days'`,
        values: [],
      });
    },
  };
}
