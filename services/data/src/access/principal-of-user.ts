import type { UserAttributeReader } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { readAccount, type StatementRunner, type StoredAccount } from '@lintel/persistence';

export interface UserReading {
  readonly database: StatementRunner;
  readonly readUserAttributes: UserAttributeReader;
}

/** A user of the database, with the principal that requests of the user would have. */
export interface UserWithPrincipal {
  readonly account: StoredAccount;
  readonly principal: Principal;
}

/**
 * The user of a name, without a login: the session attributes of the application have no value, and the login is as
 * weak as possible.
 *
 * @param sessionId names the work that is done for the user
 * @returns undefined if there is no such user
 */
export async function principalOfUser(
  username: string,
  sessionId: string,
  { database, readUserAttributes }: UserReading,
): Promise<UserWithPrincipal | undefined> {
  const account = await readAccount(database, username);
  if (account === undefined) return undefined;
  const principal: Principal = {
    username: account.username,
    kind: 'user',
    userId: account.id,
    clientId: 'lintel',
    sessionId,
    resourceRoles: account.resourceRoles,
    rowLevelRoles: account.rowLevelRoles,
    locale: account.locale,
    attributes: { ...account.attributes, ...readUserAttributes(account.userColumns ?? {}) },
    actingService: undefined,
  };
  return { account, principal };
}
