import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { drainRequest } from '@lintel/http';
import { removeHopByHop } from './hop-by-hop.ts';
import { streamBody } from './stream-body.ts';

/** Sets the headers of an answer that is coded on its way, and returns what its bytes must go through. */
export type AnswerEncoding = (
  request: IncomingMessage,
  status: number,
  headers: IncomingHttpHeaders,
) => Transform | undefined;

/** Sends status, headers and body of an answer on to the client, at the pace at which the client takes them. */
export function passAnswer(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  encode: AnswerEncoding | undefined,
): void {
  const { headers, statusCode = 502, statusMessage } = answer;
  removeHopByHop(headers);
  // Node frames the body for the client's connection itself.
  delete headers['transfer-encoding'];
  delete headers.connection;
  const encoder = encode?.(request, statusCode, headers);
  const vary = response.getHeader('vary');
  if (vary !== undefined) headers.vary = headers.vary === undefined ? String(vary) : `${String(vary)}, ${headers.vary}`;
  // CORS is the gateway's business alone.
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.startsWith('access-control-')) response.setHeader(name, value);
  response.statusCode = statusCode;
  if (statusMessage !== undefined && statusMessage !== '') response.statusMessage = statusMessage;
  if (!request.complete) response.once('finish', () => drainRequest(request));
  if (encoder === undefined) streamBody(answer, response);
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
