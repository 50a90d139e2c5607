import { type Database, readAccount, readAssignedRoles } from '@lintel/persistence';
import type { AccountDirectory } from './account.ts';

/** Reads `sec.user` and `sec.role_assignment`. */
export function createAccountDirectory(database: Database): AccountDirectory {
  return {
    find: (username) => readAccount(database, username),
    rolesOf: (username) => readAssignedRoles(database, username),
    async replacePasswordHash(account, newHash) {
      const [row] = await database.query<{ readonly replaced: boolean }>({
        name: 'auth_replace_hash',
        text: 'SELECT sec.replace_password_hash($1, $2, $3) AS replaced',
        values: [account.id, account.passwordHash, newHash],
      });
      return row?.replaced === true;
    },
  };
}
