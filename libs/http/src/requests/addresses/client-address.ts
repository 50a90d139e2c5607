import type { IncomingMessage } from 'node:http';

/**
 * The client's address: the first one that the gateway forwards, else the one of the connection. `createServiceApp`
 * removes the header of requests that the gateway did not send.
 */
export function clientAddressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const forwarded = request.headers['x-forwarded-for'];
  const text = Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '');
  const end = text.indexOf(',');
  const first = (end === -1 ? text : text.slice(0, end)).trim();
  return first === '' ? (request.socket.remoteAddress ?? '') : first;
}
