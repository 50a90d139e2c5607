import { fingerprintOf } from '@lintel/passwords';
import { type Database, firstRowOf, isStorable, readAccount, readAssignedRoles, rowsOf } from '@lintel/persistence';
import type { AccountDirectory } from './account.ts';

const NAMES_LIKE = `SELECT username FROM sec."user" WHERE sec.name_key(username) = sec.name_key($1)
ORDER BY username <> $1, username LIMIT 2`;
const REPLACE = 'SELECT sec.replace_password_hash($1, $2, $3) AS replaced';
const FOLLOW = 'UPDATE auth.own_password SET credential = $3 WHERE user_id = $1 AND credential = $2';

/** Reads `sec.user` and `sec.role_assignment`. */
export function createAccountDirectory(database: Database): AccountDirectory {
  return {
    find: (username) => readAccount(database, username),
    async namesLike(username) {
      if (!isStorable(username)) return [];
      const rows = await rowsOf<{ readonly username: string }>(database, 'auth_names_like', NAMES_LIKE, [username]);
      return rows.map((row) => row.username);
    },
    rolesOf: (username) => readAssignedRoles(database, username),
    async replacePasswordHash({ id, passwordHash }, newHash) {
      const values = [id, passwordHash, newHash];
      const row = await firstRowOf<{ readonly replaced: boolean }>(database, 'auth_replace_hash', REPLACE, values);
      if (row?.replaced !== true) return false;
      // The password is the same: it stays one that the user has chosen, or has not.
      const prints = [fingerprintOf(passwordHash), fingerprintOf(newHash)];
      await rowsOf(database, 'auth_follow_hash', FOLLOW, [id, ...prints]);
      return true;
    },
  };
}
