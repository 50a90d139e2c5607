import { createMemoryRateLimits, createRedisRateLimits, type RateLimits } from '@lintel/cache';
import { findRedisAddress, readConfiguration } from '@lintel/config';
import type { Logger } from '@lintel/telemetry';
import { type GatewayConfig, rateLimitStoreSettings } from '../config.ts';

/**
 * The counters of the rate limits. They are in Redis if one is configured; otherwise each process counts separately,
 * and the limits apply per replica.
 *
 * @throws ConfigurationError if rates are limited and the settings of Redis contradict each other
 */
export async function connectRateLimits(
  { rateLimits }: Pick<GatewayConfig, 'rateLimits'>,
  logger: Logger,
): Promise<RateLimits> {
  const isCounted = Object.values(rateLimits).some((rate) => rate !== undefined && Number.isFinite(rate.limit));
  if (!isCounted) return createMemoryRateLimits();
  const { config } = await readConfiguration(rateLimitStoreSettings);
  const address = findRedisAddress(config.redis);
  if (address === undefined) {
    logger.info({}, 'no Redis is configured: rate limits hold for each replica of the gateway');
    return createMemoryRateLimits();
  }
  return createRedisRateLimits({ address, keyPrefix: config.redis.keyPrefix, logger });
}
