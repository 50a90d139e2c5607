import type { RateLimits } from '@lintel/cache';
import { ANONYMOUS, createUrlMatcher } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import type { EventBus, Subscription } from '@lintel/events';
import { bearerToken, createServiceApp, type RemoteTokenVerifier, setRouteTemplate, setUsername } from '@lintel/http';
import { type Logger, parseTraceparent, traceparentOf } from '@lintel/telemetry';
import type { Express, Request, RequestHandler, Response } from 'express';
import { type Compression, createCompression } from './compression/create-compression.ts';
import type { GatewayConfig } from './config.ts';
import { createCors } from './cors/cors.ts';
import { createForwardedReader, type Forwarded } from './forwarded/create-forwarded-reader.ts';
import { setForwardedHeaders } from './forwarded/set-forwarded-headers.ts';
import { followEvents } from './identity/follow-events.ts';
import { type IdentifyDeps, identify } from './identity/identify.ts';
import { type Identity, TokenCache } from './identity/token-cache.ts';
import type { TokenExchange } from './identity/token-exchange.ts';
import { takeTokenParameter } from './identity/token-parameter.ts';
import { limitRequest } from './limits/limit-request.ts';
import { createRateLimit, type RateLimit } from './limits/rate-limit.ts';
import { createProxies, type Proxies } from './proxying/create-proxies.ts';
import { removeHopByHop } from './proxying/hop-by-hop.ts';
import { refuseWebSocket } from './proxying/refuse-web-socket.ts';
import { createRoutes, type Route } from './routing/routes.ts';
import type { HostLookup } from './upstreams/find-addresses.ts';

export interface GatewayPorts {
  /** URL patterns of the application's controllers (`urlPatternsOf`). */
  readonly controllerPatterns?: readonly string[];
  readonly exchange: TokenExchange;
  readonly verifier: RemoteTokenVerifier;
  readonly bus: EventBus;
  readonly rateLimits: RateLimits;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** Finds the addresses of the services' host names. */
  readonly lookup: HostLookup;
}

export interface Gateway {
  readonly app: Express;
  /** Follows the events that end tokens and finds the services; must be done before the first request. */
  start(): Promise<void>;
  /** Ends what `start` began and the connections to the services. The ports belong to the caller. */
  close(): Promise<void>;
}

/**
 * The only public listener: CORS, who calls, which service, forwarding. Keeps no state but caches and
 * never reads a body.
 */
export function createGateway(ports: GatewayPorts, config: GatewayConfig): Gateway {
  const { bus, logger, verifier } = ports;
  const cache = new TokenCache({
    exchange: ports.exchange,
    nowMs: () => ports.clock.now(),
    maxStalenessMs: config.platform.cacheMaxStaleness,
    isConnected: () => bus.isConnected(),
  });
  const compression = createCompression({ codings: config.compression.codings, minBytes: config.compression.minBytes });
  const proxies = createProxies({ ...ports, encode: compression.encode }, config);
  const forwardedOf = createForwardedReader({
    trustedProxies: config.trustedProxies,
    header: config.forwardedHeader,
  });
  const identifyDeps: IdentifyDeps = {
    cache,
    verifier,
    isAnonymousUrl: createUrlMatcher([
      ...config.platform.anonymousUrlPatterns,
      ...config.platform.resourceServerAnonymousUrlPatterns,
    ]),
    acceptsTokenParameter: config.platform.securityProfile === 'compatible',
    servicesPrefix: `${config.restPaths.basePath}${config.restPaths.servicesPath}`,
  };
  const app = createServiceApp({
    service: 'gateway',
    isPublic: true,
    logger,
    readiness: {},
    configure(app) {
      app.use(createCors(corsOf(config), forwardedOf));
      app.use(limitRequest({ maxUrlLength: config.maxUrlLength, maxBodyBytes: config.maxBodyBytes }));
      app.use(refuseWebSocket);
      app.use(
        createForwarding({
          routes: createRoutes(config, ports.controllerPatterns ?? []),
          identifyDeps,
          rateLimit: createRateLimit(ports.rateLimits, config.rateLimits),
          compression,
          proxies,
          forwardedOf,
        }),
      );
    },
  });
  let subscription: Subscription | undefined;
  return {
    app,
    async start() {
      warnOfLeniency(config, logger);
      subscription = await followEvents({ bus, cache, verifier });
      await proxies.start();
    },
    async close() {
      await subscription?.close();
      proxies.close();
    },
  };
}

/** Only origins that are named, where the profile is `hardened`. */
function corsOf({ cors, platform }: GatewayConfig): GatewayConfig['cors'] {
  if (platform.securityProfile === 'compatible') return cors;
  return { ...cors, allowedOrigins: cors.allowedOrigins.filter((origin) => origin !== '*') };
}

/** What the compatible profile lets through for the sake of older clients (RFC 9700 §§2.4, 4.3.2). */
function warnOfLeniency({ cors, platform }: GatewayConfig, logger: Logger): void {
  if (platform.securityProfile !== 'compatible') return;
  logger.warn({ property: 'svc.security.profile' }, 'compatible profile: tokens in URLs are accepted');
  if (cors.allowedOrigins.includes('*'))
    logger.warn({ property: 'svc.cors.allowed-origins' }, 'compatible profile: scripts of any origin are answered');
}

interface ForwardingDeps {
  readonly routes: readonly Route[];
  readonly identifyDeps: IdentifyDeps;
  readonly rateLimit: RateLimit | undefined;
  readonly compression: Compression;
  readonly proxies: Proxies;
  readonly forwardedOf: (request: Request) => Forwarded;
}

/** route → identify → limit → headers → forward. */
function createForwarding(deps: ForwardingDeps): RequestHandler {
  const { routes, identifyDeps, rateLimit, compression, proxies, forwardedOf } = deps;
  return async (request, response, next) => {
    const { path } = request;
    const route = routes.find((candidate) => candidate.matches(path));
    if (route === undefined) return next();
    setRouteTemplate(response, route.template);
    const forwarded = forwardedOf(request);
    if (route.tokens === 'exchange') {
      const identity = await identifyWithin(rateLimit, request, response, forwarded.address, identifyDeps);
      setUsername(response, identity.username);
      request.headers.authorization = `Bearer ${identity.jwt}`;
      // Not for auth: beside what a client chooses, compression would tell the length of secrets (BREACH).
      compression.allow(request);
    } else {
      await rateLimit?.takeAddress(response, forwarded.address);
      moveTokenParameter(request);
    }
    prepareHeaders(request, forwarded);
    return proxies.of[route.upstream].forward(request, response, next, route.silenceMs);
  };
}

/** Counts the request for its caller, or, where no valid token came with it, for its address. */
async function identifyWithin(
  rateLimit: RateLimit | undefined,
  request: Request,
  response: Response,
  address: string,
  deps: IdentifyDeps,
): Promise<Identity> {
  if (rateLimit === undefined) return identify(request, deps);
  let identity: Identity;
  try {
    identity = await identify(request, deps);
  } catch (error) {
    if (isPlatformError(error) && error.status === 401) await rateLimit.takeAddress(response, address);
    throw error;
  }
  if (identity.username === ANONYMOUS) await rateLimit.takeAddress(response, address);
  else await rateLimit.takeCaller(response, identity);
  return identity;
}

/** Towards auth too, a token travels in the header only. */
function moveTokenParameter(request: Request): void {
  const { url, token } = takeTokenParameter(request.url);
  request.url = url;
  if (token !== undefined && token !== '' && bearerToken(request.headers.authorization) === undefined)
    request.headers.authorization ??= `Bearer ${token}`;
}

function prepareHeaders(request: Request, forwarded: Forwarded): void {
  const { headers } = request;
  removeHopByHop(headers);
  delete headers.connection;
  // Already answered with 100 by this server.
  delete headers.expect;
  setForwardedHeaders(headers, forwarded);
  // Entries of a trace that did not come with them say nothing (W3C Trace Context §3.3).
  if (parseTraceparent(String(headers['traceparent'] ?? '')) === undefined) delete headers['tracestate'];
  const traceparent = traceparentOf();
  if (traceparent !== undefined) headers['traceparent'] = traceparent;
}
