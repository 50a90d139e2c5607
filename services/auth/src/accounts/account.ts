import type { AssignedRoles, StoredAccount } from '@lintel/persistence';

/** A user as the auth service reads it from `sec.user`. */
export type Account = StoredAccount;

/** Port to the users and their role assignments, which the data service owns. */
export interface AccountDirectory {
  find(username: string): Promise<Account | undefined>;
  /** Role codes assigned to a name, whether or not a user of that name exists. */
  rolesOf(username: string): Promise<AssignedRoles>;
  /** Puts a new hash in the place of the one that was verified; false where it had changed meanwhile. */
  replacePasswordHash(account: Account, newHash: string): Promise<boolean>;
}
