import type { IncomingMessage } from 'node:http';

/** The person's address: the first one that the gateway forwards, or else who is connected (contract §1.4). */
export function clientAddress(request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  const [first] = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  return first?.trim() || (request.socket.remoteAddress ?? '');
}
