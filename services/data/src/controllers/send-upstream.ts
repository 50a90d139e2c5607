import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { PlatformError } from '@lintel/errors';
import { drainRequest, sendStream } from '@lintel/http';
import type { Request, RequestHandler, Response } from 'express';

/** Maximum time without data from an upstream. */
const SILENCE_MS = 300_000;
const CONNECTIONS = 64;

/** Headers that apply to a single connection (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const NOT_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/**
 * Forwards requests to a server of the application, with streamed bodies. The request keeps its path
 * and query; the `Authorization` header is the token that this service has verified.
 *
 * @param url address of the server; its path, if any, is added before that of the request
 */
export function sendUpstream(url: string): RequestHandler {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: CONNECTIONS };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const prefix = target.pathname.replace(/\/$/, '');
  return async (request, response) => {
    const outgoing = (isSecure ? httpsRequest : httpRequest)({
      protocol: target.protocol,
      hostname: target.hostname,
      port: target.port,
      agent,
      method: request.method,
      path: `${prefix}${request.originalUrl}`,
      headers: { ...passedHeaders(request), host: target.host },
      timeout: SILENCE_MS,
    });
    outgoing.once('timeout', () => outgoing.destroy(new UpstreamSilent()));
    response.once('close', () => outgoing.destroy());
    const received = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      // Stays registered after the response: an error event without a listener would end the process.
      outgoing.on('error', reject);
    });
    // Not a pipeline: if the upstream fails, the client's connection is still needed for the error response.
    request.pipe(outgoing);
    try {
      await sendResponse(response, await received);
    } catch (error) {
      if (!response.destroyed) throw upstreamError(error);
    } finally {
      request.unpipe(outgoing);
      drainRequest(request);
    }
  };
}

function passedHeaders(request: Request): Record<string, string | readonly string[]> {
  const named = new Set((request.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const isFramed =
    request.headers['content-length'] === undefined && request.headers['transfer-encoding'] !== undefined;
  const passed = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined || HOP_BY_HOP.has(name) || (named.has(name) && name !== 'authorization')
      ? []
      : [[name, value] as const],
  );
  return { ...Object.fromEntries(passed), ...(isFramed ? { 'transfer-encoding': 'chunked' } : {}) };
}

async function sendResponse(response: Response, upstreamResponse: IncomingMessage): Promise<void> {
  response.statusCode = upstreamResponse.statusCode ?? 502;
  for (const [name, value] of Object.entries(upstreamResponse.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
  }
  await sendStream(response, upstreamResponse);
}

class UpstreamSilent extends Error {}

function upstreamError(error: unknown): PlatformError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (error instanceof UpstreamSilent)
    return new PlatformError('GATEWAY_UPSTREAM_TIMEOUT', 'The service did not respond in time', { cause: error });
  if (NOT_REACHED.has(code))
    return new PlatformError('GATEWAY_UPSTREAM_UNAVAILABLE', 'The service cannot be reached', { cause: error });
  return new PlatformError('GATEWAY_UPSTREAM_FAILED', 'The service broke off', { cause: error });
}
