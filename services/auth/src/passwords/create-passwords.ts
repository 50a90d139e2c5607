import { createPasswordPolicy } from '@lintel/passwords';
import type { AccountDirectory } from '../accounts/account.ts';
import { createNameDigest } from '../attempts/name-digest.ts';
import type { AuthConfig } from '../config.ts';
import { createTextCipher } from '../keys/text-cipher.ts';
import { createMailer } from '../mail/create-mailer.ts';
import type { AuthPorts } from '../ports.ts';
import { createPasswordChanges, type PasswordChanges, type PasswordChangesDeps } from './change-password.ts';
import { createMailQueue } from './mail-queue.ts';
import { createPasswordStore } from './password-store.ts';
import { createPasswordResets, type PasswordResets } from './reset-password.ts';
import { createResetStore } from './reset-store.ts';
import { createSignUps, type SignUps } from './sign-up.ts';

/** What users do with their own passwords, for the rest of the service. */
export interface Passwords {
  readonly changes: PasswordChanges;
  /** Absent without a mail server. */
  readonly resets: PasswordResets | undefined;
  /** Absent unless `svc.auth.sign-up.enabled`. */
  readonly signUps: SignUps | undefined;
  /** Removes what belongs to removed users, and expired links. */
  prune(): Promise<void>;
}

/** Path of the page of a link. */
export const RESET_PATH = '/as-login/password/reset';
/** Path of the page on which people create a user for themselves, and of that of its link. */
export const SIGN_UP_PATH = '/as-login/sign-up';
export const SIGN_UP_CONFIRM_PATH = `${SIGN_UP_PATH}/confirm`;

export function createPasswords(
  ports: AuthPorts,
  { passwords, mail, signUp, platform, keyEncryptionSecret, passwordResetLifeMs }: AuthConfig,
  deps: Pick<PasswordChangesDeps, 'hashing' | 'checkLogin'> & { readonly accounts: AccountDirectory },
): Passwords {
  const { database, keyValues, logger, applicationNames = [] } = ports;
  const store = createPasswordStore(database);
  const policy = createPasswordPolicy({ ...passwords, words: [...applicationNames, ...passwords.words] });
  const changes = createPasswordChanges({ ...deps, ...passwords, store, policy });
  const resets = createResetStore(database, passwordResetLifeMs);
  const mailer = createMailer(mail);
  const queue = createMailQueue({ keyValues, logger, nameDigest: createNameDigest(keyEncryptionSecret) });
  const common = { ...ports, ...deps, changes, queue };
  const urlOf = (path: string): string => new URL(path, platform.issuer).href;
  return {
    changes,
    resets: mailer && createPasswordResets({ ...common, store: resets, mailer, pageUrl: urlOf(RESET_PATH) }),
    signUps:
      mailer && signUp.isEnabled
        ? createSignUps({
            ...common,
            ...signUp,
            resets,
            mailer,
            cipher: createTextCipher(keyEncryptionSecret, 'sign-up'),
            lifeMs: passwordResetLifeMs,
            pageUrl: urlOf(SIGN_UP_CONFIRM_PATH),
          })
        : undefined,
    async prune() {
      await store.prune();
      await resets.prune();
    },
  };
}
