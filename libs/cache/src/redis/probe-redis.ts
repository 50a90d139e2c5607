import { Cluster, Redis } from 'ioredis';
import { assertServing } from './connect-redis.ts';
import { createClient } from './create-client.ts';
import type { RedisAddress, RedisNode, RedisSentinels } from './redis-address.ts';

/** What a Redis says of itself to somebody who may use it. */
export interface RedisFindings {
  /** E.g. `7.2.4`; of a cluster the oldest of its primaries. */
  readonly version: string;
  /** `noeviction` is what sessions need; undefined where the login may not ask. Of a cluster one that is not. */
  readonly evictionPolicy: string | undefined;
  /** Primaries that nobody would take over from, as `host:port`; empty for a URL, which says nothing of it. */
  readonly alone: readonly string[];
  /** Sentinels that do not know the primary or do not answer, as `host:port`. */
  readonly lostSentinels: readonly string[];
}

export interface ProbeRedisOptions {
  readonly address: RedisAddress;
  readonly keyPrefix: string;
  readonly timeoutMs: number;
}

/**
 * Connects once, writes, reads and removes a key of its own, and says what it found. For checks of an installation.
 *
 * @throws what the driver throws where one of it fails
 */
export async function probeRedis({ address, keyPrefix, timeoutMs }: ProbeRedisOptions): Promise<RedisFindings> {
  const connection = { connectTimeout: timeoutMs, commandTimeout: timeoutMs, maxRetriesPerRequest: 0 };
  const client = createClient(address, connection, { lazyConnect: true, retryDelayMs: () => null });
  let cause: Error | undefined;
  client.on('error', (error: Error) => {
    cause = error;
  });
  client.on('sentinelError', (error: Error) => {
    cause = error;
  });
  client.on('node error', (error: Error) => {
    cause = error;
  });
  try {
    await client.connect();
    await assertServing(client);
    const key = `${keyPrefix}probe`;
    await client.set(key, '1', 'PX', timeoutMs);
    await client.del(key);
    const primaries = client instanceof Cluster ? client.nodes('master') : [client];
    const said = await Promise.all(primaries.map((primary) => ask(primary)));
    return {
      version: said.map(({ version }) => version).toSorted(byVersion)[0] ?? 'unknown',
      evictionPolicy: said.map((one) => one.evictionPolicy).toSorted(evictingFirst)[0],
      alone: 'url' in address ? [] : said.flatMap(({ name, replicas }) => (replicas === 0 ? [name] : [])),
      lostSentinels: 'sentinel' in address ? await lostSentinels(address.sentinel, timeoutMs) : [],
    };
  } catch (error) {
    // The driver's own error says only that the connection is closed.
    throw cause ?? error;
  } finally {
    client.disconnect();
  }
}

async function ask(redis: Redis) {
  const info = await redis.info();
  return {
    name: `${redis.options.host}:${redis.options.port}`,
    version: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
    replicas: Number(/^connected_slaves:(\d+)/m.exec(info)?.[1] ?? 0),
    evictionPolicy: await evictionPolicyOf(redis),
  };
}

/** Hosted servers often keep CONFIG to themselves. */
const evictionPolicyOf = (redis: Redis): Promise<string | undefined> =>
  redis.config('GET', 'maxmemory-policy').then(
    (answer) => (Array.isArray(answer) ? String(answer[1]) : undefined),
    () => undefined,
  );

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

const evictingFirst = (one: string | undefined, other: string | undefined): number =>
  Number(one === 'noeviction') - Number(other === 'noeviction');

/** Any of them may be the one that is asked when it counts. */
async function lostSentinels(sentinels: RedisSentinels, timeoutMs: number): Promise<readonly string[]> {
  const knows = await Promise.all(sentinels.nodes.map((node) => knowsPrimary(node, sentinels, timeoutMs)));
  return sentinels.nodes.flatMap(({ host, port }, index) => (knows[index] === true ? [] : [`${host}:${port}`]));
}

async function knowsPrimary(node: RedisNode, sentinels: RedisSentinels, timeoutMs: number): Promise<boolean> {
  const { master, sentinelUsername, sentinelPassword, tls } = sentinels;
  const sentinel = new Redis({
    ...node,
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableReadyCheck: false,
    ...(sentinelUsername !== undefined && { username: sentinelUsername }),
    ...(sentinelPassword !== undefined && { password: sentinelPassword }),
    ...(tls && { tls: {} }),
  });
  // What it says is not asked for: only whether it can be asked.
  sentinel.on('error', () => {});
  try {
    return (await sentinel.call('SENTINEL', 'get-master-addr-by-name', master)) !== null;
  } catch {
    return false;
  } finally {
    sentinel.disconnect();
  }
}
