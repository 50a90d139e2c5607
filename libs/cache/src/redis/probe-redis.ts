import { Cluster, Redis } from 'ioredis';
import { assertServing } from './connect-redis.ts';
import { createClient } from './create-client.ts';
import type { RedisAddress, RedisLogin, RedisNode, RedisSentinels } from './redis-address.ts';

/** What a Redis reports of itself to a client with access. */
export interface RedisFindings {
  /** E.g. `7.2.4`; of a cluster the oldest of its primaries. */
  readonly version: string;
  /** Sessions need `noeviction`; undefined if the login may not read it. Of a cluster, any other one first. */
  readonly evictionPolicy: string | undefined;
  /** Primaries without a replica, by `host:port` or the name that sentinels use; none for a URL. */
  readonly alone: readonly string[];
  /** Sentinels that do not know the primary or do not respond, as `host:port`. */
  readonly lostSentinels: readonly string[];
}

export interface ProbeRedisOptions {
  readonly address: RedisAddress;
  readonly keyPrefix: string;
  readonly timeoutMs: number;
}

/**
 * Connects once, writes and removes a probe key, and returns its findings. For checks of an installation.
 *
 * @throws the error of the driver if one of these steps fails
 */
export async function probeRedis({ address, keyPrefix, timeoutMs }: ProbeRedisOptions): Promise<RedisFindings> {
  const connection = { connectTimeout: timeoutMs, commandTimeout: timeoutMs, maxRetriesPerRequest: 0 };
  const client = createClient(address, connection, { lazyConnect: true, retryDelayMs: () => null });
  let cause: Error | undefined;
  client.on('error', (error: Error) => {
    cause = error;
  });
  try {
    // The client of a cluster may wait for its nodes for ever.
    await Promise.race([client.connect(), timeout(3 * timeoutMs)]);
    await assertServing(client);
    const key = `${keyPrefix}probe`;
    await client.set(key, '1', 'PX', timeoutMs);
    await client.del(key);
    const primaries = client instanceof Cluster ? client.nodes('master') : [client];
    const said = await Promise.all(primaries.map((primary) => ask(primary, address)));
    return {
      version: said.map(({ version }) => version).toSorted(byVersion)[0] ?? 'unknown',
      evictionPolicy: said.map((one) => one.evictionPolicy).toSorted(evictingFirst)[0],
      alone: 'url' in address ? [] : said.flatMap(({ name, replicas }) => (replicas === 0 ? [name] : [])),
      lostSentinels: 'sentinel' in address ? await lostSentinels(address.sentinel, timeoutMs) : [],
    };
  } catch (error) {
    // The driver's own error contains only that the connection is closed, or that no node could be reached.
    throw 'url' in address ? (cause ?? error) : ((await problemOfNodes(address, timeoutMs)) ?? cause ?? error);
  } finally {
    client.disconnect();
  }
}

const timeout = (ms: number): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`No connection within ${ms} ms`)), ms).unref();
  });

async function ask(redis: Redis, address: RedisAddress) {
  const info = await redis.info();
  return {
    name: 'sentinel' in address ? address.sentinel.master : `${redis.options.host}:${redis.options.port}`,
    version: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
    replicas: Number(/^connected_slaves:(\d+)/m.exec(info)?.[1] ?? 0),
    evictionPolicy: await evictionPolicyOf(redis),
  };
}

/** Hosted servers often keep CONFIG to themselves. */
const evictionPolicyOf = (redis: Redis): Promise<string | undefined> =>
  redis.config('GET', 'maxmemory-policy').then(
    (response) => (Array.isArray(response) ? String(response[1]) : undefined),
    () => undefined,
  );

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

const evictingFirst = (one: string | undefined, other: string | undefined): number =>
  Number(one === 'noeviction') - Number(other === 'noeviction');

/** All sentinels are checked, since any of them may be used at the next fail-over. */
async function lostSentinels(sentinels: RedisSentinels, timeoutMs: number): Promise<readonly string[]> {
  const { master, nodes } = sentinels;
  const login = loginOfSentinels(sentinels);
  const known = await Promise.all(
    nodes.map((node) =>
      withNode(node, login, timeoutMs, (sentinel) =>
        sentinel.call('SENTINEL', 'get-master-addr-by-name', master),
      ).catch(
        // Only whether it responds is of interest.
        () => null,
      ),
    ),
  );
  return nodes.flatMap(({ host, port }, index) => (known[index] === null ? [`${host}:${port}`] : []));
}

/** Why the first of the nodes that cannot be spoken to cannot. */
async function problemOfNodes(
  address: Exclude<RedisAddress, { readonly url: string }>,
  timeoutMs: number,
): Promise<Error | undefined> {
  const { nodes } = 'cluster' in address ? address.cluster : address.sentinel;
  const login = 'cluster' in address ? address.cluster : loginOfSentinels(address.sentinel);
  for (const node of nodes) {
    try {
      await withNode(node, login, timeoutMs, (redis) => redis.ping());
    } catch (error) {
      return new Error(`${node.host}:${node.port}: ${messageOf(error)}`, { cause: error });
    }
  }
  return undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const loginOfSentinels = ({ sentinelUsername, sentinelPassword, tls }: RedisSentinels): RedisLogin => ({
  ...(sentinelUsername !== undefined && { username: sentinelUsername }),
  ...(sentinelPassword !== undefined && { password: sentinelPassword }),
  tls,
});

async function withNode<T>(
  node: RedisNode,
  { username, password, tls }: RedisLogin,
  timeoutMs: number,
  work: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis({
    ...node,
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableReadyCheck: false,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
  });
  let cause: Error | undefined;
  redis.on('error', (error: Error) => {
    cause = error;
  });
  try {
    await redis.connect();
    return await work(redis);
  } catch (error) {
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}
