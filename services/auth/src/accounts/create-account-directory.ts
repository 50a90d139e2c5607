import { fingerprintOf } from '@lintel/passwords';
import { type Database, isStorable, readAccount, readAssignedRoles } from '@lintel/persistence';
import type { AccountDirectory } from './account.ts';

/** Reads `sec.user` and `sec.role_assignment`. */
export function createAccountDirectory(database: Database): AccountDirectory {
  return {
    find: (username) => readAccount(database, username),
    async namesLike(username) {
      if (!isStorable(username)) return [];
      const rows = await database.query<{ readonly username: string }>({
        name: 'auth_names_like',
        text: `SELECT username FROM sec."user" WHERE sec.name_key(username) = sec.name_key($1)
ORDER BY username <> $1, username LIMIT 2`,
        values: [username],
      });
      return rows.map((row) => row.username);
    },
    rolesOf: (username) => readAssignedRoles(database, username),
    async replacePasswordHash(account, newHash) {
      const [row] = await database.query<{ readonly replaced: boolean }>({
        name: 'auth_replace_hash',
        text: 'SELECT sec.replace_password_hash($1, $2, $3) AS replaced',
        values: [account.id, account.passwordHash, newHash],
      });
      if (row?.replaced !== true) return false;
      // The password is the same: it stays one that the user has chosen, or has not.
      await database.query({
        name: 'auth_follow_hash',
        text: 'UPDATE auth.own_password SET credential = $3 WHERE user_id = $1 AND credential = $2',
        values: [account.id, fingerprintOf(account.passwordHash), fingerprintOf(newHash)],
      });
      return true;
    },
  };
}
