import type { AssignedRoles, StoredAccount } from '@lintel/persistence';

/** A user as the auth service reads it from `sec.user`. */
export type Account = StoredAccount;

/** Port to users and their role assignments, which belong to the data service. */
export interface AccountDirectory {
  find(username: string): Promise<Account | undefined>;
  /** Names of users that equal a name without case: at most two, the equal one first. */
  namesLike(username: string): Promise<readonly string[]>;
  /** Role codes assigned to a name, whether or not a user of that name exists. */
  rolesOf(username: string): Promise<AssignedRoles>;
  /** Replaces the hash that was verified by a new one; false if it has changed since. */
  replacePasswordHash(account: Account, newHash: string): Promise<boolean>;
}
