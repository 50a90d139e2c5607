import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { isHost } from '../requests/urls/is-host.ts';

/**
 * The error of a request whose `Host` is invalid (RFC 9112 §3.2): missing in HTTP/1.1, repeated, or not a host. An
 * empty one is allowed: the client has no host.
 */
export function hostErrorOf(request: IncomingMessage): PlatformError | undefined {
  const { host } = request.headers;
  if (host === undefined) return request.httpVersion === '1.0' ? undefined : invalid('The request has no Host header');
  if (host !== '' && !isHost(host)) return invalid('The Host header is not a host name or address');
  const { rawHeaders } = request;
  let count = 0;
  // `request.headers` has only the first one.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? invalid('The request has more than one Host header') : undefined;
}

const invalid = (details: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', details);
