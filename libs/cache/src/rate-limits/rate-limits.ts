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
  /** False where the request is one too many. */
  readonly isAllowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Time until the window ends and the whole limit is there again. */
  readonly resetMs: number;
}

/** Counts requests: in Redis for all processes together, in memory for one. */
export interface RateLimiter {
  /** Counts one request. Never rejects: where counting fails, this process counts by itself. */
  take(key: string): Promise<RateLimitState>;
  /**
   * The state of a key that has used up its limit, where this process knows that. Counts nothing and sends nothing.
   */
  usedUp(key: string): RateLimitState | undefined;
}

/** Makes limiters that share one connection. */
export interface RateLimits {
  limiterOf(policy: RateLimitPolicy): RateLimiter;
  close(): Promise<void>;
}
