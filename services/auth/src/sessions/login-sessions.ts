import type { KeyValueStore } from '@lintel/cache';
import { fingerprintOf } from '@lintel/passwords';
import type { AccountDirectory } from '../accounts/account.ts';
import type { IdSource } from '../ports.ts';
import { isAlive } from './login.ts';

/**
 * The logins of browsers, which several clients share (single sign-on). A login is valid for a limited time from the
 * entry of the password, and ends with a logout, a new password of the user, and when the user is disabled or removed.
 * Without its record a session of oidc-provider is no login.
 */
export interface LoginSessions {
  /** The user has just logged in, in this session. */
  begin(uid: string, username: string): Promise<void>;
  /** Whether the login of a session is valid; always false where single sign-on is switched off. */
  isValid(uid: string, username: string): Promise<boolean>;
  /** Records a grant that came of the login, with its client. */
  addGrant(uid: string, grantId: string): Promise<void>;
  /** Ends a login. Returns the grants that came of it. */
  end(uid: string): Promise<readonly string[]>;
  /** Ends the login that a grant came of. */
  endOfGrant(grantId: string): Promise<void>;
  /** Ends all logins of a user, also those whose grants have ended, except the one that a grant came of. */
  endAllOf(username: string, exceptGrantId?: string): Promise<void>;
}

export interface LoginSessionsDeps {
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete' | 'addToSet' | 'membersOf'>;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly ids: IdSource;
  /** `svc.authserver.single-sign-on` */
  readonly isEnabled: boolean;
  /** `svc.authserver.single-sign-on-time-to-live` */
  readonly lifeMs: number;
  /** Maximum life of a grant. */
  readonly grantLifeMs: number;
}

interface LoginRecord {
  readonly username: string;
  /** The next user of the name has another one. Absent in records of earlier versions. */
  readonly userId?: string;
  /** Of the password that the user had at the login. */
  readonly credential: string;
  /** Id of the last end of all logins of the user before this one. */
  readonly lastEnd?: string;
}

/** The last end of all logins of a user; kept as long as a login from before could be valid. */
interface EndRecord {
  readonly id: string;
  /** The login that goes on. */
  readonly exceptUid?: string;
}

const loginKey = (uid: string): string => `login:${uid}`;
const endKey = (username: string): string => `logins-ended:${username}`;
const grantsKey = (uid: string): string => `login-grants:${uid}`;
const grantKey = (grantId: string): string => `login-of-grant:${grantId}`;

export function createLoginSessions(deps: LoginSessionsDeps): LoginSessions {
  const { keyValues, accounts, ids, isEnabled, lifeMs, grantLifeMs } = deps;
  const lastEndOf = async (username: string): Promise<EndRecord | undefined> => {
    const text = await keyValues.get(endKey(username));
    return text === undefined ? undefined : (JSON.parse(text) as EndRecord);
  };
  return {
    async begin(uid, username) {
      const account = await accounts.find(username);
      if (!isEnabled || account === undefined) return;
      const lastEnd = await lastEndOf(username);
      const record: LoginRecord = {
        username,
        userId: account.id,
        credential: fingerprintOf(account.passwordHash),
        ...(lastEnd !== undefined && { lastEnd: lastEnd.id }),
      };
      await keyValues.set(loginKey(uid), JSON.stringify(record), lifeMs);
    },
    async isValid(uid, username) {
      const text = isEnabled ? await keyValues.get(loginKey(uid)) : undefined;
      if (text === undefined) return false;
      const record = JSON.parse(text) as LoginRecord;
      if (record.username !== username) return false;
      const end = await lastEndOf(username);
      if (end !== undefined && end.exceptUid !== uid && end.id !== record.lastEnd) return false;
      const account = await accounts.find(username);
      return isAlive(record, account);
    },
    async addGrant(uid, grantId) {
      await keyValues.addToSet(grantsKey(uid), grantId, grantLifeMs);
      await keyValues.set(grantKey(grantId), uid, grantLifeMs);
    },
    async end(uid) {
      const grantIds = await keyValues.membersOf(grantsKey(uid));
      await keyValues.delete(loginKey(uid), grantsKey(uid), ...grantIds.map(grantKey));
      return grantIds;
    },
    async endOfGrant(grantId) {
      const uid = await keyValues.get(grantKey(grantId));
      if (uid !== undefined) await keyValues.delete(loginKey(uid), grantKey(grantId));
    },
    async endAllOf(username, exceptGrantId) {
      const exceptUid = exceptGrantId && (await keyValues.get(grantKey(exceptGrantId)));
      const end: EndRecord = { id: ids.next(), ...(exceptUid !== undefined && { exceptUid }) };
      await keyValues.set(endKey(username), JSON.stringify(end), lifeMs);
    },
  };
}
