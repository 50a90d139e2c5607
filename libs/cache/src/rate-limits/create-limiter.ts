import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitPolicy, RateLimitState } from './rate-limits.ts';

/** Counts of this process alone. */
export const createMemoryCounter = ({ name, limit, windowSeconds }: RateLimitPolicy): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: name, points: limit, duration: windowSeconds });

/** The port over a counter of the library, which rejects with a state where the limit is exceeded. */
export function createLimiter(counter: RateLimiterAbstract): RateLimiter {
  return {
    async take(key) {
      try {
        return stateOf(await counter.consume(key), true);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return stateOf(refusal, false);
        throw refusal;
      }
    },
  };
}

const stateOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): RateLimitState => ({
  isAllowed,
  remaining: isAllowed ? remainingPoints : 0,
  resetMs: msBeforeNext,
});
