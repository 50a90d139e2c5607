import type { Logger } from '@lintel/telemetry';
import { type RateLimiterAbstract, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type Clock, steadyClock } from '../clock.ts';
import { connectRedis } from '../redis/connect-redis.ts';
import type { RedisAddress } from '../redis/redis-address.ts';
import { createMemoryLimiter } from './create-memory-limiter.ts';
import { ElapsingKeys } from './elapsing-keys.ts';
import type { RateLimiter, RateLimitPolicy, RateLimits } from './rate-limits.ts';

export interface RedisRateLimitsOptions {
  readonly address: RedisAddress;
  /** In front of every key, so that installations can share a server. */
  readonly keyPrefix: string;
  readonly logger: Logger;
  /** Longest wait for one count. */
  readonly commandTimeoutMs?: number;
}

/** Every request waits for its count: a Redis that has become silent must not become the API's latency. */
const DEFAULT_COMMAND_TIMEOUT_MS = 250;

const REFUSED = { isAllowed: false, remaining: 0 } as const;

/**
 * Limits that all processes count together. While Redis is away each process counts by itself, so a limit holds
 * for every replica then, and no request is refused for the outage. A key that has used up its limit is refused
 * without asking Redis until its window ends.
 */
export function createRedisRateLimits(options: RedisRateLimitsOptions): RateLimits {
  const { client, close } = connectRedis({ commandTimeoutMs: DEFAULT_COMMAND_TIMEOUT_MS, ...options });
  return {
    limiterOf(policy) {
      const counter = new RateLimiterRedis({
        storeClient: client,
        keyPrefix: policy.name,
        points: policy.limit,
        duration: policy.windowSeconds,
        rejectIfRedisNotReady: true,
      });
      return createSharedLimiter(counter, policy);
    },
    close,
  };
}

/**
 * The port over a counter that several processes share. It rejects with a state where the limit is exceeded, and with
 * an error where it cannot count.
 */
export function createSharedLimiter(
  counter: Pick<RateLimiterAbstract, 'consume'>,
  policy: RateLimitPolicy,
  clock: Clock = steadyClock,
): RateLimiter {
  const alone = createMemoryLimiter(policy, clock);
  const refused = new ElapsingKeys<typeof REFUSED>(clock);
  return {
    async take(key) {
      const known = refused.find(key);
      if (known !== undefined) return { ...REFUSED, resetMs: known.leftMs };
      try {
        const { remainingPoints, msBeforeNext } = await counter.consume(key);
        return { isAllowed: true, remaining: remainingPoints, resetMs: msBeforeNext };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) return alone.take(key);
        refused.keep(key, REFUSED, refusal.msBeforeNext);
        return { ...REFUSED, resetMs: refusal.msBeforeNext };
      }
    },
  };
}
