/** A user as the auth service reads it from `sec.user`. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly isActive: boolean;
  /** Stored password hash; empty where the user has none and cannot log in. */
  readonly passwordHash: string;
  /** Own locale in underscore form. */
  readonly locale: string | null;
  /** Local attributes that are not secret, nulls included (contract-security-core.md §7.1). */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
}

/** Port to the users and their role assignments, which the data service owns. */
export interface AccountDirectory {
  find(username: string): Promise<Account | undefined>;
  /** Role codes assigned to a name, whether or not a user of that name exists. */
  rolesOf(username: string): Promise<Pick<Account, 'resourceRoles' | 'rowLevelRoles'>>;
  /** Puts a new hash in the place of the one that was verified; false where it had changed meanwhile. */
  replacePasswordHash(account: Account, newHash: string): Promise<boolean>;
}
