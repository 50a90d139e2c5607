import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline, type Transform } from 'node:stream';
import { discardRest, sendError } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { RequestHandler } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { removeHopByHop } from './hop-by-hop.ts';
import { fromUpstreamError, UpstreamTimeout } from './upstream-error.ts';

export interface ProxyOptions {
  /** Name of the service, for the log. */
  readonly name: string;
  readonly url: string;
  readonly logger: Logger;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
  /** Sets the headers of an answer that is coded on its way, and returns what its bytes must go through. */
  readonly encode?: (request: IncomingMessage, status: number, headers: IncomingHttpHeaders) => Transform | undefined;
}

export interface UpstreamProxy {
  /** Forwards a request whose headers are ready; answers 502, 503 or 504 where the service fails. */
  readonly forward: RequestHandler;
  close(): void;
}

/** Below the keep-alive of our servers (65 s), so that no request meets a connection being closed. */
const IDLE_CONNECTION_MS = 30_000;

/**
 * A proxy to one service over kept connections. Bodies stream both ways and are never looked at; when the
 * client leaves, the request to the service is destroyed.
 */
export function createProxy(options: ProxyOptions): UpstreamProxy {
  const agentOptions = {
    keepAlive: true,
    maxSockets: options.maxConnections,
    maxFreeSockets: options.maxConnections,
    timeout: IDLE_CONNECTION_MS,
    scheduling: 'lifo' as const,
  };
  const agent = options.url.startsWith('https:') ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const plugin: Plugin = (proxy) => {
    proxy.on('proxyReq', (upstream) => limitTime(upstream, options));
    proxy.on('proxyRes', (answer, request, response) => passAnswer(answer, request, response, options));
    proxy.on('error', (error, request, response) => {
      if (request !== undefined && response !== undefined && 'setHeader' in response)
        refuse(error, request, response, options);
    });
  };
  const forward = createProxyMiddleware({
    target: options.url,
    agent,
    // The plugins that come along write their own error texts and log whole URLs.
    ejectPlugins: true,
    selfHandleResponse: true,
    plugins: [plugin],
    headers: { connection: 'keep-alive' },
  });
  return { forward: forward as unknown as RequestHandler, close: () => agent.destroy() };
}

function limitTime(upstream: ClientRequest, options: ProxyOptions): void {
  const { answerTimeoutMs, connectTimeoutMs } = options;
  upstream.setTimeout(answerTimeoutMs, () => upstream.destroy(new UpstreamTimeout('answer', answerTimeoutMs)));
  const { socket } = upstream;
  if (socket?.connecting !== true) return;
  const timer = setTimeout(() => upstream.destroy(new UpstreamTimeout('connect', connectTimeoutMs)), connectTimeoutMs);
  socket.once('connect', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
}

/** Status, headers and bytes of an answer to the client, at the pace at which the client takes them. */
function passAnswer(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
): void {
  const { headers, statusCode = 502, statusMessage } = answer;
  removeHopByHop(headers);
  // Node frames the body for the client's connection itself.
  delete headers['transfer-encoding'];
  delete headers.connection;
  const encoder = options.encode?.(request, statusCode, headers);
  const vary = response.getHeader('vary');
  if (vary !== undefined) headers.vary = headers.vary === undefined ? String(vary) : `${String(vary)}, ${headers.vary}`;
  // CORS is the gateway's business alone.
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.startsWith('access-control-')) response.setHeader(name, value);
  response.statusCode = statusCode;
  if (statusMessage) response.statusMessage = statusMessage;
  if (!request.complete) response.once('finish', () => discardRest(request));
  if (encoder === undefined) answer.pipe(response);
  else passEncoded(answer, encoder, response);
}

/** Where one of the three breaks off, the others are destroyed: a cut answer never looks complete. */
function passEncoded(answer: IncomingMessage, encoder: Transform, response: ServerResponse): void {
  pipeline(answer, encoder, (error) => {
    if (error) response.destroy();
  });
  response.once('close', () => encoder.destroy());
  encoder.pipe(response);
}

function refuse(error: Error, request: IncomingMessage, response: ServerResponse, options: ProxyOptions): void {
  // The client left, or the answer has begun: then the proxy cuts it itself when the service breaks off.
  if (response.headersSent || response.destroyed) return;
  const refusal = fromUpstreamError(error);
  options.logger.warn({ upstream: options.name, code: refusal.code, error }, 'upstream request failed');
  sendError(response, refusal);
  discardRest(request);
}
