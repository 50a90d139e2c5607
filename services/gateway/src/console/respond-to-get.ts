import type { IncomingMessage, ServerResponse } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { drainRequest } from '@lintel/http';

const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Responds to OPTIONS; returns whether the request is to be served. @throws PlatformError with `Allow` */
export function assertMethod(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = '' } = request;
  const allow = METHODS.join(', ');
  if (!METHODS.includes(method)) {
    drainRequest(request);
    throw new PlatformError('REQ_METHOD_NOT_ALLOWED', `${method} is not supported here; use ${allow}`, {
      headers: { Allow: allow },
    });
  }
  if (method !== 'OPTIONS') return true;
  response.writeHead(200, { Allow: allow, 'Content-Length': 0 }).end();
  return false;
}

/** Sends a content; of HEAD only its length. */
export function send({ method }: IncomingMessage, response: ServerResponse, content: Buffer): void {
  response.setHeader('Content-Length', content.length);
  response.end(method === 'HEAD' ? undefined : content);
}
