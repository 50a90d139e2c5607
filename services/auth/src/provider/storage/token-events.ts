/** Told by the storage adapters what has ended, whoever ended it. */
export interface TokenEvents {
  /** An access token is gone; caches of it must go too. */
  onTokenGone(tokenHash: string, sessionId: string): Promise<void>;
}
