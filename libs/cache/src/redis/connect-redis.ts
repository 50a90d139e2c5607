import type { Logger } from '@lintel/telemetry';
import { Cluster, type Redis } from 'ioredis';
import { createClient, type RedisScripts } from './create-client.ts';
import type { RedisAddress } from './redis-address.ts';

export interface ConnectRedisOptions {
  readonly address: RedisAddress;
  readonly keyPrefix: string;
  readonly logger: Logger;
  /** Longest wait of one command. */
  readonly commandTimeoutMs: number;
  /** Time for which this process may stand still without a loss of commands and connection. */
  readonly standstillMs?: number;
  readonly scripts?: RedisScripts;
}

/** A server that is available again is noticed within a second. */
const MAX_RECONNECT_DELAY_MS = 800;
/** If the network drops packets, the next attempt must not wait longer than this. */
const CONNECT_TIMEOUT_MS = 1_000;

/** A client and its `close` function. */
export interface RedisConnection {
  readonly client: Redis | Cluster;
  /** Sends `QUIT` first if the connection is open. */
  close(): Promise<void>;
}

/** A connection that rejects commands while Redis is unavailable, queues nothing and reconnects automatically. */
export function connectRedis(options: ConnectRedisOptions): RedisConnection {
  const { address, keyPrefix, logger, commandTimeoutMs, standstillMs = 0, scripts } = options;
  const connection = {
    commandTimeout: commandTimeoutMs + standstillMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A connection is closed after a few commands without a response.
    socketTimeout: 3 * commandTimeoutMs + standstillMs,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  };
  const client = createClient(address, connection, {
    keyPrefix,
    retryDelayMs,
    ...(scripts && { scripts }),
  });
  logOutages(client, logger);
  // If a fail-over is announced while the driver queries the sentinels, the driver stops reconnecting for ever.
  let timer: NodeJS.Timeout | undefined;
  const connectAgain = (): void => {
    timer = setTimeout(() => client.connect().catch(() => undefined), retryDelayMs(1));
  };
  client.on('end', connectAgain);
  return {
    client,
    async close() {
      client.off('end', connectAgain);
      clearTimeout(timer);
      if (client.status === 'ready') {
        // Rejects only if the connection is lost at this moment; then `QUIT` is unnecessary.
        await client.quit().catch(() => undefined);
      }
      client.disconnect();
    },
  };
}

const retryDelayMs = (attempts: number): number =>
  Math.min(MAX_RECONNECT_DELAY_MS, 50 * 2 ** Math.min(attempts, 10)) * (0.5 + Math.random() / 2);

/**
 * Rejects if Redis cannot serve. Of a cluster, the first primary that responds reports whether all key slots have a
 * primary.
 */
export async function assertServing(redis: Redis | Cluster): Promise<void> {
  if (!(redis instanceof Cluster)) {
    await redis.ping();
    return;
  }
  const info = await Promise.any(redis.nodes('master').map((node) => node.cluster('INFO')));
  if (!/^cluster_state:ok/m.test(String(info))) throw new Error('CLUSTERDOWN The cluster says that it is down');
}

/** Logs once when Redis, or a node of a cluster, is lost and once when it is back; the driver reports every attempt. */
function logOutages(client: Redis | Cluster, logger: Logger): void {
  let isReported = false;
  client.on('error', (err: unknown) => {
    if (!isReported) logger.warn({ err, property: 'svc.redis' }, 'Redis cannot be reached');
    isReported = true;
  });
  client.on('ready', () => {
    logger.info({}, 'Connected to Redis');
    isReported = false;
  });
  if (client instanceof Cluster) logNodes(client, logger);
}

function logNodes(cluster: Cluster, logger: Logger): void {
  const lost = new Set<string>();
  cluster.on('node error', (err: unknown, node: string) => {
    if (!lost.has(node)) logger.warn({ err, node }, 'A node of Redis cannot be reached');
    lost.add(node);
  });
  cluster.on('+node', (connection: Redis) => {
    connection.once('ready', () => {
      const { host, port } = connection.options;
      const node = `${host}:${port}`;
      if (lost.delete(node)) logger.info({ node }, 'A node of Redis is back');
    });
  });
}
