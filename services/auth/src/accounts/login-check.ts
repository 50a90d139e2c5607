import { fingerprintOf, type LoginStore } from '../sessions/login.ts';
import type { Account, AccountDirectory } from './account.ts';
import { checkCredentials, type LoginRefusal } from './check-credentials.ts';
import type { LoginGuard } from './login-guard.ts';

/** Who logs in, and from where. */
export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  /** Address of the person, as the gateway tells it. */
  readonly address: string;
}

export type LoginResult =
  | { readonly kind: 'accepted'; readonly account: Account }
  | { readonly kind: 'refused'; readonly refusal: LoginRefusal };

/** Checks one login, whichever page or endpoint it comes from. */
export type LoginCheck = (attempt: LoginAttempt) => Promise<LoginResult>;

/** Guarded check of user name and password; a hash that is replaced now goes on to stand for its logins. */
export const createLoginCheck =
  (deps: {
    readonly accounts: AccountDirectory;
    readonly logins: LoginStore;
    readonly guard: LoginGuard;
  }): LoginCheck =>
  async ({ username, password, address }) => {
    const { accounts, logins, guard } = deps;
    if (!(await guard.admit(username, address))) return { kind: 'refused', refusal: 'locked' };
    const verdict = await checkCredentials(username, password, accounts);
    if (verdict.kind === 'refused') {
      if (verdict.refusal === 'bad-credentials') await guard.failed(username, address);
      else await guard.succeeded(username, address);
      return verdict;
    }
    await guard.succeeded(username, address);
    const { account, replacedHash } = verdict;
    if (replacedHash !== undefined)
      await logins.replaceCredential(
        account.username,
        fingerprintOf(replacedHash),
        fingerprintOf(account.passwordHash),
      );
    return { kind: 'accepted', account };
  };
