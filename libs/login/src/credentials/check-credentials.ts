import { ANONYMOUS } from '@lintel/contracts';
import { hashPassword, verifyDummyHash, verifyPassword } from '@lintel/passwords';
import type { Account, AccountDirectory } from '../login-ports.ts';

/** Why a login is refused. `locked` and `too-many` are temporary. */
export type LoginRefusal = 'bad-credentials' | 'disabled' | 'locked' | 'too-many';

/** `Retry-After` after too many failures; blocks take minutes. */
export const RETRY_AFTER_FAILURES = '60';

export type LoginVerdict =
  | {
      readonly kind: 'accepted';
      readonly account: Account;
      /** The weaker hash of the same password that has just been replaced. */
      readonly replacedHash?: string;
      /** Of the login in a directory. */
      readonly loginId?: string;
      /** The directory that has the password. */
      readonly provider?: string;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: LoginRefusal;
      /** Whether there is a user with this name; undefined if it was not looked up. */
      readonly isKnownUser?: boolean;
      /** Whether the password was compared with one in the database. */
      readonly hasPassword?: boolean;
      /** The directory whose rules refuse the user although the password is right. */
      readonly provider?: string;
    };

/** Runs the computation of a hash with limited concurrency (`FairQueue`). */
export type RunHashing = <T>(work: () => Promise<T>) => Promise<T>;

/** Built-in users that never log in with a password, even if they had one (contract/tokens.md#users). */
const BUILT_IN: ReadonlySet<string> = new Set(['system', ANONYMOUS]);

const refused = (refusal: LoginRefusal, isKnownUser: boolean, hasPassword = false): LoginVerdict => ({
  kind: 'refused',
  refusal,
  isKnownUser,
  hasPassword,
});

/**
 * Checks a user name and password. The check takes as long for unknown users as for known ones, and only a caller that
 * knows the password learns that a user is disabled. An empty password is always wrong. A hash that is weaker than the
 * current policy is replaced.
 */
export async function checkCredentials(
  username: string,
  password: string,
  accounts: AccountDirectory,
  hashing: RunHashing,
): Promise<LoginVerdict> {
  const account = BUILT_IN.has(username) ? undefined : await accounts.find(username);
  if (account === undefined || password === '') {
    await hashing(() => verifyDummyHash(password));
    return refused('bad-credentials', account !== undefined);
  }
  const { ok, needsRehash } = await hashing(() => verifyPassword(account.passwordHash, password));
  if (!ok) return refused('bad-credentials', true, account.passwordHash !== '');
  if (!account.isActive) return refused('disabled', true);
  if (!needsRehash) return { kind: 'accepted', account };
  const passwordHash = await hashing(() => hashPassword(password));
  const isReplaced = await accounts.replacePasswordHash(account, passwordHash);
  // Another login has upgraded the hash, or the password has changed: check against the stored hash again.
  if (!isReplaced) return checkCredentials(username, password, accounts, hashing);
  return { kind: 'accepted', account: { ...account, passwordHash }, replacedHash: account.passwordHash };
}
