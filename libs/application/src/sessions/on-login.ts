import type { SessionAttributeValue } from './session-attributes.ts';

/** The user of a new session. */
export interface LoginUser {
  /** Name of the user, as in the login. */
  readonly username: string;
  /** Key of the instance of `sec_User`; null for a user that is none. */
  readonly id: string | null;
  /** Local attributes of the user that are not secret, those of `userAttributes` included. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Codes of the resource roles of the session. */
  readonly resourceRoles: readonly string[];
  /** Codes of the row-level roles of the session. */
  readonly rowLevelRoles: readonly string[];
}

/** What is known about the login, by the names of claims. */
export interface LoginClaims {
  /** Name of the user. */
  readonly sub: string;
  /** The OAuth client that the user logged in with. */
  readonly client_id: string;
  /** Id of the session. */
  readonly sid: string;
  /** When the session began, seconds since the epoch. */
  readonly auth_time: number;
}

/**
 * Determines session attributes at a login: called before the first request of a session, once in general, again if its
 * values could not be stored. The request waits for it. If it throws, the request fails, and the next one calls it again.
 */
export type OnLogin = (
  user: LoginUser,
  claims: LoginClaims,
) => Readonly<Record<string, SessionAttributeValue>> | Promise<Readonly<Record<string, SessionAttributeValue>>>;
