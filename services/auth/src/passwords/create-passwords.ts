import { createPasswordPolicy } from '@lintel/passwords';
import type { AccountDirectory } from '../accounts/account.ts';
import { createNameDigest } from '../attempts/name-digest.ts';
import type { AuthConfig } from '../config.ts';
import { createMailer } from '../mail/create-mailer.ts';
import type { AuthPorts } from '../ports.ts';
import { createPasswordChanges, type PasswordChanges, type PasswordChangesDeps } from './change-password.ts';
import { createPasswordStore } from './password-store.ts';
import { createPasswordResets, type PasswordResets } from './reset-password.ts';
import { createResetStore } from './reset-store.ts';

/** What users do with their own passwords, for the rest of the service. */
export interface Passwords {
  readonly changes: PasswordChanges;
  /** Absent without a mail server. */
  readonly resets: PasswordResets | undefined;
  /** Removes what belongs to removed users, and expired links. */
  prune(): Promise<void>;
}

/** Path of the page of a link. */
export const RESET_PATH = '/as-login/password/reset';

export function createPasswords(
  { database, keyValues, logger, applicationNames = [] }: AuthPorts,
  { passwords, mail, platform, keyEncryptionSecret, passwordResetLifeMs }: AuthConfig,
  deps: Pick<PasswordChangesDeps, 'hashing' | 'checkLogin'> & { readonly accounts: AccountDirectory },
): Passwords {
  const store = createPasswordStore(database);
  const policy = createPasswordPolicy({ ...passwords, words: [...applicationNames, ...passwords.words] });
  const changes = createPasswordChanges({ ...deps, ...passwords, store, policy });
  const resets = createResetStore(database, passwordResetLifeMs);
  const mailer = createMailer(mail);
  return {
    changes,
    resets:
      mailer &&
      createPasswordResets({
        accounts: deps.accounts,
        changes,
        store: resets,
        mailer,
        keyValues,
        nameDigest: createNameDigest(keyEncryptionSecret),
        logger,
        pageUrl: new URL(RESET_PATH, platform.issuer).href,
      }),
    async prune() {
      await store.prune();
      await resets.prune();
    },
  };
}
