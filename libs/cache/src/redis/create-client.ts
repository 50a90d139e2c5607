import { Cluster, Redis } from 'ioredis';
import type { RedisAddress, RedisCluster, RedisLogin, RedisSentinels } from './redis-address.ts';

/** Options of each connection to a server, in every topology; with the names that the driver uses. */
export interface ConnectionOptions {
  readonly commandTimeout: number;
  readonly connectTimeout: number;
  readonly maxRetriesPerRequest: number;
  readonly socketTimeout?: number;
  readonly autoResendUnfulfilledCommands?: boolean;
}

/** Options of the client as a whole. */
export interface ClientOptions {
  readonly keyPrefix?: string;
  /** Connects at the first command. */
  readonly lazyConnect?: boolean;
  /** Pause before the next attempt to connect, milliseconds; null gives up. */
  readonly retryDelayMs: (attempts: number) => number | null;
  /** Commands of our own; each about one key. */
  readonly scripts?: RedisScripts;
}

/** Lua scripts by the name of the command that each defines. */
export type RedisScripts = Record<string, { readonly lua: string; readonly numberOfKeys: 1 }>;

/** How often the key slots of a cluster are read; a command that is redirected reads them at once. */
const SLOTS_REFRESH_MS = 1_000;
/** Maximum of redirections of one command; then it is refused. */
const MAX_REDIRECTIONS = 4;

/** The client of the driver for an address. */
export function createClient(
  address: RedisAddress,
  connection: ConnectionOptions,
  options: ClientOptions,
): Redis | Cluster {
  if ('cluster' in address) return clusterClient(address.cluster, connection, options);
  const { keyPrefix = '', lazyConnect = false, retryDelayMs, scripts } = options;
  const common = {
    ...connection,
    keyPrefix,
    lazyConnect,
    // Nothing waits for a connection.
    enableOfflineQueue: lazyConnect,
    retryStrategy: retryDelayMs,
    // After a fail-over this connection may lead to what is a replica now: connect again.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    ...(scripts && { scripts }),
  };
  return 'url' in address
    ? new Redis(address.url, common)
    : new Redis({ ...common, ...sentinelOptions(address.sentinel, connection, retryDelayMs) });
}

function sentinelOptions(
  sentinels: RedisSentinels,
  { commandTimeout }: ConnectionOptions,
  retryDelayMs: ClientOptions['retryDelayMs'],
) {
  const { master, nodes, database, sentinelUsername, sentinelPassword, tls } = sentinels;
  return {
    ...loginOf(sentinels),
    sentinels: [...nodes],
    name: master,
    role: 'master' as const,
    db: database,
    sentinelRetryStrategy: retryDelayMs,
    sentinelReconnectStrategy: retryDelayMs,
    sentinelCommandTimeout: commandTimeout,
    // Subscribes to fail-overs: a former primary that still runs is demoted seconds later and loses its latest writes.
    failoverDetector: true,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

function clusterClient(
  cluster: RedisCluster,
  connection: ConnectionOptions,
  { keyPrefix = '', lazyConnect = false, retryDelayMs, scripts }: ClientOptions,
): Cluster {
  return new Cluster([...cluster.nodes], {
    redisOptions: { ...connection, ...loginOf(cluster) },
    keyPrefix,
    lazyConnect,
    clusterRetryStrategy: retryDelayMs,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    maxRedirections: MAX_REDIRECTIONS,
    // A command whose node is lost may have been executed: it is refused, not sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    ...(scripts && { scripts }),
    // The certificate names the host, not what it is looked up as.
    ...(cluster.tls && { dnsLookup: (host: string, callback: AddressFound) => callback(null, host) }),
  });
}

type AddressFound = (error: null, address: string) => void;

const loginOf = ({ username, password, tls }: RedisLogin) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(tls && { tls: {} }),
});
