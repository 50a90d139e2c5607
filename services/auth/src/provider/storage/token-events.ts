/** An access token that was removed. */
export interface GoneToken {
  readonly tokenHash: string;
  readonly sessionId: string;
}

/** Hears from the storage adapters what has ended. */
export interface TokenEvents {
  /** Access tokens are gone; caches of them must go too. */
  onTokensGone(tokens: readonly GoneToken[]): Promise<void>;
}
