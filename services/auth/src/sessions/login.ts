import type { Authentication, SessionValue } from '@lintel/contracts';
import { fingerprintOf } from '@lintel/passwords';
import type { Account } from '../accounts/account.ts';

/**
 * The record of a login, from which a lost session is rebuilt and which binds it to the password of the user. One row
 * per login in `auth.oidc_model` (model `Login`; the id is that of the session, uid is the user name).
 */
export interface Login {
  readonly sessionId: string;
  readonly username: string;
  /** Absent for logins of earlier versions. */
  readonly userId?: string;
  readonly clientId: string;
  /** Grant of all tokens of this login. */
  readonly grantId: string;
  /** The session has no other roles than these, of those that the user has; undefined: all. */
  readonly resourceRoles?: readonly string[];
  /** The user who sees what `username` sees; absent for logins of the user. */
  readonly seenBy?: string;
  /** Locale that was requested at login or chosen later; null: the locale of the user. */
  readonly chosenLocale: string | null;
  /** Values that the application has set for the session; they stay after a loss of the session. */
  readonly sessionAttributes?: Record<string, SessionValue>;
  /** Whether the hook `onLogin` has set its values. */
  readonly hasLoginAttributes?: boolean;
  /** Fingerprint of the password hash that was verified: a change of the password ends the login. */
  readonly credential: string;
  /** Seconds since the epoch. */
  readonly startedAt: number;
  /** Absent for tokens of another issuer and logins of earlier versions. */
  readonly authentication?: Authentication;
  /** Address and user agent of the request for the tokens, which the user sees in the list of sessions. */
  readonly address?: string;
  readonly userAgent?: string;
  /** The session id that the client got for back-channel logout, if it is to be notified of the end. */
  readonly logoutSid?: string;
}

/** Notifies the clients of logins that have ended, if they have an address for it; the caller does not wait. */
export type NotifyClients = (ended: readonly Login[]) => void;

/** Where a login comes from. */
export type LoginOrigin = Pick<Login, 'address' | 'userAgent'>;

/** The grant of what a caller sees as another user, by the session of the caller. */
export const seeAsGrantOf = (callerSessionId: string): string => `see-as:${callerSessionId}`;

/** Port to the logins. */
export interface LoginStore {
  /**
   * Stores a login. Expired logins of the user are removed, and the oldest ones end if there would be more than `max`.
   *
   * @returns the logins that ended
   */
  save(login: Login, ttlMs: number, max: number): Promise<readonly Login[]>;
  find(sessionId: string): Promise<Login | undefined>;
  ofUser(username: string): Promise<readonly Login[]>;
  /** The newest ones that have not expired, at most 1,000. */
  activeOf(username: string): Promise<readonly Login[]>;
  ofGrant(grantId: string): Promise<readonly Login[]>;
  /** Those of several grants, with one statement. */
  ofGrants(grantIds: readonly string[]): Promise<readonly Login[]>;
  /** All logins with which a caller sees what another user sees. */
  ofSeeAs(): Promise<readonly Login[]>;
  ofClient(clientId: string, max: number): Promise<readonly Login[]>;
  remove(sessionIds: readonly string[]): Promise<void>;
  /** False if there is no such login. */
  chooseLocale(sessionId: string, locale: string): Promise<boolean>;
  /** Changes session attributes, null removes one. False if there is no such login. */
  changeAttributes(sessionId: string, changes: Readonly<Record<string, SessionValue | null>>): Promise<boolean>;
  /** Stores the values of the hook `onLogin`, once for each login. False if there is no such login. */
  completeLogin(sessionId: string, values: Readonly<Record<string, SessionValue | null>>): Promise<boolean>;
  /** Updates the logins of a user whose hash was upgraded; the password is the same, so they stay valid. */
  replaceCredential(username: string, before: string, after: string): Promise<void>;
}

/** Whether a login is valid: the user is the same and active, and has the same password. */
export const isAlive = (
  login: Pick<Login, 'userId' | 'credential'>,
  account: Account | undefined,
): account is Account =>
  account?.isActive === true &&
  (login.userId ?? account.id) === account.id &&
  fingerprintOf(account.passwordHash) === login.credential;
