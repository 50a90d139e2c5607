import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { cutResponse, drainRequest } from '@lintel/http';
import { HOP_BY_HOP, namesOthers, removeHopByHop } from './hop-by-hop.ts';
import { streamBody } from './stream-body.ts';

/** Sets the headers of a response that is to be coded, and returns its encoder. */
export type ResponseEncoding = (
  request: IncomingMessage,
  status: number,
  headers: IncomingHttpHeaders,
) => Transform | undefined;

/** Status and headers of the response of a service. */
export interface ResponseHead {
  readonly status: number;
  readonly statusMessage: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Headers of the service's connection. Node frames the body for the client's connection itself. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'connection', 'transfer-encoding']);

/** A reason phrase that can be sent. */
const REASON = /^[\x20-\x7e]+$/;

/** Sets status and headers of the client's response. Returns the encoder of the body if it is to be coded. */
export function forwardHead(
  { status, statusMessage, headers }: ResponseHead,
  request: IncomingMessage,
  response: ServerResponse,
  encode: ResponseEncoding | undefined,
): Transform | undefined {
  if (namesOthers(headers.connection)) removeHopByHop(headers);
  const encoder = encode?.(request, status, headers);
  const vary = response.getHeader('vary');
  if (vary !== undefined) headers.vary = headers.vary === undefined ? String(vary) : `${String(vary)}, ${headers.vary}`;
  // Only the gateway sets CORS headers.
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !NOT_FORWARDED.has(name) && !name.startsWith('access-control-'))
      response.setHeader(name, value);
  }
  response.statusCode = status;
  if (statusMessage !== undefined && statusMessage !== STATUS_CODES[status] && REASON.test(statusMessage))
    response.statusMessage = statusMessage;
  return encoder;
}

/**
 * Forwards status, headers and body of a response to the client, as fast as the client reads.
 *
 * @param onBroken called if the body ends early; it must cut the response of the client
 */
export function forwardResponse(
  upstreamResponse: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  encode: ResponseEncoding | undefined,
  onBroken: (error: Error) => void,
): void {
  const { headers, statusCode: status = 502, statusMessage } = upstreamResponse;
  const encoder = forwardHead({ status, statusMessage, headers }, request, response, encode);
  if (!request.complete) response.once('finish', () => drainRequest(request));
  upstreamResponse.once('error', onBroken);
  if (encoder === undefined) streamBody(upstreamResponse, response);
  else forwardEncoded(upstreamResponse, encoder, response);
}

/** An error in one of the three streams ends the others: an incomplete response never looks complete. */
function forwardEncoded(upstreamResponse: IncomingMessage, encoder: Transform, response: ServerResponse): void {
  // `sendEncoded` cuts the response.
  pipeline(upstreamResponse, encoder, () => {});
  sendEncoded(encoder, response);
}

/** Sends what an encoder returns. If one of the two fails, the other one is destroyed. */
export function sendEncoded(encoder: Transform, response: ServerResponse): void {
  encoder.once('error', () => cutResponse(response));
  response.once('close', () => encoder.destroy());
  encoder.pipe(response);
}
