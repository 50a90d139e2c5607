export { attachInvalidation, type InvalidationBus } from './attach-invalidation.ts';
export type { Clock } from './clock.ts';
export {
  type Cache,
  type CacheOptions,
  type CacheStatistics,
  createCache,
  type InvalidatedCache,
} from './create-cache.ts';
export { createLiveValue, type LiveValue, type LiveValueOptions } from './create-live-value.ts';
export { createMemoryStore } from './create-memory-store.ts';
export { createSessionCache, type SessionCacheOptions } from './create-session-cache.ts';
export { createSessionStore } from './create-session-store.ts';
export type { KeyValueStore } from './key-value-store.ts';
export { createMemoryRateLimits } from './rate-limits/create-memory-rate-limits.ts';
export { createRedisRateLimits, type RedisRateLimitsOptions } from './rate-limits/create-redis-rate-limits.ts';
export type { RateLimiter, RateLimitPolicy, RateLimitState, RateLimits } from './rate-limits/rate-limits.ts';
export { createRedisStore, type RedisStoreOptions } from './redis/create-redis-store.ts';
export type { SessionStore } from './session-store.ts';
