import { PlatformError } from '@lintel/errors';
import type { StoredAccount } from '@lintel/persistence';
import type { FederationPorts } from '../federation-ports.ts';
import type { LoginSource, LoginState } from '../logins/check-logins.ts';
import type { FederatedLogins } from '../logins/federated-logins.ts';
import type { FederatedUsers } from '../users/federated-users.ts';
import type { Directory } from './directory.ts';
import { rulesOf } from './directory-settings.ts';
import { DirectoryUnavailable } from './directory-unavailable.ts';

export type DirectoryVerdict =
  | {
      readonly kind: 'accepted';
      readonly account: StoredAccount;
      readonly loginId: string;
      /** The directory that has the password. */
      readonly provider: string;
    }
  /** The password is right; the rules of the directory refuse the user. */
  | { readonly kind: 'refused'; readonly refusal: 'bad-credentials' | 'disabled'; readonly provider: string };

/**
 * Checks a name and password in the directories; undefined if none knows them.
 *
 * @throws PlatformError AUTH_UNAVAILABLE if a directory does not respond
 */
export type DirectoryCheck = (username: string, password: string) => Promise<DirectoryVerdict | undefined>;

export interface DirectoryLoginsDeps extends Pick<FederationPorts, 'security' | 'logger' | 'ids' | 'loginLifeMs'> {
  readonly directories: readonly Directory[];
  readonly users: FederatedUsers;
  readonly federatedLogins: FederatedLogins;
}

const issuerOf = ({ name }: Directory): string => `ldap:${name}`;

/** Checks names and passwords in all directories, one after the other. */
export function createDirectoryCheck(deps: DirectoryLoginsDeps): DirectoryCheck {
  const { directories, users, federatedLogins, security, ids } = deps;
  return async (username, password) => {
    for (const directory of directories) {
      const found = await asked(deps, () => directory.authenticate(username, password));
      if (found === undefined) continue;
      const { name, settings } = directory;
      const identity = { provider: name, issuer: issuerOf(directory), subject: found.subject };
      const verdict = await users.signIn({ ...identity, claims: found.claims, rules: rulesOf(settings) });
      if (verdict.kind === 'refused') {
        security.record('federation.refused', { provider: name, reason: verdict.reason });
        return {
          kind: 'refused',
          refusal: verdict.reason === 'disabled' ? 'disabled' : 'bad-credentials',
          provider: name,
        };
      }
      const { account } = verdict;
      const id = ids.next();
      const login = { id, ...identity, sid: undefined, username: account.username, refreshToken: undefined };
      await federatedLogins.save(login, deps.loginLifeMs);
      return { kind: 'accepted', account, loginId: id, provider: name };
    }
    return undefined;
  };
}

async function asked<T>({ logger }: DirectoryLoginsDeps, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DirectoryUnavailable)) throw error;
    logger.error({ error }, 'a directory is unavailable');
    throw new PlatformError('AUTH_UNAVAILABLE', 'The password cannot be checked now', { cause: error });
  }
}

/** Looks logins up in their directory again. */
export const createDirectorySource = (directory: Directory): LoginSource => ({
  rules: rulesOf(directory.settings),
  async stateOf({ subject }): Promise<LoginState> {
    try {
      const user = await directory.find(subject);
      return user === undefined ? { kind: 'ended' } : { kind: 'valid', claims: user.claims };
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable)) throw error;
      return { kind: 'unavailable', cause: error };
    }
  },
});
