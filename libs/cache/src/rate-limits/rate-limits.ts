/** How many requests one key may make in a window of time. */
export interface RateLimitPolicy {
  /** In front of the keys, and different for each policy of a server. */
  readonly name: string;
  readonly limit: number;
  /** A window begins with the first request of a key. */
  readonly windowSeconds: number;
}

/** What is left to a key after a request. */
export interface RateLimitState {
  /** False if the request exceeds the limit. */
  readonly isAllowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Time until the window ends and the whole limit is available again. */
  readonly resetMs: number;
}

/** Counts requests: in Redis for all processes together, in memory for one. */
export interface RateLimiter {
  /** Counts one request. Never rejects: if the shared counter fails, this process counts locally. A promise only if that takes time. */
  take(key: string): Promise<RateLimitState> | RateLimitState;
  /**
   * The state of a key that has used up its limit, if this process has that information. Neither counts nor sends.
   */
  usedUp(key: string): RateLimitState | undefined;
}

/** Creates limiters that share one connection. */
export interface RateLimits {
  limiterOf(policy: RateLimitPolicy): RateLimiter;
  close(): Promise<void>;
}
