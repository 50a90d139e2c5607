import { isOneAddress } from '@lintel/contracts';
import { type FairQueue, networkOf } from '@lintel/http';
import type { Mailer } from '@lintel/mail';
import { fingerprintOf, hashPassword } from '@lintel/passwords';
import { type Database, hasRoles, noteWork } from '@lintel/persistence';
import { userNameProblem } from '@lintel/security';
import type { Clock } from '@lintel/timing';
import type { AccountDirectory, IdSource, TextCipher } from '../login-ports.ts';
import type { NewPasswordRefusal, PasswordChanges } from './change-password.ts';
import type { MailQueue } from './mail-queue.ts';
import type { ResetStore } from './reset-store.ts';

/** Mails in the language of the request. */
export interface SignUpMails {
  readonly subject: string;
  readonly confirm: (link: string) => string;
  /** To somebody who has a user. */
  readonly exists: string;
}

export type SignUpResult = 'created' | 'expired' | { readonly weakness: NewPasswordRefusal };

/** Users whom people create for themselves: the e-mail address, once confirmed, is the user name. */
export interface SignUps {
  /** Sends a link, or to somebody who has a user a hint. False if the network address has requested too many. */
  request(email: string, address: string, mails: SignUpMails): Promise<boolean>;
  /** The e-mail address of a link; undefined if it has expired or has been used. */
  emailOf(token: string): Promise<string | undefined>;
  complete(token: string, password: string, address: string, locale: string): Promise<SignUpResult>;
}

export interface SignUpsDeps {
  readonly database: Database;
  readonly accounts: Pick<AccountDirectory, 'namesLike' | 'rolesOf'>;
  readonly changes: Pick<PasswordChanges, 'weaknessOf'>;
  readonly resets: Pick<ResetStore, 'namesOfEmail'>;
  readonly hashing: Pick<FairQueue, 'run'>;
  readonly queue: MailQueue;
  readonly mailer: Mailer;
  readonly cipher: TextCipher;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly lifeMs: number;
  /** Address of the page of a link. */
  readonly pageUrl: string;
  readonly domains: readonly string[];
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
}

const SOURCE = 'sign-up';
const MAX_LENGTH = 255;
/** Mail servers may forward `eve%evil.example@acme.example` and `evil.example!eve@acme.example` to another domain. */
const ROUTE = /[%!]/;

export function createSignUps(deps: SignUpsDeps): SignUps {
  const { database, accounts, changes, resets, hashing, queue, mailer, cipher, clock, ids, lifeMs, pageUrl } = deps;
  const domains = new Set(deps.domains.map((domain) => domain.toLowerCase()));
  const isAccepted = (email: string): boolean =>
    isOneAddress(email) &&
    !ROUTE.test(email) &&
    userNameProblem(email) === undefined &&
    email.length <= MAX_LENGTH &&
    (domains.size === 0 || domains.has(domainOf(email)));
  const isTaken = async (email: string): Promise<boolean> =>
    (await accounts.namesLike(email)).length > 0 ||
    (await resets.namesOfEmail(email, true)).length > 0 ||
    hasRoles(await accounts.rolesOf(email));
  const linkFor = (email: string): string => {
    const text = JSON.stringify({ email, until: clock.now() + lifeMs });
    return `${pageUrl}?token=${cipher.encrypt(text, SOURCE).toString('base64url')}`;
  };

  async function emailOf(token: string): Promise<string | undefined> {
    const text = cipher.decrypt(Buffer.from(token, 'base64url'), SOURCE);
    if (text === undefined) return undefined;
    const { email, until } = JSON.parse(text) as { readonly email: string; readonly until: number };
    return until <= clock.now() || !isAccepted(email) || (await isTaken(email)) ? undefined : email;
  }

  /** The user with its password and roles, in one transaction; false if another one has the name. */
  const create = (email: string, passwordHash: string, locale: string): Promise<boolean> =>
    database.transaction(async (transaction) => {
      const run = (text: string, values: readonly unknown[]) => transaction.query({ text, values: [...values] });
      const id = ids.next();
      await noteWork(transaction, SOURCE);
      const [row] = await run('SELECT sec.create_federated_user($1, $2, NULL, NULL, $2, $3, $4) AS created', [
        id,
        email,
        locale,
        SOURCE,
      ]);
      if (row?.['created'] !== true) return false;
      await run('SELECT sec.change_password($1, $2, $3, $4)', [id, '', passwordHash, email]);
      await run('INSERT INTO auth.own_password (user_id, credential) VALUES ($1, $2)', [
        id,
        fingerprintOf(passwordHash),
      ]);
      await run('SELECT sec.follow_federated_roles($1, $2, $3, $4)', [
        email,
        SOURCE,
        [...deps.resourceRoles],
        [...deps.rowLevelRoles],
      ]);
      return true;
    });

  return {
    request: (given, address, { subject, confirm, exists }) => {
      const email = given.trim().toLowerCase();
      return queue.offer(SOURCE, email, address, async () => {
        if (!isAccepted(email)) return;
        const text = (await isTaken(email)) ? exists : confirm(linkFor(email));
        await mailer.send({ to: email, subject, text });
      });
    },
    emailOf,
    async complete(token, password, address, locale) {
      const email = await emailOf(token);
      if (email === undefined) return 'expired';
      const weakness = changes.weaknessOf(password, [email]);
      if (weakness !== undefined) return { weakness };
      const hash = await hashing.run(networkOf(address), () => hashPassword(password));
      return (await create(email, hash, locale)) ? 'created' : 'expired';
    },
  };
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
