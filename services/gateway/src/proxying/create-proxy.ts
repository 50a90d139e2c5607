import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { isPlatformError, type PlatformError } from '@lintel/errors';
import { drainRequest, sendError } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { BodyPace } from '../limits/slow-body.ts';
import type { Replica } from '../upstreams/replica.ts';
import type { ConnectionLease, Upstream } from '../upstreams/upstream.ts';
import { forwardResponse, type ResponseEncoding } from './forward-response.ts';
import { mayRepeat } from './may-repeat.ts';
import { RequestBody } from './stream-body.ts';
import { fromUpstreamError, noAddress, tooBusy, UpstreamTimeout } from './upstream-error.ts';
import type { UpstreamMetrics } from './upstream-metrics.ts';
import { whenConnected } from './when-connected.ts';

export interface ProxyOptions {
  /** Name of the service, for the log. */
  readonly name: string;
  readonly upstream: Upstream;
  readonly logger: Logger;
  readonly upstreamMetrics: UpstreamMetrics;
  readonly clock: { now(): number };
  readonly connectTimeoutMs: number;
  /** Minimum rate of a body; below it the response is 408. */
  readonly bodyPace: BodyPace;
  readonly encode?: ResponseEncoding;
  /** Maximum size of a body of unknown length; above it the response is 413. */
  readonly maxBodyBytes?: number | undefined;
  /** The responses are streams: a failed request is not sent again. */
  readonly isStream?: true;
}

export interface UpstreamProxy {
  /**
   * Forwards a request whose headers are ready; responds with 502, 503 or 504 if no replica does.
   *
   * @param silenceMs maximum time without a byte from the service; then 504
   */
  forward(request: Request, response: Response, next: NextFunction, silenceMs: number): Promise<void>;
}

/** Maximum number of replicas that a request is sent to; the first ones may have stopped. */
const MAX_ATTEMPTS = 3;

/** The state of a request over all its attempts. */
interface Exchange {
  readonly response: ServerResponse;
  readonly silenceMs: number;
  /** Sends the request to `replica`. */
  readonly send: () => Promise<void>;
  readonly tried: Set<Replica>;
  /** Its connection to a replica. */
  lease: ConnectionLease;
  /** When forwarding began. */
  readonly startedAtMs: number;
  attempts: number;
  /** Attempts that were sent over a connection. */
  sent: number;
  upstream: ClientRequest | undefined;
  wasConnected: boolean;
  /** Bytes that the connection had received before this request. */
  bytesBefore: number;
}

/** Not in a `WeakMap`: its entries keep their requests until the next full garbage collection. */
const EXCHANGE = Symbol('exchange');

interface ProxiedRequest extends IncomingMessage {
  [EXCHANGE]?: Exchange;
}

/**
 * A proxy to the replicas of one service over kept-alive connections. Bodies are streamed in both directions and never
 * read; when the client disconnects, the request to the service is destroyed.
 */
export function createProxy(options: ProxyOptions): UpstreamProxy {
  const { upstream: service } = options;
  const plugin: Plugin = (proxy) => {
    proxy.on('proxyReq', (upstream, request: ProxiedRequest) => {
      const exchange = request[EXCHANGE];
      if (exchange !== undefined) watchUpstreamRequest(exchange, upstream, options.connectTimeoutMs);
    });
    proxy.on('proxyRes', (upstreamResponse, request: ProxiedRequest, response) => {
      const exchange = request[EXCHANGE];
      if (exchange !== undefined) {
        updateReplicaHealth(exchange, upstreamResponse, service);
        recordUpstreamTime(exchange, upstreamResponse, options.upstreamMetrics);
      }
      forwardResponse(upstreamResponse, request, response, options.encode);
    });
    proxy.on('error', (error, request: ProxiedRequest | undefined) => {
      const exchange = request?.[EXCHANGE];
      if (request !== undefined && exchange !== undefined) void recover(error, request, exchange, options);
    });
  };
  const middleware = createProxyMiddleware<ProxiedRequest, ServerResponse>({
    // The default plugins send their own error texts and log whole URLs.
    ejectPlugins: true,
    plugins: [plugin],
    selfHandleResponse: true,
    router: (request, _response, proxyOptions) => {
      const { agent, target } = (request[EXCHANGE] as Exchange).lease.replica;
      proxyOptions.agent = agent;
      proxyOptions.buffer = new RequestBody(request, options);
      return target;
    },
  });
  return {
    async forward(request: Request & ProxiedRequest, response, next, silenceMs) {
      const tried = new Set<Replica>();
      const lease = await acquireLease(response, tried, options);
      if (lease === undefined) throw noAddress(options.name);
      if (lease === 'busy') throw tooBusy(options.name);
      if (response.destroyed) return lease.release();
      const exchange: Exchange = {
        response,
        silenceMs,
        send: () => middleware(request, response, next),
        tried,
        lease,
        startedAtMs: performance.now(),
        attempts: 0,
        sent: 0,
        upstream: undefined,
        wasConnected: false,
        bytesBefore: 0,
      };
      request[EXCHANGE] = exchange;
      // Once the request to the service exists, its `close` releases the lease.
      response.once('close', () => {
        if (exchange.upstream === undefined) exchange.lease.release();
      });
      await attempt(exchange);
    },
  };
}

/** Waits while all replicas are busy; 'busy' if that took too long or the client disconnected. */
async function acquireLease(
  response: ServerResponse,
  tried: ReadonlySet<Replica>,
  { upstream }: ProxyOptions,
): Promise<ConnectionLease | 'busy' | undefined> {
  const lease = await upstream.acquire(tried);
  if (lease !== 'busy' || response.destroyed) return lease;
  const clientClosed = new AbortController();
  const abort = () => clientClosed.abort();
  response.once('close', abort);
  const found = await upstream.wait(tried, clientClosed.signal);
  response.off('close', abort);
  return found ?? 'busy';
}

function attempt(exchange: Exchange): Promise<void> {
  exchange.tried.add(exchange.lease.replica);
  exchange.attempts += 1;
  exchange.upstream = undefined;
  exchange.wasConnected = false;
  return exchange.send();
}

/** Attaches timeouts and the end of the lease to a request that has a socket. */
function watchUpstreamRequest(exchange: Exchange, upstream: ClientRequest, connectTimeoutMs: number): void {
  const { silenceMs, lease } = exchange;
  const { socket } = upstream;
  upstream.once('close', () => lease.release());
  if (socket === null) return;
  exchange.upstream = upstream;
  // The proxy would close connections after chunked bodies: an early refusal of the service could be lost then.
  upstream.setHeader('Connection', 'keep-alive');
  upstream.setTimeout(silenceMs, () => upstream.destroy(new UpstreamTimeout('response', silenceMs)));
  const timer = setTimeout(() => upstream.destroy(new UpstreamTimeout('connect', connectTimeoutMs)), connectTimeoutMs);
  const forgetTimer = () => clearTimeout(timer);
  socket.once('close', forgetTimer);
  whenConnected(socket, () => {
    forgetTimer();
    socket.off('close', forgetTimer);
    exchange.wasConnected = true;
    exchange.sent += 1;
    exchange.bytesBefore = socket.bytesRead;
  });
}

/** Records how long the service took, and appends it to the `Server-Timing` of the service where there is one. */
function recordUpstreamTime(
  { startedAtMs }: Exchange,
  upstreamResponse: IncomingMessage,
  upstreamMetrics: UpstreamMetrics,
): void {
  const durationMs = performance.now() - startedAtMs;
  upstreamMetrics.recordResponse(durationMs, upstreamResponse.statusCode);
  const timing = upstreamResponse.headers['server-timing'];
  if (timing !== undefined)
    upstreamResponse.headers['server-timing'] = `${timing}, upstream;dur=${durationMs.toFixed(1)}`;
}

/** Updates the known health of a replica from its response. */
function updateReplicaHealth(
  { lease: { replica } }: Exchange,
  upstreamResponse: IncomingMessage,
  service: Upstream,
): void {
  replica.responded();
  const isClosing = upstreamResponse.headers.connection?.toLowerCase() === 'close';
  if (isClosing) replica.closing();
  // The readiness check distinguishes a replica that cannot serve from one that is overloaded.
  if (isClosing || upstreamResponse.statusCode === 503) service.check(replica);
}

/** Sends a failed request to another replica, or responds with an error. */
async function recover(
  error: Error,
  request: IncomingMessage,
  exchange: Exchange,
  options: ProxyOptions,
): Promise<void> {
  const { response, lease, upstream, wasConnected } = exchange;
  const { replica } = lease;
  lease.release();
  // The client has disconnected, or the response has begun: the proxy itself destroys it if the service fails.
  if (response.headersSent || response.destroyed) return;
  // The request itself is refused, for example because of its body.
  if (isPlatformError(error)) return refuse(error, request, response);
  if (!wasConnected) replica.refused(options.clock.now());
  else if (!(error instanceof UpstreamTimeout)) {
    // If one connection was lost, the idle ones may be lost too.
    replica.closeIdleConnections();
    options.upstream.check(replica);
  }
  const failure = {
    method: request.method ?? '',
    hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
    wasConnected,
    hasResponded: (upstream?.socket?.bytesRead ?? 0) > exchange.bytesBefore,
    isTimeout: error instanceof UpstreamTimeout,
    repeats: exchange.sent - 1,
    isStream: options.isStream === true,
  };
  const next =
    mayRepeat(failure) && exchange.attempts < MAX_ATTEMPTS ? await acquireNextLease(exchange, options) : undefined;
  const line = { upstream: options.name, replica: replica.target, error };
  if (next === undefined || next === 'busy') {
    const refusal = fromUpstreamError(error);
    options.upstreamMetrics.recordResponse(performance.now() - exchange.startedAtMs, undefined);
    options.logger.warn({ ...line, code: refusal.code }, 'upstream request failed');
    return refuse(refusal, request, response);
  }
  options.logger.info({ ...line, next: next.replica.target }, 'upstream request sent again');
  if (response.destroyed) return next.release();
  exchange.lease = next;
  await attempt(exchange);
}

function refuse(error: PlatformError, request: IncomingMessage, response: ServerResponse): void {
  sendError(response, error);
  drainRequest(request);
}

/** A lease at a replica that has not been tried; else, if a kept-alive connection failed, at the same one. */
async function acquireNextLease(
  { response, tried, lease, upstream }: Exchange,
  options: ProxyOptions,
): Promise<ConnectionLease | 'busy' | undefined> {
  const next = await acquireLease(response, tried, options);
  if (next !== undefined || upstream?.reusedSocket !== true) return next;
  tried.delete(lease.replica);
  return acquireLease(response, tried, options);
}
