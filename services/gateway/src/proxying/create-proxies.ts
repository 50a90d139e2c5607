import type { RequestListener } from 'node:http';
import { type Logger, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { GatewayConfig } from '../config.ts';
import { fallbackUrlsOf } from '../upstreams/fallback-urls.ts';
import type { HostLookup } from '../upstreams/find-addresses.ts';
import { Upstream } from '../upstreams/upstream.ts';
import { createProxy, type ProxyOptions, type UpstreamProxy } from './create-proxy.ts';

/** Services are in one network; one that has not accepted a connection by then is gone. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A replica that needs longer for `/health/ready` would keep requests waiting, too. */
const CHECK_TIMEOUT_MS = 3_000;
/** Slower than any line in use: who sends a long body at less occupies the gateway on purpose. */
const MIN_BODY_BYTES_PER_SECOND = 2 * 1024;

export interface ProxiesDeps extends Pick<ProxyOptions, 'encode'> {
  readonly lookup: HostLookup;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** The services of this process. */
  readonly services?: Partial<OfEach<RequestListener>> | undefined;
}

/** The proxies of all services. */
export interface Proxies {
  readonly of: OfEach<UpstreamProxy>;
  /** To the data service, for streams: they have connections of their own, so that other requests keep theirs. */
  readonly streams: UpstreamProxy;
  readonly upstreams: OfEach<Upstream>;
  /** Finds the replicas and starts to check them. */
  start(): Promise<void>;
  /** Stops the checks and closes the connections. */
  close(): void;
}

/** The services to which the gateway forwards requests. */
export type UpstreamName = 'auth' | 'data' | 'files' | 'reports';

type OfEach<T> = Readonly<Record<UpstreamName, T>>;

const ofEach = <T>(create: (name: UpstreamName) => T): OfEach<T> => ({
  auth: create('auth'),
  data: create('data'),
  files: create('files'),
  reports: create('reports'),
});

/** Large responses are streamed by the proxy, which frees the memory of each chunk. */
const HAS_LARGE_RESPONSES: ReadonlySet<UpstreamName> = new Set<UpstreamName>(['files', 'reports']);
const hasTls = (url: string): boolean => url.startsWith('https:');

export function createProxies(
  { lookup, clock, logger, metrics, encode, services }: ProxiesDeps,
  config: GatewayConfig,
): Proxies {
  const refusals = (metrics ?? NO_METRICS).counter('lintel.gateway.refusals', { reason: 'queue' });
  const createUpstream = (name: UpstreamName, maxConnections: number) =>
    new Upstream({
      name,
      urls: config.upstreams[name],
      fallbackUrls: fallbackUrlsOf(config.upstreams[name], config.fallbackHostSuffix),
      lookup,
      clock,
      logger,
      maxConnections,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      queueTimeoutMs: config.queueTimeoutMs,
      maxWaiting: config.maxWaiting,
      refusals,
      checkIntervalMs: config.healthIntervalMs,
      checkTimeoutMs: CHECK_TIMEOUT_MS,
      lookupIntervalMs: config.lookupIntervalMs,
      metrics,
    });
  const upstreams = ofEach((name) => createUpstream(name, config.maxConnections));
  const ofStreams = createUpstream('data', config.maxStreams);
  const all = [...Object.values(upstreams), ofStreams];
  const { maxBodyBytes } = config;
  const bodyPace = { minBytesPerSecond: MIN_BODY_BYTES_PER_SECOND, timeoutMs: config.bodyTimeoutMs };
  const optionsOf = (name: UpstreamName, upstream: Upstream): Omit<ProxyOptions, 'isAlwaysStreamed'> => ({
    name,
    service: services?.[name],
    upstream,
    logger,
    clock,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    bodyPace,
    maxBodyBytes,
  });
  return {
    upstreams,
    streams: createProxy({ ...optionsOf('data', ofStreams), isStream: true, isAlwaysStreamed: true }),
    of: ofEach((name) =>
      createProxy({
        ...optionsOf(name, upstreams[name]),
        ...(encode && { encode }),
        isAlwaysStreamed: HAS_LARGE_RESPONSES.has(name) || config.upstreams[name].some(hasTls),
      }),
    ),
    async start() {
      await Promise.all(all.map((upstream) => upstream.start()));
    },
    close() {
      for (const upstream of all) upstream.close();
    },
  };
}
