import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { cutResponse } from '@lintel/http';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { breakOff, type Exchange, type ExchangeOptions, noteResponse, recover } from './exchange.ts';
import { forwardResponse, type ResponseEncoding } from './forward-response.ts';
import { type BodyLimits, RequestBody } from './stream-body.ts';
import { UpstreamTimeout } from './upstream-error.ts';
import { whenConnected } from './when-connected.ts';

export interface StreamingOptions extends ExchangeOptions, BodyLimits {
  readonly connectTimeoutMs: number;
  readonly encode?: ResponseEncoding;
}

/** The current attempt to send a request. */
interface Sending {
  readonly exchange: Exchange;
  upstream: ClientRequest | undefined;
  /** Bytes that the connection had received before this request. */
  bytesBefore: number;
}

/** Not in a `WeakMap`: its entries keep their requests until the next full garbage collection. */
const SENDING = Symbol('sending');

interface ProxiedRequest extends IncomingMessage {
  [SENDING]?: Sending;
}

/**
 * Sends requests by http-proxy-middleware. Bodies are streamed in both directions and never read; when the client
 * disconnects, the request to the service is destroyed.
 */
export function createStreamingTransport(
  options: StreamingOptions,
): (request: IncomingMessage, response: ServerResponse) => Exchange['send'] {
  const plugin: Plugin = (proxy) => {
    proxy.on('proxyReq', (upstream, request: ProxiedRequest) => {
      const sending = request[SENDING];
      if (sending !== undefined) watchUpstreamRequest(sending, upstream, options.connectTimeoutMs);
    });
    proxy.on('proxyRes', (upstreamResponse, request: ProxiedRequest, response) => {
      const exchange = request[SENDING]?.exchange;
      if (exchange !== undefined)
        // Responses to a client have a status.
        noteResponse(exchange, upstreamResponse.statusCode as number, upstreamResponse.headers, options);
      forwardResponse(upstreamResponse, request, response, options.encode, (error) => {
        if (exchange === undefined) cutResponse(response);
        else breakOff(error, exchange, options);
      });
    });
    proxy.on('error', (error, request: ProxiedRequest | undefined) => {
      const sending = request?.[SENDING];
      if (sending === undefined) return;
      const { exchange, upstream, bytesBefore } = sending;
      exchange.wasReused = upstream?.reusedSocket === true;
      exchange.hasResponded = (upstream?.socket?.bytesRead ?? 0) > bytesBefore;
      void recover(error, exchange, options);
    });
  };
  const middleware = createProxyMiddleware<ProxiedRequest, ServerResponse>({
    // The default plugins send their own error texts and log whole URLs.
    ejectPlugins: true,
    plugins: [plugin],
    selfHandleResponse: true,
    router: (request, _response, proxyOptions) => {
      const { agent, target } = (request[SENDING] as Sending).exchange.lease.replica;
      proxyOptions.agent = agent;
      proxyOptions.buffer = new RequestBody(request, options);
      return target;
    },
  });
  return (request: ProxiedRequest, response) => (exchange) => {
    if (request[SENDING] === undefined)
      // Once the request to the service exists, its `close` releases the lease.
      response.once('close', () => {
        if (request[SENDING]?.upstream === undefined) exchange.lease.release();
      });
    request[SENDING] = { exchange, upstream: undefined, bytesBefore: 0 };
    return middleware(request, response, (error?: unknown) => {
      if (error instanceof Error) void recover(error, exchange, options);
    });
  };
}

/** Attaches timeouts and the end of the lease to a request that has a socket. */
function watchUpstreamRequest(sending: Sending, upstream: ClientRequest, connectTimeoutMs: number): void {
  const { exchange } = sending;
  const { silenceMs, lease } = exchange;
  const { socket } = upstream;
  upstream.once('close', () => lease.release());
  if (socket === null) return;
  sending.upstream = upstream;
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
    sending.bytesBefore = socket.bytesRead;
  });
}
