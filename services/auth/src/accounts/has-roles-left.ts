import type { AccountDirectory } from './account.ts';

/**
 * Whether roles are assigned to a name that no user has: of a user who was removed by SQL, for example. A person who can
 * choose the name of a new user must not get them.
 */
export async function hasRolesLeft(accounts: Pick<AccountDirectory, 'rolesOf'>, username: string): Promise<boolean> {
  const { resourceRoles, rowLevelRoles } = await accounts.rolesOf(username);
  return resourceRoles.length + rowLevelRoles.length > 0;
}
