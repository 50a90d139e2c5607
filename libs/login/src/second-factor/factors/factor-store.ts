import { type Database, firstRowOf, hasRows, rowsOf, type Statement, utcText } from '@lintel/persistence';

/** A second factor as its user sees it. */
export interface Factor {
  readonly id: string;
  readonly kind: 'totp' | 'passkey';
  /** The name that its user has given it. */
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** A new factor of a user. */
export interface NewTotp {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly secretEncrypted: Buffer;
  /** Time step of the code that confirmed it. */
  readonly step: number;
}

/** Second factors and recovery codes, in `auth.second_factor` and `auth.recovery_code`. */
export interface FactorStore {
  /** The oldest first. */
  of(userId: string): Promise<readonly Factor[]>;
  hasAny(userId: string): Promise<boolean>;
  /** In the order of the ids, also after a use. */
  totpOf(userId: string): Promise<readonly { readonly id: string; readonly secretEncrypted: Buffer }[]>;
  /** False if the user has `MAX_FACTORS`; with `onlyFirst` if the user has any. */
  addTotp(factor: NewTotp, onlyFirst?: boolean): Promise<boolean>;
  /** Records the use of the code of a time step; false if it, or a later one, was used before. */
  useStep(id: string, step: number): Promise<boolean>;
  /** Removes one factor of a user, or all; with the last one the recovery codes. Returns the number. */
  remove(userId: string, id?: string): Promise<number>;
  replaceRecoveryCodes(userId: string, digests: readonly string[]): Promise<void>;
  /** Uses a code; false if there is none, or it was used before. */
  useRecoveryCode(userId: string, digest: string): Promise<boolean>;
  countRecoveryCodes(userId: string): Promise<number>;
  /** Removes what belonged to users that have been removed. */
  purge(): Promise<void>;
}

/** Maximum number of factors of a user. */
export const MAX_FACTORS = 20;

const LIST = `SELECT id, kind, name, ${utcText('created_at')} AS "createdAt", ${utcText('last_used_at')} AS "lastUsedAt"
FROM auth.second_factor WHERE user_id = $1 ORDER BY created_at, id`;

const ADD_TOTP = `INSERT INTO auth.second_factor (id, user_id, kind, name, secret_encrypted, last_step)
SELECT $1, $2, 'totp', $3, $4, $5
WHERE (SELECT count(*) FROM auth.second_factor WHERE user_id = $2) < $6 RETURNING id`;

const USE_STEP = `UPDATE auth.second_factor SET last_step = $2, last_used_at = now()
WHERE id = $1 AND kind = 'totp' AND (last_step IS NULL OR last_step < $2) RETURNING id`;

const REMOVE = `WITH removed AS (
  DELETE FROM auth.second_factor WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2) RETURNING id
), codes AS (
  DELETE FROM auth.recovery_code WHERE user_id = $1 AND EXISTS (SELECT FROM removed)
    AND NOT EXISTS (SELECT FROM auth.second_factor WHERE user_id = $1 AND id NOT IN (SELECT id FROM removed))
)
SELECT id FROM removed`;

const REPLACE_CODES = `WITH removed AS (
  DELETE FROM auth.recovery_code WHERE user_id = $1 AND NOT digest = ANY ($2::text[])
)
INSERT INTO auth.recovery_code (user_id, digest) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`;

const PURGE = `WITH codes AS (
  DELETE FROM auth.recovery_code AS c WHERE NOT EXISTS (SELECT FROM sec."user" AS u WHERE u.id = c.user_id)
)
DELETE FROM auth.second_factor AS f WHERE NOT EXISTS (SELECT FROM sec."user" AS u WHERE u.id = f.user_id)`;

const LOCK = "SELECT pg_advisory_xact_lock(hashtext('second factors'), hashtext($1))";
const HAS_ANY = 'SELECT 1 FROM auth.second_factor WHERE user_id = $1 LIMIT 1';
const TOTP = `SELECT id, secret_encrypted AS "secretEncrypted" FROM auth.second_factor
WHERE user_id = $1 AND kind = 'totp' ORDER BY id`;
const USE_CODE = 'DELETE FROM auth.recovery_code WHERE user_id = $1 AND digest = $2 RETURNING digest';
const COUNT_CODES = 'SELECT count(*)::int AS count FROM auth.recovery_code WHERE user_id = $1';

/** Adds a factor, of several requests of one user one after the other: each counts those that exist. */
export const addFactor = (database: Database, userId: string, insert: Statement): Promise<boolean> =>
  database.transaction(async (transaction) => {
    await rowsOf(transaction, 'auth_lock_factors', LOCK, [userId]);
    return (await transaction.query(insert)).length > 0;
  });

export function createFactorStore(database: Database): FactorStore {
  return {
    of: (userId) => rowsOf(database, 'auth_factors', LIST, [userId]),
    hasAny: (userId) => hasRows(database, 'auth_has_factor', HAS_ANY, [userId]),
    totpOf: (userId) => rowsOf(database, 'auth_totp_factors', TOTP, [userId]),
    addTotp: ({ id, userId, name, secretEncrypted, step }, onlyFirst = false) =>
      addFactor(database, userId, {
        name: 'auth_add_totp',
        text: ADD_TOTP,
        values: [id, userId, name, secretEncrypted, step, onlyFirst ? 1 : MAX_FACTORS],
      }),
    useStep: (id, step) => hasRows(database, 'auth_use_totp_step', USE_STEP, [id, step]),
    remove: async (userId, id) => (await rowsOf(database, 'auth_remove_factors', REMOVE, [userId, id ?? null])).length,
    async replaceRecoveryCodes(userId, digests) {
      await rowsOf(database, 'auth_replace_recovery_codes', REPLACE_CODES, [userId, digests]);
    },
    useRecoveryCode: (userId, digest) => hasRows(database, 'auth_use_recovery_code', USE_CODE, [userId, digest]),
    async countRecoveryCodes(userId) {
      const name = 'auth_count_recovery_codes';
      return (await firstRowOf<{ readonly count: number }>(database, name, COUNT_CODES, [userId]))?.count ?? 0;
    },
    async purge() {
      await rowsOf(database, 'auth_purge_factors', PURGE);
    },
  };
}
