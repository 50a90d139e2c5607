import { ANONYMOUS } from '@lintel/contracts';
import { hashPassword, verifyNothing, verifyPassword } from '@lintel/passwords';
import type { Account, AccountDirectory } from './account.ts';

/** Why a login is refused. `locked` is a block that ends by itself. */
export type LoginRefusal = 'bad-credentials' | 'disabled' | 'locked';

export type LoginVerdict =
  | {
      readonly kind: 'accepted';
      readonly account: Account;
      /** The weaker hash of the same password that was replaced now. */
      readonly replacedHash?: string;
    }
  | { readonly kind: 'refused'; readonly refusal: LoginRefusal };

/** Built-in users that never log in with a password, even if they had one (contract-security-core.md §7.4). */
const BUILT_IN: ReadonlySet<string> = new Set(['system', ANONYMOUS]);

const refused = (refusal: LoginRefusal): LoginVerdict => ({ kind: 'refused', refusal });

/**
 * Checks a user name and password. Unknown users cost the work of known ones, and only who knows the
 * password learns that a user is disabled. A hash that is weaker than today's policy is replaced.
 */
export async function checkCredentials(
  username: string,
  password: string,
  accounts: AccountDirectory,
): Promise<LoginVerdict> {
  const account = BUILT_IN.has(username) ? undefined : await accounts.find(username);
  if (account === undefined) {
    await verifyNothing(password);
    return refused('bad-credentials');
  }
  const { ok, needsRehash } = await verifyPassword(account.passwordHash, password);
  if (!ok) return refused('bad-credentials');
  if (!account.isActive) return refused('disabled');
  if (!needsRehash) return { kind: 'accepted', account };
  const passwordHash = await hashPassword(password);
  const isReplaced = await accounts.replacePasswordHash(account, passwordHash);
  // Another login upgraded the hash, or the password changed: what is stored now decides.
  if (!isReplaced) return checkCredentials(username, password, accounts);
  return { kind: 'accepted', account: { ...account, passwordHash }, replacedHash: account.passwordHash };
}
