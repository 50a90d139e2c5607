import { type Clock, monotonicClock } from '@lintel/timing';
import { ElapsingKeys } from '../stores/elapsing-keys.ts';
import type { RateLimiter, RateLimitPolicy, RateLimits } from './rate-limits.ts';

/** Limits that this process counts by itself; for standalone mode and tests. */
export const createMemoryRateLimits = (): RateLimits => ({
  limiterOf: (policy) => createMemoryLimiter(policy),
  async close() {},
});

/** Counts of this process alone. Setting the clock of the machine does not change the length of a window. */
export function createMemoryLimiter(
  { limit, windowSeconds }: RateLimitPolicy,
  clock: Clock = monotonicClock,
): RateLimiter {
  const windows = new ElapsingKeys<{ count: number }>(clock);
  return {
    take(key) {
      const window = windows.find(key) ?? windows.keep(key, { count: 0 }, windowSeconds * 1_000);
      window.value.count += 1;
      return {
        isAllowed: window.value.count <= limit,
        remaining: Math.max(0, limit - window.value.count),
        resetMs: window.leftMs,
      };
    },
    usedUp(key) {
      const window = windows.find(key);
      if (window === undefined || window.value.count < limit) return undefined;
      return { isAllowed: false, remaining: 0, resetMs: window.leftMs };
    },
  };
}
