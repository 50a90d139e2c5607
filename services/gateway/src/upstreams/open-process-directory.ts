import { createProcessDirectory, createRedisStore, type ProcessDirectory } from '@lintel/cache';
import { findRedisAddress, readConfiguration } from '@lintel/config';
import type { ServiceContext } from '@lintel/service';
import { rateLimitStoreSettings } from '../config.ts';

/**
 * Where the gateway reports its state: the Redis of the rate limits. Undefined without one.
 *
 * @throws ConfigurationError if the settings of Redis contradict each other
 */
export async function openProcessDirectory({
  logger,
  own,
}: Pick<ServiceContext<unknown>, 'logger' | 'own'>): Promise<ProcessDirectory | undefined> {
  const { config } = await readConfiguration(rateLimitStoreSettings);
  const address = findRedisAddress(config.redis);
  if (address === undefined) return undefined;
  return createProcessDirectory(own(createRedisStore({ address, keyPrefix: config.redis.keyPrefix, logger })));
}
