import { createRedisSessionPositions } from '@lintel/cache';
import { datasourceUrlOf, redisAddressOf, type SettingsOf } from '@lintel/config';
import { createReplicas } from '@lintel/persistence';
import type { ReplicaPorts } from '@lintel/reading';
import type { ServiceContext } from '@lintel/service';
import { monotonicClock } from '@lintel/timing';
import type { processSettings } from '../config.ts';
import type { DatabaseLimits } from '../database-limits.ts';
import { primaryOptions } from '../database-options.ts';

/** Positions are kept a little longer than a replica may lack what was written up to them. */
const POSITION_LIVES_PER_LAG = 2;

type Context = Pick<ServiceContext<SettingsOf<typeof processSettings>>, 'config' | 'logger' | 'metrics' | 'own'>;

/** The replicas of the database, and the log positions of sessions, which Redis keeps; undefined without replicas. */
export function openReplicas(
  { config, logger, metrics, own }: Context,
  limits: DatabaseLimits,
): ReplicaPorts | undefined {
  const { readUrls, maxReplicaLagMs } = config.database;
  if (readUrls.length === 0) return undefined;
  const { redis } = config.backends;
  const { url: primaryUrl, ...options } = primaryOptions(config, limits);
  const replicas = own(
    createReplicas({
      ...options,
      primaryUrl,
      urls: readUrls.map((url) => datasourceUrlOf(url, config.database)),
      maxLagMs: maxReplicaLagMs,
      logger,
      metrics,
    }),
  );
  const positions = own(
    createRedisSessionPositions({
      address: redisAddressOf(redis),
      keyPrefix: redis.keyPrefix,
      lifeMs: POSITION_LIVES_PER_LAG * maxReplicaLagMs,
      clock: monotonicClock,
      logger,
    }),
  );
  return { replicas, positions };
}
