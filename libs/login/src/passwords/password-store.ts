import { fingerprintOf } from '@lintel/passwords';
import { type Database, firstRowOf, noteWork, rowsOf } from '@lintel/persistence';
import type { Account } from '../login-ports.ts';

/** Which logins stay valid with a new password; `{ sessionId }` is the one of the request. */
export type KeptLogins = 'all' | 'none' | { readonly sessionId: string };

/** Passwords that users have chosen themselves. */
export interface PasswordStore {
  /**
   * `own` if the user has chosen the current password, `refused` if an administrator has required another one.
   */
  choiceOf(account: Pick<Account, 'id' | 'passwordHash'>): Promise<'own' | 'refused' | undefined>;
  /** Requires that the user chooses another password. */
  refuseCurrent(userId: string): Promise<void>;
  /** Hashes of former passwords, the newest first. */
  formerOf(userId: string, count: number): Promise<readonly string[]>;
  /** False if the password has changed since the account was read, or the user is disabled. */
  change(account: Account, newHash: string, options: ChangeOptions): Promise<boolean>;
  /** Removes what belongs to removed users. */
  prune(): Promise<void>;
}

export interface ChangeOptions {
  readonly kept: KeptLogins;
  /** How many former hashes are stored. */
  readonly historySize: number;
}

/** Stored instead of the fingerprint of a password that the user has chosen. */
const REFUSED = 'refused';

const OWN = `INSERT INTO auth.own_password (user_id, credential) VALUES ($1, $2)
ON CONFLICT (user_id) DO UPDATE SET credential = excluded.credential, chosen_at = now()`;

const CHOICE = 'SELECT credential FROM auth.own_password WHERE user_id = $1';
const FORMER = 'SELECT password_hash FROM auth.password_history WHERE user_id = $1 ORDER BY id DESC LIMIT $2';
const REMEMBER = 'INSERT INTO auth.password_history (user_id, password_hash) VALUES ($1, $2)';

const FORGET = `DELETE FROM auth.password_history WHERE user_id = $1 AND id NOT IN (
  SELECT id FROM auth.password_history WHERE user_id = $1 ORDER BY id DESC LIMIT $2)`;

const KEEP = `UPDATE auth.oidc_model SET payload = payload || jsonb_build_object('credential', $3::text)
WHERE model = 'Login' AND uid = $1 AND payload->>'credential' = $2 AND ($4::text IS NULL OR id = $4)`;

export function createPasswordStore(database: Database): PasswordStore {
  return {
    async choiceOf({ id, passwordHash }) {
      const row = await firstRowOf<{ readonly credential: string }>(database, 'auth_own_password', CHOICE, [id]);
      if (row?.credential === REFUSED) return 'refused';
      return row?.credential === fingerprintOf(passwordHash) ? 'own' : undefined;
    },
    async refuseCurrent(userId) {
      await database.query({ text: OWN, values: [userId, REFUSED] });
    },
    async formerOf(userId, count) {
      if (count === 0) return [];
      const name = 'auth_former_passwords';
      const rows = await rowsOf<{ readonly password_hash: string }>(database, name, FORMER, [userId, count]);
      return rows.map(({ password_hash }) => password_hash);
    },
    change: ({ id, username, passwordHash }, newHash, { kept, historySize }) =>
      database.transaction(async (transaction) => {
        const run = (text: string, values: readonly unknown[]) => transaction.query({ text, values: [...values] });
        await noteWork(transaction, username);
        const [row] = await run('SELECT sec.change_password($1, $2, $3, $4) AS changed', [
          id,
          passwordHash,
          newHash,
          username,
        ]);
        if (row?.['changed'] !== true) return false;
        await run(OWN, [id, fingerprintOf(newHash)]);
        if (historySize > 0 && passwordHash !== '') await run(REMEMBER, [id, passwordHash]);
        await run(FORGET, [id, historySize]);
        // In this transaction: the event of the change ends every login with the former password.
        if (kept !== 'none') {
          const sessionId = kept === 'all' ? null : kept.sessionId;
          await run(KEEP, [username, fingerprintOf(passwordHash), fingerprintOf(newHash), sessionId]);
        }
        return true;
      }),
    async prune() {
      for (const table of ['own_password', 'password_history'])
        await database.query({
          text: `DELETE FROM auth.${table} AS t WHERE NOT EXISTS (SELECT FROM sec."user" AS u WHERE u.id = t.user_id)`,
          values: [],
        });
    },
  };
}
