import type { KeyValueStore } from '@lintel/cache';
import { isOneAddress } from '@lintel/contracts';
import type { Mailer } from '@lintel/mail';
import type { Account, AccountDirectory } from '../login-ports.ts';
import type { PasswordChangeResult, PasswordChanges } from './change-password.ts';
import type { MailQueue } from './mail-queue.ts';
import { mailedCredentialOf, type ResetStore } from './reset-store.ts';

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
  /**
   * Sends a link to a user at the request of an administrator. False, and nothing is sent, if the user is not active, has
   * no single e-mail address or has got too many.
   */
  invite(account: Account, mail: ResetMail): Promise<boolean>;
  isValid(token: string): Promise<boolean>;
  /** Undefined if the link has expired or has been used. */
  use(token: string, next: string, address: string): Promise<PasswordChangeResult | undefined>;
}

export interface PasswordResetsDeps {
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly changes: Pick<PasswordChanges, 'replace'>;
  readonly store: ResetStore;
  readonly mailer: Mailer;
  readonly keyValues: Pick<KeyValueStore, 'increment'>;
  readonly queue: MailQueue;
  /** Address of the page, to which the token is added. */
  readonly pageUrl: string;
}

const HOUR_MS = 3_600_000;
const MAX_PER_NAME = 3;

export function createPasswordResets(deps: PasswordResetsDeps): PasswordResets {
  const { accounts, changes, store, mailer, keyValues, queue, pageUrl } = deps;

  /** The user of a name, or of an e-mail address that only one user has. */
  async function userOf(name: string): Promise<Account | undefined> {
    const found = await accounts.find(name);
    if (found !== undefined) return found;
    const [only, ...others] = await store.namesOfEmail(name);
    return only === undefined || others.length > 0 ? undefined : accounts.find(only);
  }

  /** Strangers request resets: their number does not count for invitations. */
  async function send(cause: 'reset' | 'invitation', account: Account, mail: ResetMail): Promise<boolean> {
    const { email } = account.attributes;
    // Without a password the user logs in elsewhere.
    if (!account.isActive || account.passwordHash === '' || typeof email !== 'string') return false;
    if (!isOneAddress(email)) return false;
    const count = await keyValues.increment(`password-${cause}:user:${account.id}`, HOUR_MS);
    if (count > MAX_PER_NAME) return false;
    const link = `${pageUrl}?token=${await store.create(account)}`;
    await mailer.send({ to: email, subject: mail.subject, text: mail.text(link) });
    return true;
  }

  async function sendTo(name: string, mail: ResetMail): Promise<void> {
    const account = await userOf(name);
    if (account !== undefined) await send('reset', account, mail);
  }

  /** The user of a link, if the password and the e-mail address are still the ones from before. */
  async function accountOf(token: string): Promise<Account | undefined> {
    const reset = await store.find(token);
    const account = reset && (await accounts.find(reset.username));
    if (reset === undefined || account?.isActive !== true || account.id !== reset.userId) return undefined;
    return mailedCredentialOf(account) === reset.credential ? account : undefined;
  }

  return {
    invite: (account, mail) => send('invitation', account, mail),
    request: (name, address, mail) => queue.offer('password-reset', name, address, () => sendTo(name, mail)),
    isValid: async (token) => (await accountOf(token)) !== undefined,
    async use(token, next, address) {
      const account = await accountOf(token);
      if (account === undefined) return undefined;
      // The hash is compared when it is replaced: of two uses at a time one succeeds.
      const result = await changes.replace(account, next, address);
      if (result.kind === 'changed') await store.remove(account.id);
      return result;
    },
  };
}
