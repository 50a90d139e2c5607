/** How often and how patiently something is tried again. */
export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

/** About six minutes in all: longer than a database takes to restart or to fail over. */
export const HANDLER_RETRIES: RetryPolicy = { maxAttempts: 20, initialDelayMs: 100, maxDelayMs: 30_000 };

/**
 * Delay before the attempt that follows `attempt` (1, 2, …): doubled each time, with a random factor between one half
 * and one, so that replicas do not retry at the same time.
 */
export function retryDelayMs(
  policy: Pick<RetryPolicy, 'initialDelayMs' | 'maxDelayMs'>,
  attempt: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(policy.maxDelayMs, policy.initialDelayMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full / 2 + (random() * full) / 2);
}
