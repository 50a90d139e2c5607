/** The log position of the last write of a session. */
export interface SessionPosition {
  /** Undefined if no write of the session is recorded. */
  readonly position: string | undefined;
  /** False if the store may have lost a recent position. */
  readonly isSure: boolean;
}

/** The greatest recent log position of each session, shared by all processes. */
export interface SessionPositions {
  /**
   * Raises the position of a session; a smaller one only extends its life.
   *
   * @throws PlatformError DATA_UNAVAILABLE if it is unknown whether other processes see the position
   */
  raise(sessionId: string, position: string): Promise<void>;
  /** @throws PlatformError DATA_UNAVAILABLE */
  load(sessionId: string): Promise<SessionPosition>;
  close(): Promise<void>;
}
