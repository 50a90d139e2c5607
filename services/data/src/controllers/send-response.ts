import type { ServerResponse } from 'node:http';
import type { ControllerResponse } from '@lintel/application';
import { sendJsonText } from '@lintel/http';

const NO_CONTENT = 204;

/** Sends the response of application code: texts and bytes unchanged, everything else as JSON. */
export function sendControllerResponse(response: ServerResponse, { status, headers, body }: ControllerResponse): void {
  response.statusCode = status ?? (body === undefined ? NO_CONTENT : 200);
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (body === undefined) response.end();
  else if (typeof body === 'string' || body instanceof Uint8Array) {
    if (!response.hasHeader('Content-Type'))
      response.setHeader(
        'Content-Type',
        typeof body === 'string' ? 'text/plain;charset=UTF-8' : 'application/octet-stream',
      );
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  } else if (response.hasHeader('Content-Type')) response.end(JSON.stringify(body));
  else sendJsonText(response, JSON.stringify(body));
}
