import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from '@lintel/errors';
import { type Logger, type Metrics, traceOfRequest } from '@lintel/telemetry';
import { isDraining, startClosing, startDraining } from '../health/draining.ts';
import { observeConnections } from '../requests/request-metrics.ts';
import { sendError } from '../responses/send-error.ts';
import { hostErrorOf } from './check-host.ts';
import { type ConnectionLimit, limitConnections } from './limit-connections.ts';
import { type Acceptors, openAcceptors } from './open-acceptors.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

/** Where a server has its certificate from. */
export interface TlsSource {
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  /** Certificate chain and private key, PEM. */
  current(): { readonly cert: string; readonly key: string };
  /** The listener is called when there is another pair; connections that exist keep theirs. */
  onChange(listener: () => void): void;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Longest head of a request. Services accept more than the gateway, which adds a JWT. */
  readonly maxHeaderBytes?: number;
  /** Longest target of a request; a head that is too long for its target alone is 414 instead of 431. */
  readonly maxUrlLength?: number;
  /** Longest wait for the head of a request; then 408. */
  readonly headersTimeoutMs?: number;
  /** Silence after which a connection with a request under way is cut; 0, the default, is for ever. */
  readonly silenceMs?: number;
  /** Gets a line for what never became a request, at level `debug`. */
  readonly logger?: Logger;
  /** Without it the server speaks plain HTTP. */
  readonly tls?: TlsSource;
  /** None: an address may have any number of connections. */
  readonly connectionLimit?: ConnectionLimit;
  /** Where connections are counted, and the name of the listener there. */
  readonly observed?: { readonly metrics: Metrics; readonly listener: string } | undefined;
  /**
   * How long `close` goes on as before, for those who choose among replicas to notice: `/health/ready` is 503 and
   * answers close their connections. None, where nobody chooses.
   */
  readonly delayMs?: number;
  /** How long `close` then waits for requests in flight before it cuts them. */
  readonly drainMs?: number;
}

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  /**
   * Waits for `delayMs`, refuses new connections, ends answers without an end (`whenClosing`), finishes requests in
   * flight, closes the rest after `drainMs`.
   */
  close(): Promise<void>;
}

const DEFAULT_MAX_HEADER_BYTES = 32 * 1024;
const DEFAULT_HEADERS_TIMEOUT_MS = 30_000;
const TLS_HANDSHAKE_MS = 10_000;
export const DEFAULT_DRAIN_MS = 10_000;
/** Above the idle time of every client's pool of ours (30 s), so that we never close under a request. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts to serve.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) where the port cannot be had
 */
export async function listen(app: RequestListener, options: ListenOptions): Promise<RunningServer> {
  const server = createServerFor(checkHost(app), options);
  if (options.connectionLimit !== undefined) limitConnections(server, options.connectionLimit);
  // Bytes are limited; without this, headers beyond two thousand would be dropped without a word.
  server.maxHeadersCount = 0;
  server.setTimeout(options.silenceMs ?? 0);
  server.on('checkExpectation', refuseExpectation);
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
    // Node looks at its connections from time to time only.
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeout / 4)),
    // Uploads of any length; a stalled one ends by the silence of its connection.
    requestTimeout: 0,
    // Node would answer with an empty 400.
    requireHostHeader: false,
    noDelay: true,
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

const checkHost =
  (app: RequestListener): RequestListener =>
  (request, response) => {
    const error = hostErrorOf(request);
    if (error === undefined) return app(request, response);
    response.setHeader('Connection', 'close');
    refuse(response, error);
  };

/** RFC 9110 §10.1.1: what nobody can meet is refused; Node alone would do so with an empty body. */
const refuseExpectation: RequestListener = (_request, response) =>
  refuse(response, new PlatformError('REQ_EXPECTATION_FAILED', 'The one expectation that can be met is 100-continue'));

/** Ends what reaches no application, with a trace id of its own. */
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
  // A connection that was busy becomes idle when its answer ends; it must not wait for its keep-alive.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
