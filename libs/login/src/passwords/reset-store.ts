import { createHash, randomBytes } from 'node:crypto';
import { fingerprintOf } from '@lintel/passwords';
import { type Database, firstRowOf, rowsOf } from '@lintel/persistence';
import type { Account } from '../login-ports.ts';

/** A link that has not expired. */
export interface StoredReset {
  readonly userId: string;
  readonly username: string;
  /** `mailedCredentialOf` at the time of the link. */
  readonly credential: string;
}

/** A fingerprint of what a link depends on: the password, and the e-mail address to which it was sent. */
export const mailedCredentialOf = ({ passwordHash, attributes }: Account): string =>
  fingerprintOf(JSON.stringify([passwordHash, attributes['email']]));

/** The one-time links; only hashes of their tokens are stored. */
export interface ResetStore {
  /** A new token, which ends the earlier ones of the user. */
  create(account: Account): Promise<string>;
  find(token: string): Promise<StoredReset | undefined>;
  /** Names of users with an e-mail address, which is not unique: at most two; of disabled users only if asked for. */
  namesOfEmail(email: string, withDisabled?: boolean): Promise<readonly string[]>;
  /** Ends all links of a user. */
  remove(userId: string): Promise<void>;
  prune(): Promise<void>;
}

const BYTES = 32;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const REMOVE = 'DELETE FROM auth.password_reset WHERE user_id = $1';
const CREATE = `INSERT INTO auth.password_reset (token_hash, user_id, username, credential, expires_at)
VALUES ($1, $2, $3, $4, now() + $5::float8 * interval '1 millisecond')`;
const FIND = `SELECT user_id AS "userId", username, credential FROM auth.password_reset
WHERE token_hash = $1 AND expires_at > now()`;
const NAMES = `SELECT username FROM sec."user" WHERE lower(email) = lower($1) AND (active OR $2) LIMIT 2`;

export function createResetStore(database: Database, lifeMs: number): ResetStore {
  const remove = async (userId: string): Promise<void> => {
    await rowsOf(database, 'auth_remove_resets', REMOVE, [userId]);
  };
  return {
    async create(account) {
      const { id, username } = account;
      await remove(id);
      const token = randomBytes(BYTES).toString('base64url');
      const values = [hashOf(token), id, username, mailedCredentialOf(account), lifeMs];
      await rowsOf(database, 'auth_create_reset', CREATE, values);
      return token;
    },
    find: (token) => firstRowOf(database, 'auth_find_reset', FIND, [hashOf(token)]),
    async namesOfEmail(email, withDisabled = false) {
      if (email.includes('\0') || !email.includes('@')) return [];
      const values = [email, withDisabled];
      const rows = await rowsOf<{ readonly username: string }>(database, 'auth_names_of_email', NAMES, values);
      return rows.map(({ username }) => username);
    },
    remove,
    async prune() {
      await rowsOf(database, 'auth_prune_resets', 'DELETE FROM auth.password_reset WHERE expires_at < now()');
    },
  };
}
