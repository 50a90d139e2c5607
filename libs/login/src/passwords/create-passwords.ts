import { ConfigurationError } from '@lintel/config';
import { createMailer, createMailTexts } from '@lintel/mail';
import type { Messages } from '@lintel/metadata';
import { createPasswordPolicy } from '@lintel/passwords';
import { createNameDigest } from '../attempts/name-digest.ts';
import type { LoginPorts } from '../login-deps.ts';
import type { LoginConfig } from '../login-settings.ts';
import { TEXT_LOCALES } from '../texts/texts.ts';
import { createPasswordChanges, type PasswordChanges } from './change-password.ts';
import { createMailQueue } from './mail-queue.ts';
import { createPasswordStore } from './password-store.ts';
import { createPasswordResets, type PasswordResets } from './reset-password.ts';
import { createResetStore } from './reset-store.ts';
import { createSignUps, type SignUps } from './sign-up.ts';

type MailKey =
  | `lintel.mail.${'passwordReset' | 'invitation' | 'signUp'}.${'subject' | 'text'}`
  | 'lintel.mail.signUp.existsText';

/** @throws ConfigurationError for a text of the application without the link */
export const createPasswordMails = (messages: Messages, availableLocales: readonly string[]) =>
  createMailTexts<MailKey>(
    messages,
    [...new Set([...TEXT_LOCALES, ...availableLocales])],
    ['lintel.mail.passwordReset.text', 'lintel.mail.invitation.text', 'lintel.mail.signUp.text'],
  );

/** What users do with their own passwords, for the rest of the service. */
export interface Passwords {
  readonly changes: PasswordChanges;
  /** Absent without a mail server. */
  readonly resets: PasswordResets | undefined;
  /** Absent unless `svc.auth.sign-up.enabled`. */
  readonly signUps: SignUps | undefined;
  /** The texts of mails in the language of `Accept-Language`. */
  readonly mailTexts: ReturnType<typeof createPasswordMails>;
  /** @throws ConfigurationError if users are to be created and the login of auth may not do it */
  assertRights(): Promise<void>;
  /** Removes what belongs to removed users, and expired links. */
  prune(): Promise<void>;
}

/** Path of the page of a link. */
export const RESET_PATH = '/as-login/password/reset';
/** Path of the page on which people create a user for themselves, and of that of its link. */
export const SIGN_UP_PATH = '/as-login/sign-up';
export const SIGN_UP_CONFIRM_PATH = `${SIGN_UP_PATH}/confirm`;

/** @throws ConfigurationError if mails are needed and no server is configured, or a text of a mail has no link */
export function createPasswords(config: LoginConfig, ports: LoginPorts): Passwords {
  const { passwords, mail, signUp, platform, keyEncryptionSecret, passwordResetLifeMs, availableLocales } = config;
  const { database, keyValues, logger, messages, applicationNames = [] } = ports;
  const mailer = createMailer(mail);
  if (signUp.isEnabled && mailer === undefined)
    throw new ConfigurationError(['svc.auth.sign-up.enabled: needs svc.mail.smtp-host and svc.mail.from']);
  const store = createPasswordStore(database);
  const policy = createPasswordPolicy({ ...passwords, words: [...applicationNames, ...passwords.words] });
  const changes = createPasswordChanges({ ...ports, ...passwords, store, policy });
  const resets = createResetStore(database, passwordResetLifeMs);
  const queue = createMailQueue({ keyValues, logger, nameDigest: createNameDigest(keyEncryptionSecret) });
  const common = { ...ports, changes, queue };
  const urlOf = (path: string): string => new URL(path, platform.issuer).href;
  return {
    changes,
    mailTexts: createPasswordMails(messages, availableLocales),
    resets: mailer && createPasswordResets({ ...common, store: resets, mailer, pageUrl: urlOf(RESET_PATH) }),
    signUps:
      mailer !== undefined && signUp.isEnabled
        ? createSignUps({
            ...common,
            ...signUp,
            resets,
            mailer,
            cipher: ports.cipherFor('sign-up'),
            lifeMs: passwordResetLifeMs,
            pageUrl: urlOf(SIGN_UP_CONFIRM_PATH),
          })
        : undefined,
    async assertRights() {
      if (signUp.isEnabled) await ports.assertMayCreateUsers();
    },
    async prune() {
      await store.prune();
      await resets.prune();
    },
  };
}
