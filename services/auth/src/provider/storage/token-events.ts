/** An access token that was removed. */
export interface GoneToken {
  readonly tokenHash: string;
  readonly sessionId: string;
}

/** Receives the end of tokens from the storage adapters. */
export interface TokenEvents {
  /** Called after access tokens were removed; caches must drop them. */
  onTokensGone(tokens: readonly GoneToken[]): Promise<void>;
}
