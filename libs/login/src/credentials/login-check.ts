import { isPlatformError, type PlatformError } from '@lintel/errors';
import { type FairQueue, networkOf } from '@lintel/http';
import { fingerprintOf } from '@lintel/passwords';
import type { SecurityLog } from '@lintel/telemetry';
import type { AttemptGuard } from '../attempts/attempt-guard.ts';
import { countedName } from '../attempts/counted-name.ts';
import type { NameDigest } from '../attempts/name-digest.ts';
import type { Account, AccountDirectory } from '../login-ports.ts';
import { checkCredentials, type LoginRefusal, type LoginVerdict } from './check-credentials.ts';

/** The input of a login. */
export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  /** Address of the user, as the gateway forwards it. */
  readonly address: string;
  /** The client that the user logs in with. */
  readonly clientId: string;
}

export type LoginResult =
  | {
      readonly kind: 'accepted';
      readonly account: Account;
      /** Of the login in a directory, which the grant of the tokens is connected with. */
      readonly loginId?: string | undefined;
      /** The directory that has the password. */
      readonly provider?: string | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: LoginRefusal; readonly provider?: string | undefined };

/** Checks one login, from the page or the token endpoint. */
export type LoginCheck = (attempt: LoginAttempt) => Promise<LoginResult>;

/**
 * Checks a name and password in the directories; undefined if none knows them.
 *
 * @throws PlatformError AUTH_UNAVAILABLE if a directory does not respond
 */
export type DirectoryCheck = (username: string, password: string) => Promise<LoginVerdict | undefined>;

export interface LoginCheckDeps {
  readonly accounts: AccountDirectory;
  readonly logins: {
    /** Logins stay valid when their hash is replaced: the password is the same. */
    replaceCredential(username: string, before: string, after: string): Promise<void>;
  };
  readonly guard: AttemptGuard;
  /** For users whose password is not in the database. */
  readonly directories?: DirectoryCheck | undefined;
  /** The queue in which passwords are hashed, shared fairly among addresses. */
  readonly hashing: Pick<FairQueue, 'run'>;
  readonly nameDigest: NameDigest;
  readonly security: SecurityLog;
}

/**
 * Checks user name and password within the limits of the guard; logins stay valid when their hash is replaced. Refused
 * attempts are recorded, a right password is not: what follows decides whether the login succeeds.
 */
export const createLoginCheck =
  ({ accounts, logins, guard, directories, hashing, nameDigest, security }: LoginCheckDeps): LoginCheck =>
  async ({ username, password, address, clientId }) => {
    const name = countedName(username);
    const attempt = { name, address };
    const facts = { nameDigest: nameDigest.shortOf(name), clientId, address };
    let outage: PlatformError | undefined;
    const result = await guard.run<LoginVerdict>(attempt, async () => {
      const local = await checkCredentials(username, password, accounts, (work) =>
        hashing.run(networkOf(address), work),
      );
      const isWrong = local.kind === 'refused' && local.refusal === 'bad-credentials' && password !== '';
      const other = isWrong
        ? await directories?.(username, password).catch((error: unknown) => {
            // Otherwise passwords in the database could be guessed without a limit until the directory is back.
            if (!local.hasPassword || !isOutage(error)) throw error;
            outage = error;
            return undefined;
          })
        : undefined;
      const value = other ?? local;
      if (value.kind === 'accepted') return { kind: 'right', value };
      return { kind: value.refusal === 'bad-credentials' ? 'wrong' : 'refused', value };
    });
    if (result.kind === 'not-made') {
      security.record('login.failed', { ...facts, reason: result.refusal });
      return { kind: 'refused', refusal: result.refusal };
    }
    const { value: verdict } = result;
    if (verdict.kind === 'refused') {
      const { refusal, isKnownUser } = verdict;
      const failure = { ...facts, ...(isKnownUser === true ? { username } : {}) };
      security.record('login.failed', { ...failure, reason: refusal });
      if (result.beginsBlock) security.record('login.blocked', failure);
      if (outage !== undefined) throw outage;
      return { kind: 'refused', refusal, provider: verdict.provider };
    }
    const { account, replacedHash, loginId, provider } = verdict;
    if (replacedHash !== undefined)
      await logins.replaceCredential(
        account.username,
        fingerprintOf(replacedHash),
        fingerprintOf(account.passwordHash),
      );
    return { kind: 'accepted', account, loginId, provider };
  };

const isOutage = (error: unknown): error is PlatformError =>
  isPlatformError(error) && error.code === 'AUTH_UNAVAILABLE';
