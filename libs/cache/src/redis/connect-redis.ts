import type { Logger } from '@lintel/telemetry';
import { Redis, type RedisOptions } from 'ioredis';

export interface ConnectRedisOptions {
  readonly url: string;
  readonly keyPrefix: string;
  readonly logger: Logger;
  /** Longest wait of one command. */
  readonly commandTimeoutMs: number;
  readonly scripts?: NonNullable<RedisOptions['scripts']>;
}

/** A Redis that is back is found within a second. */
const MAX_RECONNECT_DELAY_MS = 800;
/** A network that drops what is sent to it must not hold up the next attempt for longer. */
const CONNECT_TIMEOUT_MS = 1_000;

/** A connection that rejects commands while Redis is away, queues nothing and comes back by itself. */
export function connectRedis({ url, keyPrefix, logger, commandTimeoutMs, scripts }: ConnectRedisOptions): Redis {
  const redis = new Redis(url, {
    keyPrefix,
    commandTimeout: commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A silent connection is given up after a few commands had no answer.
    socketTimeout: 3 * commandTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) =>
      Math.min(MAX_RECONNECT_DELAY_MS, 50 * 2 ** Math.min(times, 10)) * (0.5 + Math.random() / 2),
    // After a fail-over this connection may lead to what is a replica now: connect again.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...(scripts && { scripts }),
  });
  logOutages(redis, logger);
  return redis;
}

/** Ends a connection, politely where it is up. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') {
    // Rejects only where the connection is lost just now; then there is nothing left to close politely.
    await redis.quit().catch(() => undefined);
  }
  redis.disconnect();
}

/** One line when Redis goes and one when it is back; ioredis reports every attempt in between. */
function logOutages(redis: Redis, logger: Logger): void {
  let reported = false;
  redis.on('error', (error: unknown) => {
    if (!reported) logger.warn({ err: error }, 'Redis is away');
    reported = true;
  });
  redis.on('ready', () => {
    logger.info({}, 'Connected to Redis');
    reported = false;
  });
}
