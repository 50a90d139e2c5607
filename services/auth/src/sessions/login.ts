import { createHash } from 'node:crypto';

/**
 * What a session is rebuilt from after it was lost, and what ties it to the user's password. One row per
 * login in `auth.oidc_model` (model `Login`, id the session's, uid the user name).
 */
export interface Login {
  readonly sessionId: string;
  readonly username: string;
  readonly clientId: string;
  /** Grant that all tokens of this login hang on. */
  readonly grantId: string;
  /** Locale that was asked for at login, or chosen later; null where the user's own holds. */
  readonly chosenLocale: string | null;
  /** Fingerprint of the password hash that was verified: after a change of the password the login is over. */
  readonly credential: string;
  /** Seconds since the epoch. */
  readonly startedAt: number;
}

/** Port to the logins. */
export interface LoginStore {
  /**
   * Stores a login. Of those that the user has already, expired ones are removed, and the oldest end where there would
   * be more than `max`.
   *
   * @returns those that ended for it
   */
  save(login: Login, ttlMs: number, max: number): Promise<readonly Login[]>;
  find(sessionId: string): Promise<Login | undefined>;
  ofUser(username: string): Promise<readonly Login[]>;
  ofGrant(grantId: string): Promise<readonly Login[]>;
  remove(sessionIds: readonly string[]): Promise<void>;
  /** False where there is no such login. */
  chooseLocale(sessionId: string, locale: string): Promise<boolean>;
  /** The hash was upgraded, the password is the same: the user's logins go on. */
  replaceCredential(username: string, before: string, after: string): Promise<void>;
}

/** A digest of a stored hash that says nothing about the password. */
export const fingerprintOf = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url');
