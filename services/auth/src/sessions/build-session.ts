import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ANONYMOUS, type Authentication, type Session } from '@lintel/contracts';
import type { Account } from '../accounts/account.ts';
import type { Client } from '../clients/client.ts';
import type { Login } from './login.ts';

/** Id of the session of all calls without a token; it is not secret and never sent to clients. */
export const ANONYMOUS_SESSION_ID = createHash('sha256').update(ANONYMOUS).digest('hex').slice(0, 32).toUpperCase();

/** The session of a user: the current state of the user, and the locale that was chosen at login. */
export function userSession(login: Login, account: Account): Session {
  return {
    id: login.sessionId,
    username: account.username,
    userId: account.id,
    clientId: login.clientId,
    kind: 'user',
    resourceRoles: account.resourceRoles.filter((role) => login.resourceRoles?.includes(role) !== false),
    rowLevelRoles: [...account.rowLevelRoles],
    locale: login.chosenLocale ?? account.locale,
    attributes: account.attributes,
    ...columnsOf(account),
    ...(login.sessionAttributes === undefined ? {} : { sessionAttributes: login.sessionAttributes }),
    ...(login.hasLoginAttributes === true && { hasLoginAttributes: true }),
    ...authenticationOf(login.authentication),
    ...(login.seenBy === undefined ? {} : { seenBy: login.seenBy }),
    createdAt: new Date(login.startedAt * 1000).toISOString(),
  };
}

const authenticationOf = (known: Authentication | undefined): Pick<Session, 'acr' | 'amr' | 'authTime'> =>
  known === undefined ? {} : { acr: known.acr, amr: [...known.amr], authTime: known.authTime };

const columnsOf = (account: Account | undefined): Pick<Session, 'userColumns'> =>
  account?.userColumns === undefined ? {} : { userColumns: account.userColumns };

/** The session of a client-credentials token (contract/tokens.md#oauth2-response). */
export function clientSession(id: string, client: Client, locale: string | null, nowMs: number): Session {
  return {
    id,
    username: client.clientId,
    userId: null,
    clientId: client.clientId,
    kind: 'client',
    resourceRoles: [...client.resourceRoles],
    rowLevelRoles: [...client.rowLevelRoles],
    locale,
    attributes: {},
    createdAt: new Date(nowMs).toISOString(),
  };
}

/** The session of calls without a token (contract/tokens.md#anonymous). */
export function anonymousSession(
  account: Account | undefined,
  roles: Pick<Account, 'resourceRoles' | 'rowLevelRoles'>,
  nowMs: number,
): Session {
  return {
    id: ANONYMOUS_SESSION_ID,
    username: ANONYMOUS,
    userId: account?.id ?? null,
    clientId: ANONYMOUS,
    kind: 'anonymous',
    resourceRoles: [...roles.resourceRoles],
    rowLevelRoles: [...roles.rowLevelRoles],
    locale: null,
    attributes: account?.attributes ?? {},
    ...columnsOf(account),
    createdAt: new Date(nowMs).toISOString(),
  };
}

/** Whether sessions of one login differ in more than the time at which they were made. */
export const hasChanged = ({ createdAt: _, ...before }: Session, { createdAt: __, ...after }: Session): boolean =>
  !isDeepStrictEqual(before, after);
