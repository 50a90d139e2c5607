import type { IncomingMessage, RequestListener } from 'node:http';
import { attachInvalidation, type RateLimits } from '@lintel/cache';
import { anonymousUrlPatternsOf, insecureSettings, warnOfInsecurity } from '@lintel/config';
import { createUrlMatcher } from '@lintel/contracts';
import type { EventBus } from '@lintel/events';
import {
  createProofCheck,
  createServiceListener,
  forwardingProofOf,
  PROOF_MEMORY_SECONDS,
  pathOf,
  type Readiness,
  type RemoteTokenVerifier,
  type Step,
} from '@lintel/http';
import type { Logger, Metrics } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';
import { createCompression } from './compression/create-compression.ts';
import { type GatewayConfig, safetyOf } from './config.ts';
import { createConsole } from './console/create-console.ts';
import { createRootPages } from './console/create-root-pages.ts';
import { findExtension } from './console/find-extension.ts';
import { createCors } from './cors/cors.ts';
import { createForwardedReader, type Forwarded } from './forwarded/create-forwarded-reader.ts';
import { createPublicHost } from './forwarded/public-host.ts';
import { strictTransport } from './forwarded/strict-transport.ts';
import type { IdentifyDeps } from './identity/identify.ts';
import { createTokenCache, type TokenCache } from './identity/token-cache.ts';
import type { TokenExchange } from './identity/token-exchange.ts';
import { createConcurrentRequests } from './limits/concurrent-requests.ts';
import { createEventLoopLoad } from './limits/event-loop-load.ts';
import { limitRequest } from './limits/limit-request.ts';
import { createRateLimit } from './limits/rate-limit.ts';
import { createSlowReaders } from './limits/slow-readers.ts';
import { createProxies, type ProxiesDeps } from './proxying/create-proxies.ts';
import { refuseWebSocket } from './proxying/refuse-web-socket.ts';
import { createDirectHandlers } from './routing/create-direct-handlers.ts';
import { createForwarding, routeOf } from './routing/create-forwarding.ts';
import { CONTROLLERS, createRoutes } from './routing/routes.ts';
import { toOriginForm } from './routing/to-origin-form.ts';
import { askServices, type ServicesHealth } from './upstreams/ask-services.ts';
import type { HostLookup } from './upstreams/find-addresses.ts';

export interface GatewayPorts {
  /** URL patterns of the application's controllers (`urlPatternsOf`). */
  readonly controllerPatterns?: readonly string[];
  readonly exchange: TokenExchange;
  readonly verifier: RemoteTokenVerifier;
  readonly bus: EventBus;
  readonly rateLimits: RateLimits;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly clock: { now(): number };
  /** Finds the addresses of the services' host names. */
  readonly lookup: HostLookup;
  /** The services of this process; requests to others go over the network. */
  readonly services?: ProxiesDeps['services'];
  /** Folder of the built console, which is served if `svc.console.enabled` is set. */
  readonly consoleFolder?: URL;
  /** Folder of the resources of the application, where the extension of the console is looked for. */
  readonly resources?: URL;
}

export interface Gateway {
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  /** Returns the state of every service as the gateway sees it; for operators. */
  askServices(): Promise<ServicesHealth>;
  readonly app: RequestListener;
  /** Subscribes to the events that end tokens and finds the services. Must complete before the first request. */
  start(): Promise<void>;
  /** Stops what `start` started and closes the connections to the services. Does not close the ports. */
  close(): Promise<void>;
}

/**
 * The only public listener: applies CORS, identifies the caller, chooses the service and forwards the request. It
 * keeps no state except caches, and never parses a body: short ones are held in memory until the response, others are
 * streamed.
 */
export function createGateway(ports: GatewayPorts, config: GatewayConfig): Gateway {
  const { bus, logger, verifier } = ports;
  const rateLimit = createRateLimit(ports.rateLimits, config.rateLimits, ports.metrics);
  const requests = createConcurrentRequests(config.concurrency, ports.metrics);
  const tokens = createTokenCache({
    exchange: ports.exchange,
    clock: monotonicClock,
    wallClock: ports.clock,
    maxStalenessMs: config.platform.cacheMaxStaleness,
    admit(address) {
      rateLimit?.assertAddress(address);
      return requests.beginToken(address);
    },
  });
  const compression = createCompression(config);
  // The monotonic clock: a ban of a replica is a duration.
  const proxies = createProxies({ ...ports, clock: monotonicClock, encode: compression.encode }, config);
  const forwardedOf = createForwardedReader({
    trustedProxies: config.trustedProxies,
    header: config.forwardedHeader,
    publicHost: createPublicHost({ allowedHosts: config.allowedHosts, issuer: config.platform.issuer }),
  });
  const load = createEventLoopLoad(config.maxEventLoopDelayMs, ports.metrics);
  const slowReaders = createSlowReaders({
    minBytesPerSecond: config.minResponseRate,
    windowMs: config.responseTimeoutMs,
    metrics: ports.metrics,
  });
  const identifyDeps = identifyDepsOf(ports, config, tokens);
  const readiness: Readiness = {};
  const routes = createRoutes(config, ports.controllerPatterns ?? []);
  const consoleServer =
    config.platform.consoleEnabled && ports.consoleFolder !== undefined
      ? createConsole(ports.consoleFolder, config, findExtension(config.consoleExtension, ports.resources))
      : undefined;
  const rootPages = createRootPages({
    config,
    hasConsole: consoleServer !== undefined,
    isOfApplication: (path) => routeOf(routes, path)?.template === CONTROLLERS,
    clock: ports.clock,
  });
  const ownPages = [...(consoleServer === undefined ? [] : [consoleServer]), rootPages];
  const steps = stepsOf(config, forwardedOf);
  const forward = createForwarding({
    identifyDeps,
    rateLimit,
    load,
    requests,
    slowReaders,
    bodyTimeoutMs: config.bodyTimeoutMs,
    compression,
    proxies,
    forwardedOf,
    forwardingProof: forwardingProofOf(config.platform.internalSecret),
    streamCheckIntervalMs: config.streamCheckIntervalMs,
    resourceMetadata: resourceMetadataOf(config),
  });
  const app = createServiceListener(
    {
      service: 'gateway',
      internalSecret: undefined,
      isPublic: true,
      rehearses: true,
      logger,
      metrics: ports.metrics,
      readiness,
      configure(app) {
        app.use(...steps);
        app.use((request, response, next) => {
          const path = pathOf(request.url);
          const own = ownPages.find(({ owns }) => owns(path));
          if (own !== undefined) return own.respond(request, response);
          const route = routeOf(routes, path);
          return route === undefined ? next() : forward(route, request, response, app);
        });
      },
    },
    createDirectHandlers({ routes, steps, forward, isOwn: (path) => ownPages.some(({ owns }) => owns(path)) }),
  );
  let invalidation: { close(): Promise<void> } | undefined;
  return {
    readiness,
    askServices: () => askServices(proxies.upstreams),
    app,
    async start() {
      warnOfInsecurity(insecureSettings(config, safetyOf), logger);
      warnOfLeniency(config, logger);
      invalidation = await attachInvalidation(bus, 'gateway', [tokens.cache, ...verifier.caches], {
        metrics: ports.metrics,
      });
      await proxies.start();
      load.start();
      slowReaders.start();
    },
    async close() {
      await invalidation?.close();
      load.stop();
      slowReaders.stop();
      proxies.close();
    },
  };
}

/** What finds the caller of a request. */
function identifyDepsOf(ports: GatewayPorts, config: GatewayConfig, tokens: TokenCache): IdentifyDeps {
  const { issuer, securityProfile } = config.platform;
  // Shared by all gateways, and exact: a proof is a limit of one request.
  const usedProofs = ports.rateLimits.limiterOf({ name: 'dpop', limit: 1, windowSeconds: PROOF_MEMORY_SECONDS });
  return {
    tokens,
    proofs: createProofCheck({
      issuer,
      isFirstUse: async (key) => (await usedProofs.take(key)).isAllowed,
      clock: ports.clock,
    }),
    verifier: ports.verifier,
    isAnonymousUrl: createUrlMatcher(anonymousUrlPatternsOf({ ...config, paths: config.restPaths })),
    externalIssuer: config.externalIssuer,
    acceptsTokenParameter: securityProfile === 'compatible',
    servicesPrefix: `${config.restPaths.basePath}${config.restPaths.servicesPath}`,
  };
}

/** The steps of every request before it is routed, in their order. */
function stepsOf(config: GatewayConfig, forwardedOf: (request: IncomingMessage) => Forwarded): readonly Step[] {
  const hasTrustedProxies = config.trustedProxies.length > 0;
  const maySpeakTls = hasTrustedProxies || config.tls.certificateFile !== undefined;
  return [
    ...(maySpeakTls && config.hstsMaxAgeMs > 0
      ? [strictTransport({ maxAgeMs: config.hstsMaxAgeMs, hasTrustedProxies, forwardedOf })]
      : []),
    toOriginForm,
    createCors(corsOf(config), forwardedOf),
    limitRequest({ maxUrlLength: config.maxUrlLength, maxBodyBytes: config.maxBodyBytes }),
    refuseWebSocket,
  ];
}

/** The address of the metadata of the API (RFC 9728 §3.1); undefined where the challenge of a 401 does not name it. */
function resourceMetadataOf({ challengeNamesMetadata, platform }: GatewayConfig): string | undefined {
  const isNamed = challengeNamesMetadata ?? platform.securityProfile === 'hardened';
  return isNamed ? `${platform.issuer.replace(/\/+$/, '')}/.well-known/oauth-protected-resource` : undefined;
}

/** The `hardened` profile removes the wildcard origin. */
function corsOf({ cors, platform }: GatewayConfig): GatewayConfig['cors'] {
  if (platform.securityProfile === 'compatible') return cors;
  return { ...cors, allowedOrigins: cors.allowedOrigins.filter((origin) => origin !== '*') };
}

/** Logs what the compatible profile allows for older clients (RFC 9700 §§2.4, 4.3.2). */
function warnOfLeniency({ cors, platform }: GatewayConfig, logger: Logger): void {
  if (platform.securityProfile !== 'compatible') return;
  logger.warn({ property: 'svc.security.profile' }, 'compatible profile: tokens in URLs are accepted');
  if (cors.allowedOrigins.includes('*'))
    logger.warn(
      { property: 'svc.cors.allowed-origins' },
      'compatible profile: scripts of any origin may read responses',
    );
}
