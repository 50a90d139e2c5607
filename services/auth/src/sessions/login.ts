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

/** Whether a login is valid: the user is the same and active, and has the same password. */
export const isAlive = (
  login: Pick<Login, 'userId' | 'credential'>,
  account: Account | undefined,
): account is Account =>
  account?.isActive === true &&
  (login.userId ?? account.id) === account.id &&
  fingerprintOf(account.passwordHash) === login.credential;
