import { createMemoryLimiter } from './create-memory-limiter.ts';
import type { RateLimits } from './rate-limits.ts';

/** Limits that this process counts by itself; for standalone mode and tests. */
export const createMemoryRateLimits = (): RateLimits => ({
  limiterOf: (policy) => createMemoryLimiter(policy),
  async close() {},
});
