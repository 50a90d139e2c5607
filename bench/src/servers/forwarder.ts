/**
 * The least that a gateway of one's own would have: `node:http`, undici, a table of tokens, replaced headers and an
 * access log.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { createRequestLog } from '../yardsticks/request-log.ts';
import { announce } from './announce.ts';
import { readServerSettings } from './server-settings.ts';

const given = readServerSettings();
const upstream = new Pool(given.upstreamUrl ?? '', { pipelining: 1, keepAliveTimeout: 30_000 });
const log = createRequestLog('forwarder');
/** The token for the service by the header of the client. */
const identities = new Map(given.tokens.map((token) => [`Bearer ${token}`, `Bearer ${token}`]));
const REPLACED = new Set(['authorization', 'connection', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']);

function headersOf({ headers, socket }: IncomingMessage, authorization: string): string[] {
  const all = ['authorization', authorization, 'x-forwarded-for', socket.remoteAddress ?? ''];
  all.push('x-forwarded-host', headers.host ?? '', 'x-forwarded-proto', 'http');
  for (const name in headers) if (!REPLACED.has(name)) all.push(name, String(headers[name]));
  return all;
}

function responseHandler(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, headers: IncomingHttpHeaders) {
      const { connection, 'keep-alive': keepAlive, ...forwarded } = headers;
      response.writeHead(status, forwarded);
    },
    onResponseData(controller, chunk) {
      if (response.write(chunk)) return;
      controller.pause();
      response.once('drain', () => controller.resume());
    },
    onResponseEnd() {
      response.end();
    },
    onResponseError(_controller, error) {
      log.error(error);
      response.destroy();
    },
  };
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const startedMs = performance.now();
  const { method = '', url: path = '' } = request;
  response.once('finish', () => log.note(method, '/**', response.statusCode, startedMs));
  const identity = identities.get(request.headers.authorization ?? '');
  if (identity === undefined) {
    response.writeHead(401).end();
    return;
  }
  const hasBody = Number(request.headers['content-length'] ?? 0) > 0;
  upstream.dispatch(
    { path, method, headers: headersOf(request, identity), body: hasBody ? request : null },
    responseHandler(response),
  );
});
server.listen(0, '127.0.0.1', () => announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
