export { attachInvalidation, type InvalidationBus, type InvalidationOptions } from './caches/attach-invalidation.ts';
export { type CacheDeclaration, type CacheFacts, declareCache, declaredCaches } from './caches/cache-declaration.ts';
export { CacheEntries, type CacheEntriesOptions } from './caches/cache-entries.ts';
export { CacheMeter, type CacheStatistics, type MeteredEntries } from './caches/cache-meter.ts';
export { type Cache, type CacheOptions, createCache, type Eviction } from './caches/create-cache.ts';
export { createLiveValue, type LiveValue, type LiveValueOptions } from './caches/create-live-value.ts';
export { createMemo, type Memo } from './caches/create-memo.ts';
export type { InvalidatedCache } from './caches/invalidated-cache.ts';
export { createOwnWrites, type OwnWrites, type OwnWritesOptions, type StaleFact } from './caches/own-writes.ts';
export {
  createProcessDirectory,
  type ProcessDirectory,
  type ProcessStatement,
} from './processes/create-process-directory.ts';
export { createMemoryRateLimits } from './rate-limits/create-memory-rate-limits.ts';
export { createRedisRateLimits, type RedisRateLimitsOptions } from './rate-limits/create-redis-rate-limits.ts';
export type { RateLimiter, RateLimitPolicy, RateLimitState, RateLimits } from './rate-limits/rate-limits.ts';
export { createRedisStore, type RedisStoreOptions } from './redis/create-redis-store.ts';
export { probeRedis, type RedisFindings } from './redis/probe-redis.ts';
export type { RedisAddress, RedisCluster, RedisLogin, RedisNode, RedisSentinels } from './redis/redis-address.ts';
export {
  createRedisSessionPositions,
  type RedisSessionPositionsOptions,
} from './sessions/create-redis-session-positions.ts';
export { createSessionCache, type SessionCacheOptions } from './sessions/create-session-cache.ts';
export { createSessionStore } from './sessions/create-session-store.ts';
export type { SessionPosition, SessionPositions } from './sessions/session-positions.ts';
export type { SessionStore } from './sessions/session-store.ts';
export { createMemoryStore } from './stores/create-memory-store.ts';
export type { KeyValueStore } from './stores/key-value-store.ts';
