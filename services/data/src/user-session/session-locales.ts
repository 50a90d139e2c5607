/** Port to the sessions, which auth alone writes. */
export interface SessionLocales {
  /**
   * Stores the locale of a session; from then on every service responds in it.
   *
   * @returns false where the session has ended or cannot have a locale of its own
   * @throws PlatformError AUTH_UNAVAILABLE
   */
  change(sessionId: string, locale: string): Promise<boolean>;
}
