/** What is known of a session's last write. */
export interface SessionMark {
  /** Undefined where there is none. */
  readonly mark: string | undefined;
  /** False where the store may have forgotten one not long ago. */
  readonly isSure: boolean;
}

/** For each session the greatest mark of late, which all processes see. */
export interface SessionMarks {
  /**
   * Raises the mark of a session; a smaller one changes nothing but its life.
   *
   * @throws PlatformError DATA_UNAVAILABLE where it is not known whether others see it
   */
  raise(sessionId: string, mark: string): Promise<void>;
  /** @throws PlatformError DATA_UNAVAILABLE */
  load(sessionId: string): Promise<SessionMark>;
  close(): Promise<void>;
}
