import { type Database, utcText } from '@lintel/persistence';

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

const REMOVED_COLUMNS = `${COLUMNS}, hash`;

const INSERT = `INSERT INTO auth.api_key (id, user_id, username, name, hint, hash, resource_roles, expires_at)
SELECT $1, $2, $3, $4, $5, $6, $7::text[], $8 WHERE (SELECT count(*) FROM auth.api_key WHERE user_id = $2) < $9
RETURNING id`;

export function createKeyStore(database: Database): KeyStore {
  return {
    insert: (key, max) =>
      database.transaction(async (transaction) => {
        // Otherwise two requests could add one key too many.
        await transaction.query({
          name: 'auth_lock_keys',
          text: `SELECT pg_advisory_xact_lock(hashtext('api keys'), hashtext($1))`,
          values: [key.userId],
        });
        const expired = await transaction.query<RemovedKey>({
          name: 'auth_remove_expired_keys',
          text: `DELETE FROM auth.api_key WHERE user_id = $1 AND expires_at <= now() RETURNING ${REMOVED_COLUMNS}`,
          values: [key.userId],
        });
        const { id, userId, username, name, hint, hash, resourceRoles, expiresAt } = key;
        const values = [id, userId, username, name, hint, hash, resourceRoles, expiresAt, max];
        const rows = await transaction.query({ name: 'auth_insert_key', text: INSERT, values });
        return { isInserted: rows.length > 0, expired };
      }),
    ofUser: (userId) =>
      database.query<StoredKey>({
        name: 'auth_keys_of_user',
        text: `SELECT ${COLUMNS} FROM auth.api_key WHERE user_id = $1 ORDER BY created_at DESC, id`,
        values: [userId],
      }),
    async findByHash(hash) {
      const [row] = await database.query<StoredKey>({
        name: 'auth_find_key',
        text: `SELECT ${COLUMNS} FROM auth.api_key WHERE hash = $1`,
        values: [hash],
      });
      return row;
    },
    async ownerOf(id) {
      const [row] = await database.query<{ readonly username: string }>({
        text: 'SELECT username FROM auth.api_key WHERE id = $1::uuid',
        values: [id],
      });
      return row?.username;
    },
    async remove(id, userId) {
      const [row] = await database.query<RemovedKey>({
        name: 'auth_remove_key',
        text: `DELETE FROM auth.api_key WHERE id = $1::uuid AND user_id = $2 RETURNING ${REMOVED_COLUMNS}`,
        values: [id, userId],
      });
      return row;
    },
    removeOf: (username) =>
      database.query<RemovedKey>({
        name: 'auth_remove_keys_of_user',
        text: `DELETE FROM auth.api_key WHERE username = $1 RETURNING ${REMOVED_COLUMNS}`,
        values: [username],
      }),
    async recordUse(id) {
      await database.query({
        name: 'auth_record_key_use',
        text: `UPDATE auth.api_key SET last_used_at = now()
WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        values: [id],
      });
    },
    async purge() {
      await database.query({
        text: `DELETE FROM auth.api_key WHERE expires_at < now() - interval '30 days'`,
        values: [],
      });
    },
  };
}
