import type { SessionValue } from '@lintel/contracts';
import type { ChangeSessionAttributes } from '@lintel/entities';

/** Port to the sessions, which only auth writes. */
export interface SessionLocales {
  /**
   * Stores the locale of a session; from then on every service uses it.
   *
   * @returns false if the session has ended or cannot have its own locale
   * @throws PlatformError AUTH_UNAVAILABLE
   */
  change(sessionId: string, locale: string): Promise<boolean>;
  /**
   * Stores the values of the hook `onLogin`, once for each session.
   *
   * @returns false if the session has ended
   * @throws PlatformError AUTH_UNAVAILABLE
   */
  completeLogin(sessionId: string, attributes: Readonly<Record<string, SessionValue>>): Promise<boolean>;
  /** Stores changes of the session attributes of the application. */
  readonly changeAttributes: ChangeSessionAttributes;
}
