/** The log position of the last write of a session. */
export interface SessionPosition {
  /** Undefined where no write is known. */
  readonly position: string | undefined;
  /** False where the store may have lost a recent position. */
  readonly isSure: boolean;
}

/** The greatest recent log position of each session, shared by all processes. */
export interface SessionPositions {
  /**
   * Raises the position of a session; a smaller one only extends its life.
   *
   * @throws PlatformError DATA_UNAVAILABLE where it is unknown whether other processes see it
   */
  raise(sessionId: string, position: string): Promise<void>;
  /** @throws PlatformError DATA_UNAVAILABLE */
  load(sessionId: string): Promise<SessionPosition>;
  close(): Promise<void>;
}
