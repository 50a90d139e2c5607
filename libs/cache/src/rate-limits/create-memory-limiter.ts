import { type Clock, steadyClock } from '../clock.ts';
import { ElapsingKeys } from './elapsing-keys.ts';
import type { RateLimiter, RateLimitPolicy } from './rate-limits.ts';

/** Counts of this process alone. Whatever is done to the clock of the machine, no window is longer or shorter. */
export function createMemoryLimiter(
  { limit, windowSeconds }: RateLimitPolicy,
  clock: Clock = steadyClock,
): RateLimiter {
  const windows = new ElapsingKeys<{ count: number }>(clock);
  return {
    async take(key) {
      const window = windows.find(key) ?? windows.keep(key, { count: 0 }, windowSeconds * 1_000);
      window.value.count += 1;
      return {
        isAllowed: window.value.count <= limit,
        remaining: Math.max(0, limit - window.value.count),
        resetMs: window.leftMs,
      };
    },
  };
}
