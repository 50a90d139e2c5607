import { Redis } from 'ioredis';

/** What a Redis says of itself to somebody who may use it. */
export interface RedisFindings {
  /** E.g. `7.2.4`. */
  readonly version: string;
  /** `noeviction` is what sessions need; undefined where the login may not ask. */
  readonly evictionPolicy: string | undefined;
}

/**
 * Connects once, writes, reads and removes a key of its own, and says what it found. For checks of an installation.
 *
 * @throws what the driver throws where one of it fails
 */
export async function probeRedis(options: {
  readonly url: string;
  readonly keyPrefix: string;
  readonly timeoutMs: number;
}): Promise<RedisFindings> {
  const redis = new Redis(options.url, {
    lazyConnect: true,
    connectTimeout: options.timeoutMs,
    commandTimeout: options.timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let cause: Error | undefined;
  redis.on('error', (error: Error) => {
    cause = error;
  });
  try {
    await redis.connect();
    const key = `${options.keyPrefix}probe`;
    await redis.set(key, '1', 'PX', options.timeoutMs);
    await redis.del(key);
    const version = /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
    return { version, evictionPolicy: await evictionPolicyOf(redis) };
  } catch (error) {
    // The driver's own error says only that the connection is closed.
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Hosted servers often keep CONFIG to themselves. */
const evictionPolicyOf = (redis: Redis): Promise<string | undefined> =>
  redis.config('GET', 'maxmemory-policy').then(
    (answer) => (Array.isArray(answer) ? String(answer[1]) : undefined),
    () => undefined,
  );
