import { isUtf8 } from 'node:buffer';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from '@lintel/errors';
import { type Logger, type Metrics, traceOfRequest } from '@lintel/telemetry';
import { isDraining, startClosing, startDraining } from '../health/draining.ts';
import { networkOf } from '../requests/addresses/network-of.ts';
import { continueWhenRead } from '../requests/body/await-continue.ts';
import { observeConnections } from '../requests/observing/request-metrics.ts';
import { isHost } from '../requests/urls/is-host.ts';
import { sendError } from '../responses/send-error.ts';
import { type Acceptors, openAcceptors } from './open-acceptors.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

/** Source of the certificate of a server. */
export interface TlsSource {
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  /** Certificate chain and private key, PEM. */
  current(): { readonly cert: string; readonly key: string };
  /** The listener is called when the pair has changed; existing connections keep the former one. */
  onChange(listener: () => void): void;
}

/** Where a server listens, its limits for requests, and how it closes. */
export interface ListenOptions {
  readonly host: string;
  /** 0: the system chooses. */
  readonly port: number;
  /** Maximum size of the head of a request. Services accept more than the gateway, which adds a JWT. */
  readonly maxHeaderBytes?: number;
  /** Maximum length of a request target; a head that is too large because of its target returns 414 instead of 431. */
  readonly maxUrlLength?: number;
  /** Maximum wait for the head of a request; then 408. */
  readonly headersTimeoutMs?: number;
  /** Idle time after which a connection with a request in flight is closed; 0, the default, means no limit. */
  readonly silenceMs?: number;
  /** Logs input that is not a valid request, at level `debug`. */
  readonly logger?: Logger;
  /** Without it the server speaks plain HTTP. */
  readonly tls?: TlsSource;
  /** Undefined: no limit. */
  readonly connectionLimit?: ConnectionLimit;
  /**
   * Whether the streams of requests without a body have ended before the application gets them, and emit nothing. That
   * takes less time and memory, for applications that read no body which is not announced. Node before 24.12 ignores it.
   */
  readonly endsEmptyRequests?: boolean;
  /** Metrics of connections, and the name of the listener in them. */
  readonly observed?: { readonly metrics: Metrics; readonly listener: string } | undefined;
  /**
   * How long `close` continues to serve, so that load balancers can notice: `/health/ready` returns 503 and responses close
   * their connections. Undefined if there is no load balancer.
   */
  readonly delayMs?: number;
  /** How long `close` then waits for requests in flight before it closes their connections. */
  readonly drainMs?: number;
}

/** A server that accepts connections. */
export interface RunningServer {
  readonly port: number;
  readonly url: string;
  /**
   * Waits for `delayMs`, refuses new connections, ends streams (`whenClosing`), finishes requests in flight, and closes
   * the remaining connections after `drainMs`.
   */
  close(): Promise<void>;
}

const DEFAULT_MAX_HEADER_BYTES = 32 * 1024;
const DEFAULT_HEADERS_TIMEOUT_MS = 30_000;
const TLS_HANDSHAKE_MS = 10_000;
export const DEFAULT_DRAIN_MS = 10_000;
/** Longer than the idle timeout of all our connection pools (30 s), so that the server never closes one in use. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts to serve.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) if the port is not available
 */
export async function listen(app: RequestListener, options: ListenOptions): Promise<RunningServer> {
  const server = createServerFor(checkHead(app), options);
  if (options.connectionLimit !== undefined) limitConnections(server, options.connectionLimit);
  // The size is limited instead: Node would silently drop headers above two thousand.
  server.maxHeadersCount = 0;
  server.setTimeout(options.silenceMs ?? 0);
  server.on('checkExpectation', refuseExpectation);
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, options));
  server.prependListener('request', (_request, response) => {
    if (isDraining(app)) response.shouldKeepAlive = false;
  });
  const { host: address, port: wanted, tls, observed } = options;
  const acceptors = await openAcceptors(server, { host: address, port: wanted, isTls: tls !== undefined });
  if (observed !== undefined) observeConnections(observed.metrics, observed.listener, acceptors);
  const { port } = acceptors;
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}`,
    close: () => closeServer(app, server, acceptors, options),
  };
}

function createServerFor(app: RequestListener, { tls, ...options }: ListenOptions): Server {
  const headersTimeout = options.headersTimeoutMs ?? DEFAULT_HEADERS_TIMEOUT_MS;
  const serverOptions: ServerOptions = {
    maxHeaderSize: options.maxHeaderBytes ?? DEFAULT_MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout,
    // Node checks timeouts of connections only at this interval.
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeout / 4)),
    // No limit for long uploads; a stalled one ends after the idle time of its connection.
    requestTimeout: 0,
    // Node would respond with an empty 400.
    requireHostHeader: false,
    noDelay: true,
    optimizeEmptyRequests: options.endsEmptyRequests === true,
  };
  if (tls === undefined) return createServer(serverOptions, app);
  const secureOptions = () => ({ ...tls.current(), minVersion: tls.minVersion });
  const server: TlsServer = createTlsServer(
    { ...serverOptions, ...secureOptions(), handshakeTimeout: TLS_HANDSHAKE_MS },
    app,
  );
  tls.onChange(() => server.setSecureContext(secureOptions()));
  return server;
}

const checkHead =
  (app: RequestListener): RequestListener =>
  (request, response) => {
    const error = hostErrorOf(request) ?? framingErrorOf(request) ?? queryErrorOf(request);
    if (error === undefined) return app(request, response);
    response.setHeader('Connection', 'close');
    refuse(response, error);
  };

/** Refuses an unknown expectation (RFC 9110 §10.1.1) in the form of the API; Node would send an empty body. */
const refuseExpectation: RequestListener = (_request, response) =>
  refuse(response, new PlatformError('REQ_EXPECTATION_FAILED', 'The one expectation that can be met is 100-continue'));

/** Refuses a request before it reaches the application, with a trace id of its own. */
function refuse(response: ServerResponse, error: PlatformError): void {
  response.setHeader('X-Trace-Id', traceOfRequest(undefined).traceId);
  sendError(response, error);
}

async function closeServer(
  app: RequestListener,
  server: Server,
  acceptors: Acceptors,
  options: ListenOptions,
): Promise<void> {
  const { delayMs = 0, drainMs = DEFAULT_DRAIN_MS } = options;
  startDraining(app);
  if (!server.listening) return;
  if (delayMs > 0) await sleep(delayMs);
  startClosing(app);
  const closed = acceptors.close();
  server.closeIdleConnections();
  // A busy connection becomes idle when its response ends; it must not stay open until its keep-alive timeout.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}

/**
 * The error of a request whose length other servers may read in another way (RFC 9112 §6.1): a proxy in front would send
 * two requests, or half of one. Node itself refuses a second length, and a coding after `chunked`.
 */
function framingErrorOf({ headers, httpVersion }: IncomingMessage): PlatformError | undefined {
  const { 'transfer-encoding': coding } = headers;
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0') return invalid('A request of HTTP/1.0 cannot have the header Transfer-Encoding');
  return coding.toLowerCase() === 'chunked' ? undefined : invalid('The header Transfer-Encoding must be chunked');
}

const invalid = (details: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', details);

/** Encoded bytes, or bytes as they are, beyond ASCII. */
const BEYOND_ASCII = /%[89a-f][0-9a-f]|[\u0080-\uffff]/i;
const ENCODED = /%([0-9a-f]{2})/gi;

/** The error of a request with a query string whose bytes are not UTF-8: parameters would silently have other values. */
export function queryErrorOf({ url = '' }: { readonly url?: string | undefined }): PlatformError | undefined {
  const start = url.indexOf('?');
  if (start < 0 || !BEYOND_ASCII.test(url)) return undefined;
  for (const pair of url.slice(start + 1).split('&')) {
    const bytes = pair.replace(ENCODED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
    if (isUtf8(Buffer.from(bytes, 'latin1'))) continue;
    const name = /^[\w.-]{1,100}/.exec(pair)?.[0] ?? '';
    return new PlatformError('REQ_INVALID_PARAMETER', `Parameter '${name}' is not text in UTF-8`);
  }
  return undefined;
}

/**
 * The error of a request whose `Host` is invalid (RFC 9112 §3.2): missing in HTTP/1.1, repeated, or not a host. An
 * empty one is allowed: the client has no host.
 */
function hostErrorOf(request: IncomingMessage): PlatformError | undefined {
  const { host } = request.headers;
  if (host === undefined) return request.httpVersion === '1.0' ? undefined : invalid('The request has no Host header');
  if (host !== '' && !isHost(host)) return invalid('The Host header is not a host name or address');
  const { rawHeaders } = request;
  let count = 0;
  // `request.headers` has only the first one.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? invalid('The request has more than one Host header') : undefined;
}

/** Limits the connections of one address. */
interface ConnectionLimit {
  readonly maxPerAddress: number;
  /** Addresses without a limit, such as those of proxies. */
  readonly isExempt: (address: string) => boolean;
  readonly onRefused?: () => void;
}

/** Closes new connections of an address that has the maximum. The first 64 bits of IPv6 count as one address. */
function limitConnections(server: Server, { maxPerAddress, isExempt, onRefused }: ConnectionLimit): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket) => {
    const remote = socket.remoteAddress ?? '';
    const address = networkOf(remote);
    const count = open.get(address) ?? 0;
    if (count >= maxPerAddress && !isExempt(remote)) {
      socket.destroy();
      onRefused?.();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
