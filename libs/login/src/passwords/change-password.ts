import { type FairQueue, networkOf } from '@lintel/http';
import { hashPassword, type PasswordPolicy, type PasswordWeakness, verifyPassword } from '@lintel/passwords';
import { noteActor } from '@lintel/telemetry';
import type { LoginRefusal } from '../credentials/check-credentials.ts';
import type { LoginCheck } from '../credentials/login-check.ts';
import type { LoginRecords } from '../credentials/login-records.ts';
import type { Account } from '../login-ports.ts';
import type { KeptLogins, PasswordStore } from './password-store.ts';

/** Why a new password is refused. */
export type NewPasswordRefusal = PasswordWeakness | 'too-long' | 'used-before';

export type PasswordRefusal =
  | { readonly kind: 'refused'; readonly refusal: LoginRefusal }
  /** The password is right, but in a directory. */
  | { readonly kind: 'elsewhere' }
  /** With `onlyRequired`: the user has chosen the current password. */
  | { readonly kind: 'not-required' }
  | Unconfirmed
  | { readonly kind: 'weak'; readonly weakness: NewPasswordRefusal };

export type PasswordChangeResult = { readonly kind: 'changed'; readonly account: Account } | PasswordRefusal;

export interface PasswordChange {
  readonly username: string;
  readonly current: string;
  readonly next: string;
  readonly address: string;
  /** The client that the user is logged in with. */
  readonly clientId: string;
  readonly kept: KeptLogins;
  /** Changes only a password that the user must change before a login. */
  readonly onlyRequired?: boolean;
  /** Called after the current password was right; the problem if the user is not confirmed. */
  readonly confirm?: (account: Account) => Promise<Unconfirmed['problem'] | undefined>;
}

/** The second factor of the user was not right. */
export interface Unconfirmed {
  readonly kind: 'unconfirmed';
  readonly problem: 'code-missing' | 'wrong-code' | 'limited';
}

/** Changes of passwords by the users themselves. */
export interface PasswordChanges {
  /** Checks the current password as a login does, with the limits against guessing, then the new one. */
  change(request: PasswordChange): Promise<PasswordChangeResult>;
  /** Sets a password without the current one, for a user who has proved to own the e-mail address. */
  replace(account: Account, next: string, address: string): Promise<PasswordChangeResult>;
  /** The rule that a new password breaks. */
  weaknessOf(password: string, personal: readonly string[]): NewPasswordRefusal | undefined;
  /** Whether the user must choose a new password before a login. */
  isRequired(account: Account): Promise<boolean>;
  /** Requires it, until the user has chosen one; a password that an administrator sets changes nothing. */
  require(account: Account): Promise<void>;
}

export interface PasswordChangesDeps {
  readonly checkLogin: LoginCheck;
  readonly records: Pick<LoginRecords, 'noteRight'>;
  readonly store: PasswordStore;
  readonly policy: PasswordPolicy;
  readonly hashing: Pick<FairQueue, 'run'>;
  /** `svc.security.password-history` */
  readonly historySize: number;
  /** `svc.security.password-change-at-first-login` */
  readonly firstLoginChange: boolean;
}

/** As the attribute of the entity. */
const MAX_LENGTH = 255;
const PERSONAL = ['username', 'email', 'firstName', 'lastName'] as const;

export function createPasswordChanges(deps: PasswordChangesDeps): PasswordChanges {
  const { checkLogin, records, store, policy, hashing, historySize, firstLoginChange } = deps;

  const weaknessOf = (next: string, personal: readonly string[]): NewPasswordRefusal | undefined =>
    [...next].length > MAX_LENGTH ? 'too-long' : policy.weaknessOf(next, personal);

  async function refusalOf(account: Account, next: string, network: string): Promise<NewPasswordRefusal | undefined> {
    const personal = PERSONAL.map((name) => account.attributes[name]).filter((value) => typeof value === 'string');
    const weakness = weaknessOf(next, personal);
    if (weakness !== undefined) return weakness;
    const former = [account.passwordHash, ...(await store.formerOf(account.id, historySize))];
    for (const hash of former.filter((each) => each !== ''))
      if ((await hashing.run(network, () => verifyPassword(hash, next))).ok) return 'used-before';
    return undefined;
  }

  async function set(account: Account, next: string, address: string, kept: KeptLogins): Promise<PasswordChangeResult> {
    const network = networkOf(address);
    const weakness = await refusalOf(account, next, network);
    if (weakness !== undefined) return { kind: 'weak', weakness };
    const passwordHash = await hashing.run(network, () => hashPassword(next));
    // Another change was first: the password that was checked is no longer the current one.
    if (!(await store.change(account, passwordHash, { kept, historySize })))
      return { kind: 'refused', refusal: 'bad-credentials' };
    return { kind: 'changed', account: { ...account, passwordHash } };
  }

  async function isRequired(account: Account): Promise<boolean> {
    if (account.passwordHash === '') return false;
    const choice = await store.choiceOf(account);
    return choice === 'refused' || (firstLoginChange && choice !== 'own');
  }

  return {
    weaknessOf,
    async change({ username, current, next, address, clientId, kept, onlyRequired = false, confirm }) {
      // Without the user first: such a request costs no hash and counts as no guess.
      const weakness = weaknessOf(next, []);
      if (weakness !== undefined) return { kind: 'weak', weakness };
      const verdict = await checkLogin({ username, password: current, address, clientId });
      if (verdict.kind === 'refused') return verdict;
      records.noteRight({ clientId, address }, verdict);
      noteActor(() => ({ by: verdict.account.username, byClientId: clientId, address }));
      if (verdict.loginId !== undefined) return { kind: 'elsewhere' };
      if (onlyRequired && !(await isRequired(verdict.account))) return { kind: 'not-required' };
      const problem = await confirm?.(verdict.account);
      if (problem !== undefined) return { kind: 'unconfirmed', problem };
      return set(verdict.account, next, address, kept);
    },
    replace: (account, next, address) => set(account, next, address, 'none'),
    isRequired,
    require: ({ id }) => store.refuseCurrent(id),
  };
}
