import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { isPlatformError, type PlatformError } from '@lintel/errors';
import { drainRequest, sendError } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { BodyPace } from '../limits/slow-body.ts';
import type { Replica } from '../upstreams/replica.ts';
import type { Place, Upstream } from '../upstreams/upstream.ts';
import { mayRepeat } from './may-repeat.ts';
import { type AnswerEncoding, passAnswer } from './pass-answer.ts';
import { RequestBody } from './stream-body.ts';
import { fromUpstreamError, noAddress, tooBusy, UpstreamTimeout } from './upstream-error.ts';
import type { UpstreamMetrics } from './upstream-metrics.ts';
import { whenConnected } from './when-connected.ts';

export interface ProxyOptions {
  /** Name of the service, for the log. */
  readonly name: string;
  readonly upstream: Upstream;
  readonly logger: Logger;
  readonly measured: UpstreamMetrics;
  readonly clock: { now(): number };
  readonly connectTimeoutMs: number;
  /** How fast a body must arrive; else 408. */
  readonly bodyPace: BodyPace;
  readonly encode?: AnswerEncoding;
  /** Longest body of untold length; then 413. */
  readonly maxBodyBytes?: number | undefined;
  /** Answers have no end: none is asked for again. */
  readonly isStream?: true;
}

export interface UpstreamProxy {
  /**
   * Forwards a request whose headers are ready; answers 502, 503 or 504 where no replica answers.
   *
   * @param silenceMs longest time without a byte from the service; then 504
   */
  forward(request: Request, response: Response, next: NextFunction, silenceMs: number): Promise<void>;
}

/** How often a request is given to a replica at the most; the first ones may have been gone. */
const MOST_ATTEMPTS = 3;

/** A client's request on its way to a replica, and to the next one. */
interface Exchange {
  readonly response: ServerResponse;
  readonly silenceMs: number;
  /** Sends the request to `replica`. */
  readonly send: () => Promise<void>;
  readonly tried: Set<Replica>;
  /** The connection that it takes at a replica. */
  place: Place;
  /** When it came here. */
  readonly startedAtMs: number;
  attempts: number;
  /** Attempts that had a connection. */
  sent: number;
  upstream: ClientRequest | undefined;
  wasConnected: boolean;
  /** What had come over the connection before this request. */
  bytesBefore: number;
}

/**
 * A proxy to the replicas of one service over kept connections. Bodies stream both ways and are never looked at;
 * when the client leaves, the request to the service is destroyed.
 */
export function createProxy(options: ProxyOptions): UpstreamProxy {
  const { upstream: service } = options;
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const plugin: Plugin = (proxy) => {
    proxy.on('proxyReq', (upstream, request) => {
      const exchange = exchanges.get(request);
      if (exchange !== undefined) follow(exchange, upstream, options.connectTimeoutMs);
    });
    proxy.on('proxyRes', (answer, request, response) => {
      const exchange = exchanges.get(request);
      if (exchange !== undefined) {
        updateReplicaHealth(exchange, answer, service);
        recordUpstreamTime(exchange, answer, options.measured);
      }
      passAnswer(answer, request, response, options.encode);
    });
    proxy.on('error', (error, request) => {
      const exchange = request === undefined ? undefined : exchanges.get(request);
      if (request !== undefined && exchange !== undefined) void recover(error, request, exchange, options);
    });
  };
  const middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({
    // The plugins that come along write their own error texts and log whole URLs.
    ejectPlugins: true,
    plugins: [plugin],
    selfHandleResponse: true,
    router: (request, _response, proxyOptions) => {
      const { agent, target } = (exchanges.get(request) as Exchange).place.replica;
      proxyOptions.agent = agent;
      proxyOptions.buffer = new RequestBody(request, options);
      return target;
    },
  });
  return {
    async forward(request, response, next, silenceMs) {
      const tried = new Set<Replica>();
      const place = await placeFor(response, tried, options);
      if (place === undefined) throw noAddress(options.name);
      if (place === 'busy') throw tooBusy(options.name);
      if (response.destroyed) return place.end();
      const exchange: Exchange = {
        response,
        silenceMs,
        send: () => middleware(request, response, next),
        tried,
        place,
        startedAtMs: performance.now(),
        attempts: 0,
        sent: 0,
        upstream: undefined,
        wasConnected: false,
        bytesBefore: 0,
      };
      exchanges.set(request, exchange);
      // From the moment on when there is a request to the service, its end counts.
      response.once('close', () => {
        if (exchange.upstream === undefined) exchange.place.end();
      });
      await attempt(exchange);
    },
  };
}

/** Waits where everybody is busy; 'busy' when that took too long, or the client left. */
async function placeFor(
  response: ServerResponse,
  tried: ReadonlySet<Replica>,
  { upstream }: ProxyOptions,
): Promise<Place | 'busy' | undefined> {
  const place = await upstream.take(tried);
  if (place !== 'busy' || response.destroyed) return place;
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  response.once('close', leave);
  const found = await upstream.wait(tried, leaving.signal);
  response.off('close', leave);
  return found ?? 'busy';
}

function attempt(exchange: Exchange): Promise<void> {
  exchange.tried.add(exchange.place.replica);
  exchange.attempts += 1;
  exchange.upstream = undefined;
  exchange.wasConnected = false;
  return exchange.send();
}

/** Watches a request from the moment on when it has a socket. */
function follow(exchange: Exchange, upstream: ClientRequest, connectTimeoutMs: number): void {
  const { silenceMs, place } = exchange;
  const { socket } = upstream;
  upstream.once('close', () => place.end());
  if (socket === null) return;
  exchange.upstream = upstream;
  // The proxy would close connections behind chunked bodies: then an early refusal could get lost under the body.
  upstream.setHeader('Connection', 'keep-alive');
  upstream.setTimeout(silenceMs, () => upstream.destroy(new UpstreamTimeout('answer', silenceMs)));
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

/** How long the service took, for whoever measures; told to the client behind what the service itself tells. */
function recordUpstreamTime({ startedAtMs }: Exchange, answer: IncomingMessage, measured: UpstreamMetrics): void {
  const durationMs = performance.now() - startedAtMs;
  measured.answered(durationMs, answer.statusCode);
  const timing = answer.headers['server-timing'];
  if (timing !== undefined) answer.headers['server-timing'] = `${timing}, upstream;dur=${durationMs.toFixed(1)}`;
}

/** What an answer tells of its replica. */
function updateReplicaHealth({ place: { replica } }: Exchange, answer: IncomingMessage, service: Upstream): void {
  replica.answered();
  const isClosing = answer.headers.connection?.toLowerCase() === 'close';
  if (isClosing) replica.closing();
  // It may be one that cannot serve, as opposed to one that has too much to do; its readiness tells.
  if (isClosing || answer.statusCode === 503) service.check(replica);
}

/** Sends a failed request to another replica, or refuses it. */
async function recover(
  error: Error,
  request: IncomingMessage,
  exchange: Exchange,
  options: ProxyOptions,
): Promise<void> {
  const { response, place, upstream, wasConnected } = exchange;
  const { replica } = place;
  place.end();
  // The client left, or the answer has begun: then the proxy cuts it itself when the service breaks off.
  if (response.headersSent || response.destroyed) return;
  // The request itself is at fault.
  if (isPlatformError(error)) return refuse(error, request, response);
  if (!wasConnected) replica.refused(options.clock.now());
  else if (!(error instanceof UpstreamTimeout)) {
    // Where one connection broke, those that wait beside it may be as dead.
    replica.closeIdleConnections();
    options.upstream.check(replica);
  }
  const failure = {
    method: request.method ?? '',
    hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
    wasConnected,
    hasAnswered: (upstream?.socket?.bytesRead ?? 0) > exchange.bytesBefore,
    isTimeout: error instanceof UpstreamTimeout,
    repeats: exchange.sent - 1,
    isStream: options.isStream === true,
  };
  const next = mayRepeat(failure) && exchange.attempts < MOST_ATTEMPTS ? await nextPlace(exchange, options) : undefined;
  const line = { upstream: options.name, replica: replica.target, error };
  if (next === undefined || next === 'busy') {
    const refusal = fromUpstreamError(error);
    options.measured.answered(performance.now() - exchange.startedAtMs, undefined);
    options.logger.warn({ ...line, code: refusal.code }, 'upstream request failed');
    return refuse(refusal, request, response);
  }
  options.logger.info({ ...line, next: next.replica.target }, 'upstream request sent again');
  if (response.destroyed) return next.end();
  exchange.place = next;
  await attempt(exchange);
}

function refuse(error: PlatformError, request: IncomingMessage, response: ServerResponse): void {
  sendError(response, error);
  drainRequest(request);
}

/** At one that has not failed the request; or at the same, whose kept connection may merely have been an old one. */
async function nextPlace(
  { response, tried, place, upstream }: Exchange,
  options: ProxyOptions,
): Promise<Place | 'busy' | undefined> {
  const next = await placeFor(response, tried, options);
  if (next !== undefined || upstream?.reusedSocket !== true) return next;
  tried.delete(place.replica);
  return placeFor(response, tried, options);
}
