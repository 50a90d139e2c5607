import type { KeyValueStore } from '@lintel/cache';
import { networkOf } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import { Semaphore } from '@lintel/timing';
import type { Account, AccountDirectory } from '../accounts/account.ts';
import { countedName } from '../attempts/counted-name.ts';
import type { NameDigest } from '../attempts/name-digest.ts';
import type { Mailer } from '../mail/create-mailer.ts';
import { fingerprintOf } from '../sessions/login.ts';
import type { PasswordChangeResult, PasswordChanges } from './change-password.ts';
import type { ResetStore } from './reset-store.ts';

/** What a mail says, in the language of the request. */
export interface ResetMail {
  readonly subject: string;
  readonly text: (link: string) => string;
}

/** Sets passwords by one-time links, which are sent by mail. */
export interface PasswordResets {
  /**
   * Sends a link if there is a user. Resolves before the user is looked up, so that neither the response nor its time
   * depends on it. False if the address has requested too many.
   */
  request(name: string, address: string, mail: ResetMail): Promise<boolean>;
  isValid(token: string): Promise<boolean>;
  /** Undefined if the link has expired or has been used. */
  use(token: string, next: string, address: string): Promise<PasswordChangeResult | undefined>;
  /** Waits for the mails that are being sent. */
  settled(): Promise<void>;
}

export interface PasswordResetsDeps {
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly changes: Pick<PasswordChanges, 'replace'>;
  readonly store: ResetStore;
  readonly mailer: Mailer;
  readonly keyValues: Pick<KeyValueStore, 'increment'>;
  readonly nameDigest: NameDigest;
  readonly logger: Logger;
  /** Address of the page, to which the token is added. */
  readonly pageUrl: string;
}

const HOUR_MS = 3_600_000;
const MAX_PER_NAME = 3;
const MAX_PER_ADDRESS = 30;
const MAX_SENDING = 4;
/** Requests above it are dropped: the user asks again. */
const MAX_WAITING = 200;

export function createPasswordResets(deps: PasswordResetsDeps): PasswordResets {
  const { accounts, changes, store, mailer, keyValues, nameDigest, logger, pageUrl } = deps;
  const sending = new Semaphore(MAX_SENDING);
  const pending = new Set<Promise<void>>();

  /** The user of a name, or of an e-mail address that only one user has. */
  async function userOf(name: string): Promise<Account | undefined> {
    const found = await accounts.find(name);
    if (found !== undefined) return found;
    const [only, ...others] = await store.namesOfEmail(name);
    return only === undefined || others.length > 0 ? undefined : accounts.find(only);
  }

  async function sendTo(name: string, mail: ResetMail): Promise<void> {
    const account = await userOf(name);
    const email = account?.attributes['email'];
    // Without a password the user logs in elsewhere.
    if (account?.isActive !== true || account.passwordHash === '' || typeof email !== 'string') return;
    if (!isOneAddress(email)) return;
    const count = await keyValues.increment(`password-reset:user:${account.id}`, HOUR_MS);
    if (count > MAX_PER_NAME) return;
    const link = `${pageUrl}?token=${await store.create(account)}`;
    await mailer.send({ to: email, subject: mail.subject, text: mail.text(link) });
  }

  /** The user of a link, if the password is still the one from before. */
  async function accountOf(token: string): Promise<Account | undefined> {
    const reset = await store.find(token);
    const account = reset && (await accounts.find(reset.username));
    if (reset === undefined || account?.isActive !== true || account.id !== reset.userId) return undefined;
    return fingerprintOf(account.passwordHash) === reset.credential ? account : undefined;
  }

  return {
    async request(name, address, mail) {
      const counts = await Promise.all([
        keyValues.increment(`password-reset:address:${nameDigest.of(networkOf(address))}`, HOUR_MS),
        keyValues.increment(`password-reset:name:${nameDigest.of(countedName(name))}`, HOUR_MS),
      ]);
      if (counts[0] > MAX_PER_ADDRESS) return false;
      if (counts[1] > MAX_PER_NAME || pending.size >= MAX_WAITING) return true;
      const task = sending
        .run(() => sendTo(name, mail))
        .catch((error: unknown) => logger.error({ error: nameOf(error) }, 'a link for a new password was not sent'))
        .finally(() => pending.delete(task));
      pending.add(task);
      return true;
    },
    isValid: async (token) => (await accountOf(token)) !== undefined,
    async use(token, next, address) {
      const account = await accountOf(token);
      if (account === undefined) return undefined;
      // The hash is compared when it is replaced: of two uses at a time one succeeds.
      const result = await changes.replace(account, next, address);
      if (result.kind === 'changed') await store.remove(account.id);
      return result;
    },
    async settled() {
      await Promise.all(pending);
    },
  };
}

const isOneAddress = (email: string): boolean => /^[^\s<>,;"]+@[^\s<>,;"@]+$/.test(email);

/** Errors of a mail server quote the address of the user. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${String((error as { readonly code?: unknown }).code ?? '')}` : 'unknown';
