import type { Logger } from '@lintel/telemetry';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { closeRedis, connectRedis } from '../redis/connect-redis.ts';
import { createLimiter, createMemoryCounter } from './create-limiter.ts';
import type { RateLimits } from './rate-limits.ts';

export interface RedisRateLimitsOptions {
  /** `redis://user:password@host:port/db` or `rediss://…`. */
  readonly url: string;
  /** In front of every key, so that installations can share a server. */
  readonly keyPrefix: string;
  readonly logger: Logger;
  /** Longest wait for one count. */
  readonly commandTimeoutMs?: number;
}

/** Every request waits for its count: a Redis that has become silent must not become the API's latency. */
const DEFAULT_COMMAND_TIMEOUT_MS = 250;

/**
 * Limits that all processes count together. While Redis is away each process counts by itself, so a limit holds
 * for every replica then, and no request is refused for the outage. A key that has used up its limit is refused
 * without asking Redis until its window ends.
 */
export function createRedisRateLimits(options: RedisRateLimitsOptions): RateLimits {
  const redis = connectRedis({ commandTimeoutMs: DEFAULT_COMMAND_TIMEOUT_MS, ...options });
  return {
    limiterOf(policy) {
      return createLimiter(
        new RateLimiterRedis({
          storeClient: redis,
          keyPrefix: policy.name,
          points: policy.limit,
          duration: policy.windowSeconds,
          inMemoryBlockOnConsumed: policy.limit + 1,
          rejectIfRedisNotReady: true,
          insuranceLimiter: createMemoryCounter(policy),
        }),
      );
    },
    close: () => closeRedis(redis),
  };
}
