import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isPlatformError, type PlatformError } from '@lintel/errors';
import { cutResponse, drainRequest, sendError } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import { hasBody } from '../limits/has-body.ts';
import type { Replica } from '../upstreams/replica.ts';
import type { ConnectionLease, Upstream } from '../upstreams/upstream.ts';
import { fromUpstreamError, UpstreamTimeout } from './upstream-error.ts';

export interface ExchangeOptions {
  /** Name of the service, for the log. */
  readonly name: string;
  readonly upstream: Upstream;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** The responses are streams: a failed request is not sent again. */
  readonly isStream?: true;
}

/** Maximum number of replicas that a request is sent to; the first ones may have stopped. */
const MAX_ATTEMPTS = 3;

/** The state of a request over all its attempts. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Maximum time without a byte from the service. */
  readonly silenceMs: number;
  /** Sends the request to the replica of the lease; calls `recover` if that fails before the response has begun. */
  readonly send: (exchange: Exchange) => Promise<void> | void;
  /** The body, if the transport holds it: null if there is none. */
  body: Buffer | null | undefined;
  /** Replicas of earlier attempts that failed. */
  tried: ReadonlySet<Replica>;
  /** Its connection to a replica. */
  lease: ConnectionLease;
  /** When forwarding began. */
  readonly startedAtMs: number;
  /** When the current attempt began. */
  attemptedAtMs: number;
  attempts: number;
  /** Attempts that were sent over a connection. */
  sent: number;
  /** Of the current attempt: whether there was a connection. */
  wasConnected: boolean;
  /** Of the current attempt: whether its connection had served another request. */
  wasReused: boolean;
  /** Of the current attempt: whether bytes of a response have arrived. */
  hasResponded: boolean;
}

/** Waits while all replicas are busy; 'busy' if that took too long or the client disconnected. */
export async function acquireLease(
  response: ServerResponse,
  tried: ReadonlySet<Replica>,
  { upstream }: Pick<ExchangeOptions, 'upstream'>,
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

/** Sends the request to the replica of its lease. */
export function attempt(exchange: Exchange): Promise<void> | void {
  if (exchange.attempts > 0) exchange.attemptedAtMs = performance.now();
  exchange.attempts += 1;
  exchange.wasConnected = false;
  exchange.wasReused = false;
  exchange.hasResponded = false;
  return exchange.send(exchange);
}

/**
 * Records the time and the health of the replica when its response begins. Appends the time to the `Server-Timing` of
 * the service if there is one.
 */
export function noteResponse(
  { request, startedAtMs, attemptedAtMs, lease: { replica } }: Exchange,
  status: number,
  headers: IncomingHttpHeaders,
  { upstream }: ExchangeOptions,
): void {
  replica.responded();
  const isClosing = headers.connection?.toLowerCase() === 'close';
  if (isClosing) replica.closing();
  // The readiness check distinguishes a replica that cannot serve from one that is overloaded.
  if (isClosing || status === 503) upstream.check(replica);
  const nowMs = performance.now();
  replica.calls.responded(request.method ?? '', status, nowMs - attemptedAtMs);
  const timing = headers['server-timing'];
  if (timing !== undefined) headers['server-timing'] = `${timing}, upstream;dur=${(nowMs - startedAtMs).toFixed(1)}`;
}

/** Cuts the response of a service that broke off. */
export function breakOff(
  error: Error,
  { response, lease }: Exchange,
  { logger, name }: Pick<ExchangeOptions, 'logger' | 'name'>,
): void {
  if (response.destroyed) return;
  logger.warn(
    { upstream: name, replica: lease.replica.target, error, cut: true },
    'the response of a service broke off',
  );
  cutResponse(response);
}

/** Sends a failed request to another replica, or responds with an error. */
export async function recover(error: Error, exchange: Exchange, options: ExchangeOptions): Promise<void> {
  const { request, response, lease, wasConnected } = exchange;
  const { replica } = lease;
  exchange.tried = new Set(exchange.tried).add(replica);
  lease.release();
  // The client has disconnected.
  if (response.destroyed) return;
  if (response.headersSent) return breakOff(error, exchange, options);
  // The request itself is refused, for example because of its body.
  if (isPlatformError(error)) return refuse(error, exchange);
  replica.calls.failed(request.method ?? '', error, performance.now() - exchange.attemptedAtMs);
  if (!wasConnected) replica.refused(options.clock.now());
  else if (!(error instanceof UpstreamTimeout)) {
    // If one connection was lost, the idle ones may be lost too.
    replica.closeIdleConnections();
    options.upstream.check(replica);
  }
  const failure = {
    method: request.method ?? '',
    hasBody: hasBody(request),
    wasConnected,
    hasResponded: exchange.hasResponded,
    isTimeout: error instanceof UpstreamTimeout,
    repeats: exchange.sent - 1,
    isStream: options.isStream === true,
  };
  const next =
    mayRepeat(failure) && exchange.attempts < MAX_ATTEMPTS ? await acquireNextLease(exchange, options) : undefined;
  const line = { upstream: options.name, replica: replica.target, error };
  if (next === undefined || next === 'busy') {
    const refusal = fromUpstreamError(error);
    options.logger.warn({ ...line, code: refusal.code }, 'upstream request failed');
    return refuse(refusal, exchange);
  }
  options.logger.info({ ...line, next: next.replica.target }, 'upstream request sent again');
  if (response.destroyed) return next.release();
  exchange.lease = next;
  await attempt(exchange);
}

function refuse(error: PlatformError, { request, response }: Exchange): void {
  sendError(response, error);
  drainRequest(request);
}

/** A lease at a replica that has not been tried; else, if a kept-alive connection failed, at the same one. */
async function acquireNextLease(
  { response, tried, lease, wasReused }: Exchange,
  options: ExchangeOptions,
): Promise<ConnectionLease | 'busy' | undefined> {
  const next = await acquireLease(response, tried, options);
  if (next !== undefined || !wasReused) return next;
  const others = new Set(tried);
  others.delete(lease.replica);
  return acquireLease(response, others, options);
}

/** A request that failed at a replica before its response began. */
export interface Failure {
  readonly method: string;
  readonly hasBody: boolean;
  /** Whether there was a connection, so that the service may have received the request. */
  readonly wasConnected: boolean;
  /** Whether bytes of a response arrived, valid or not. */
  readonly hasResponded: boolean;
  /** Whether the service was too slow: another replica would not be faster. */
  readonly isTimeout: boolean;
  /** How many times the request was sent over a connection before. */
  readonly repeats: number;
  /** Whether its response is a stream: the client reconnects by itself. */
  readonly isStream: boolean;
}

/**
 * Whether a failed request may be sent to another replica: any request that has certainly not reached a service;
 * GET and HEAD, which change nothing, once.
 */
export function mayRepeat(failure: Failure): boolean {
  if (!failure.wasConnected) return true;
  const isSafe = (failure.method === 'GET' || failure.method === 'HEAD') && !failure.hasBody && !failure.isStream;
  return isSafe && !failure.hasResponded && !failure.isTimeout && failure.repeats === 0;
}
