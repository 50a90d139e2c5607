import type { Logger } from '@lintel/telemetry';
import { type Clock, monotonicClock } from '@lintel/timing';
import { type RateLimiterAbstract, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { connectRedis } from '../redis/connect-redis.ts';
import type { RedisAddress } from '../redis/redis-address.ts';
import { ElapsingKeys } from '../stores/elapsing-keys.ts';
import { createMemoryLimiter } from './create-memory-limiter.ts';
import type { RateLimiter, RateLimitPolicy, RateLimitState, RateLimits } from './rate-limits.ts';

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

/** A process reserves the limit divided by this number in Redis at a time, and counts the reservation locally. */
const LEASED_PART = 100;

/**
 * Limits that all processes share. A process reserves a hundredth of the limit of a key at a time, so that most
 * requests do not wait for Redis; the unused part of a reservation is lost at the end of the window. Limits below 200
 * are exact. While Redis is unavailable, each process counts locally: the limit then applies to each replica, and no
 * request is refused because of the outage. A key that has exceeded its limit is refused without a command to Redis
 * until its window ends.
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

/** The part of a reservation that this process has not used yet. */
interface Lease {
  left: number;
  /** The rest of the limit, outside of the reservation, for all processes. */
  readonly remaining: number;
}

/**
 * Implements the port with a counter that several processes share. The counter rejects with a state if the limit is
 * exceeded, and with an error if it cannot count.
 */
export function createSharedLimiter(
  counter: Pick<RateLimiterAbstract, 'consume'>,
  policy: RateLimitPolicy,
  clock: Clock = monotonicClock,
): RateLimiter {
  const alone = createMemoryLimiter(policy, clock);
  const refused = new ElapsingKeys<typeof REFUSED>(clock);
  const leases = new ElapsingKeys<Lease>(clock);
  const points = Math.max(1, Math.floor(policy.limit / LEASED_PART));
  const pendingStates = new Map<string, Promise<RateLimitState>>();
  /** Whether Redis did not respond to the last request. */
  let isAway = false;

  /** Takes points for one request and, if the limit is large, for the following requests. */
  const ask = async (key: string): Promise<RateLimitState> => {
    try {
      const { remainingPoints, msBeforeNext } = await counter.consume(key, points);
      isAway = false;
      const left = points - 1;
      if (left > 0) leases.keep(key, { left, remaining: remainingPoints }, msBeforeNext);
      return { isAllowed: true, remaining: remainingPoints + left, resetMs: msBeforeNext };
    } catch (refusal) {
      isAway = !(refusal instanceof RateLimiterRes);
      if (!(refusal instanceof RateLimiterRes)) return alone.take(key);
      refused.keep(key, REFUSED, refusal.msBeforeNext);
      return { ...REFUSED, resetMs: refusal.msBeforeNext };
    }
  };

  const refusalOf = (key: string): RateLimitState | undefined => {
    const ended = refused.find(key);
    return ended === undefined ? undefined : { ...REFUSED, resetMs: ended.leftMs };
  };

  /** The state, if it can be determined without Redis. */
  const known = (key: string): RateLimitState | undefined => {
    const refusal = refusalOf(key);
    if (refusal !== undefined) return refusal;
    const lease = points === 1 ? undefined : leases.find(key);
    if (lease === undefined || lease.value.left === 0) return undefined;
    lease.value.left -= 1;
    return { isAllowed: true, remaining: lease.value.remaining + lease.value.left, resetMs: lease.leftMs };
  };

  const takeShared = async (key: string): Promise<RateLimitState> => {
    for (;;) {
      if (points === 1) return ask(key);
      const pending = pendingStates.get(key);
      // Concurrent requests must not make a reservation each.
      if (pending === undefined) {
        const own = ask(key).finally(() => pendingStates.delete(key));
        pendingStates.set(key, own);
        return own;
      }
      await pending;
      if (leases.find(key) === undefined && refused.find(key) === undefined) return alone.take(key);
      const state = known(key);
      if (state !== undefined) return state;
    }
  };

  return {
    take: (key) => known(key) ?? takeShared(key),
    usedUp: (key) => refusalOf(key) ?? (isAway ? alone.usedUp(key) : undefined),
  };
}
