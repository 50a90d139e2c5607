import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryRateLimits, type RateLimits } from '@lintel/cache';
import { loadSettings, processSources } from '@lintel/config';
import { AUDIENCE_REST, type Envelope, type ExchangeRequest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { EventBus } from '@lintel/events';
import { continueWhenRead, createTokenVerifier, listen } from '@lintel/http';
import { createLogger, startMetrics } from '@lintel/telemetry';
import { propertiesOf, type Settled, withConstants } from '@lintel/testkit';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createGateway, type Gateway } from '../src/app.ts';
import { settings } from '../src/config.ts';
import type { TokenExchange } from '../src/identity/token-exchange.ts';
import { serverOptionsOf } from '../src/server-options.ts';
import { openCertificate } from '../src/tls/open-certificate.ts';

/** A fake service that records the requests that it receives. */
export interface FakeUpstream {
  readonly url: string;
  /** The service itself, for a gateway of the same process. */
  readonly listener: RequestListener;
  /** The received requests without readiness checks. */
  readonly seen: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  isReady: boolean;
  close(): Promise<void>;
}

export const ISSUER = 'http://gateway.test';

export interface ListenAddress {
  readonly host?: string;
  readonly port?: number;
}

async function serve(
  listener: RequestListener,
  { host = '127.0.0.1', port = 0 }: ListenAddress = {},
): Promise<{ server: Server; url: string }> {
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  // As the servers of the services: what does not read a body does not ask for it.
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { server, url: `http://${host}:${(server.address() as AddressInfo).port}` };
}

export async function startUpstream(name: string, at?: ListenAddress): Promise<FakeUpstream> {
  const seen: FakeUpstream['seen'] = [];
  const listener: RequestListener = (request, response) => {
    if (request.url === '/health/ready') {
      const checks = { database: upstream.isReady ? 'up' : 'down' };
      response.writeHead(upstream.isReady ? 200 : 503).end(JSON.stringify({ service: name, checks }));
      return;
    }
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    upstream.handle(request, response);
  };
  const { server, url } = await serve(listener, at);
  const upstream: FakeUpstream = {
    url,
    listener,
    seen,
    isReady: true,
    handle: (_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ service: name }));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}

/** A fake of the bus port: the test delivers the events. */
export class FakeBus implements EventBus {
  connected = true;
  #handle: ((envelope: Envelope) => Promise<void>) | undefined;
  #listeners: ((state: 'connected' | 'disconnected') => void)[] = [];

  publish(): Promise<void> {
    return Promise.reject(new Error('the gateway publishes nothing'));
  }
  async subscribe(options: Parameters<EventBus['subscribe']>[0]) {
    this.#handle = options.handle;
    return { close: async () => undefined };
  }
  onConnection(listener: (state: 'connected' | 'disconnected') => void): void {
    this.#listeners.push(listener);
  }
  isConnected(): boolean {
    return this.connected;
  }
  async close(): Promise<void> {}

  async deliver(type: string, data: unknown): Promise<void> {
    await this.#handle?.({
      specversion: '1.0',
      id: 'e1',
      source: '/lintel/auth',
      type,
      time: '2026-11-21T10:00:00Z',
      datacontenttype: 'application/json',
      data,
    });
  }
  setConnected(connected: boolean): void {
    this.connected = connected;
    for (const listener of this.#listeners) listener(connected ? 'connected' : 'disconnected');
  }
}

/**
 * A gateway with fake services, a fake exchange port and a real key pair.
 *
 * @param hosts addresses of host names; read at each lookup
 * @param consoleFolder of the built console
 * @param road whether requests reach the fake services over sockets, or without
 */
export async function startGateway(
  settled: Settled = {},
  rateLimits: RateLimits = createMemoryRateLimits(),
  hosts: Readonly<Record<string, readonly string[]>> = {},
  consoleFolder?: URL,
  road: 'socket' | 'process' = 'socket',
) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const sign = (subject: string, sessionId: string, seconds = 60, audience = AUDIENCE_REST, jti = 'j') =>
    new SignJWT({ client_id: 'client', sid: sessionId })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'at+jwt' })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(jti)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(privateKey);
  const keys = await serve((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  const upstreams = {
    auth: await startUpstream('auth'),
    data: await startUpstream('data'),
    files: await startUpstream('files'),
    reports: await startUpstream('reports'),
  };
  /** Names of JWTs of clients that auth reports as revoked. */
  const revokedJwts = new Set<string>();
  const exchanged: ExchangeRequest[] = [];
  /** Auth responds to tokens that begin with `slow-` only after this is resolved. */
  const slowTokens = Promise.withResolvers<void>();
  /** Sessions that have ended, and tickets with the requests that they are for; a ticket that was used is removed. */
  const endedSessions = new Set<string>();
  const tickets = new Map<string, string>();
  const tokenOf = (request: ExchangeRequest): string => {
    if ('token' in request) return request.token;
    if (!('ticket' in request)) return 'anonymous';
    const target = tickets.get(request.ticket);
    tickets.delete(request.ticket);
    return target === `${request.method} ${request.url}` ? 'opaque-ticket' : 'used';
  };
  const exchange: TokenExchange = {
    async assertSession(sessionId) {
      if (endedSessions.has(sessionId)) throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
    },
    async exchange(request) {
      exchanged.push(request);
      const token = tokenOf(request);
      if (token.startsWith('slow-')) await slowTokens.promise;
      if (token === 'opaque-unknowable') throw new PlatformError('AUTH_UNAVAILABLE', 'The token cannot be checked now');
      if (token === 'expired') throw new PlatformError('AUTH_INVALID_TOKEN', 'Access token expired');
      const { sub, jti, exp = 0 } = token.startsWith('eyJ') ? decodeJwt(token) : { sub: undefined };
      if (sub !== undefined && exp * 1000 < Date.now())
        throw new PlatformError('AUTH_INVALID_TOKEN', 'Access token expired');
      if ((sub === undefined && !/^(anonymous|opaque-|lk_)/.test(token)) || revokedJwts.has(String(jti)))
        throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
      const subject = sub ?? token.replace('opaque-', '');
      return {
        jwt: await sign(subject, `session-${subject}`),
        expiresAt: Math.floor(Date.now() / 1000) + 60,
        sessionId: `session-${subject}`,
        // A token that is bound to the key of this thumbprint.
        ...(subject.startsWith('bound-') && { thumbprint: subject.slice('bound-'.length) }),
      };
    },
  };
  const lines: string[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  const bus = new FakeBus();
  const running = await startMetrics('lintel-gateway');
  const loaded = loadSettings(
    settings,
    processSources({
      environment: {},
      overrides: {
        'svc.gateway.host': '127.0.0.1',
        'svc.gateway.port': '0',
        // Client, gateway and services share this process: a busy test must not look like an overloaded gateway.
        'svc.gateway.max-event-loop-delay': '10m',
        'svc.internal.secret': 'internal',
        'svc.shutdown.delay': '0s',
        'svc.rest.anonymous-url-patterns': '/rest/public/**',
        'svc.rest.authenticated-url-patterns': '/rest/public/**, /rest/docs/**',
        'svc.resource-server.anonymous-url-patterns': '/rest/docs/**',
        'svc.resource-server.authenticated-url-patterns': '/rest/**',
        ...Object.fromEntries(Object.entries(upstreams).map(([name, { url }]) => [`svc.gateway.${name}-url`, url])),
        ...propertiesOf(settled),
      },
    }),
  );
  const config = withConstants(loaded, settled);
  const gateway: Gateway = createGateway(
    {
      exchange,
      bus,
      rateLimits,
      logger,
      metrics: running.metrics,
      verifier: createTokenVerifier({ jwksUrl: keys.url, issuer: ISSUER }),
      clock: { now: () => Date.now() },
      ...(consoleFolder !== undefined && { consoleFolder }),
      ...(road === 'process' && {
        services: Object.fromEntries(Object.entries(upstreams).map(([name, { listener }]) => [name, listener])),
      }),
      lookup: async (hostname) => hosts[hostname] ?? Promise.reject(new Error(`${hostname} is not known`)),
    },
    config,
  );
  await gateway.start();
  const certificate = openCertificate(config.tls, logger, 20);
  const server = await listen(gateway.app, serverOptionsOf(config, certificate, logger, running.metrics));
  return {
    url: server.url,
    port: server.port,
    certificate,
    upstreams,
    exchanged,
    releaseSlowTokens: slowTokens.resolve,
    revokedJwts,
    endedSessions,
    tickets,
    lines,
    bus,
    askServices: () => gateway.askServices(),
    /** In the text format of Prometheus. */
    metrics: () => running.render(),
    sign,
    async close() {
      await server.close();
      certificate?.close();
      await gateway.close();
      await running.close();
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
      await new Promise<void>((resolve) => {
        keys.server.close(() => resolve());
        keys.server.closeAllConnections();
      });
    },
  };
}

export type RunningGateway = Awaited<ReturnType<typeof startGateway>>;

/** Waits until `test` is true; fails after 100 seconds. */
export async function until(test: () => boolean): Promise<void> {
  const endMs = Date.now() + 100_000;
  while (!test()) {
    if (Date.now() > endMs) throw new Error('did not happen within 100 seconds');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A key, a token that the fixture binds to it, and its proofs for GET requests to an address. */
export async function createProvingKey(address: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const thumbprint = await calculateJwkThumbprint(jwk, 'sha256');
  const token = `opaque-bound-${thumbprint}`;
  const proof = ({ iat, ...claims }: Record<string, unknown> & { readonly iat?: number } = {}) =>
    new SignJWT({
      jti: randomUUID(),
      htm: 'GET',
      htu: address,
      ath: createHash('sha256').update(token).digest('base64url'),
      ...claims,
    })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .setIssuedAt(iat)
      .sign(privateKey);
  return { token, proof };
}
