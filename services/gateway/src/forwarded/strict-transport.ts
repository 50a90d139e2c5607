import type { IncomingMessage } from 'node:http';
import type { Step } from '@lintel/http';
import type { Forwarded } from './create-forwarded-reader.ts';

export interface StrictTransportOptions {
  readonly maxAgeMs: number;
  /** Whether there are proxies whose scheme is trusted. */
  readonly hasTrustedProxies: boolean;
  readonly forwardedOf: (request: IncomingMessage) => Forwarded;
}

/** `Strict-Transport-Security` in all responses over TLS, of the gateway itself or of a trusted proxy (RFC 6797). */
export function strictTransport({ maxAgeMs, hasTrustedProxies, forwardedOf }: StrictTransportOptions): Step {
  const value = `max-age=${Math.floor(maxAgeMs / 1_000)}`;
  return (request, response, next) => {
    const isSecure = 'encrypted' in request.socket || (hasTrustedProxies && forwardedOf(request).proto === 'https');
    if (isSecure) response.setHeader('Strict-Transport-Security', value);
    next();
  };
}
