import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isSameDigest } from '../../compare-secrets.ts';

/** The header with which the gateway proves that it set the forwarding headers of a request. */
export const FORWARDING_PROOF_HEADER = 'x-lintel-forwarding';

/** The value of the header. It is derived from the internal secret, and opens nothing. */
export const forwardingProofOf = (internalSecret: string): string =>
  createHmac('sha256', internalSecret).update('forwarding headers of the gateway').digest('base64url');

/**
 * Creates a step that removes `X-Forwarded-*`, `Forwarded` and `X-Real-IP` unless the gateway has set them: a client that
 * reaches the port of a service could otherwise choose the address that limits count.
 */
export function createForwardingCheck(internalSecret: string): (request: Pick<IncomingMessage, 'headers'>) => void {
  const expected = Buffer.from(forwardingProofOf(internalSecret));
  return ({ headers }) => {
    const proof = headers[FORWARDING_PROOF_HEADER];
    if (proof !== undefined) delete headers[FORWARDING_PROOF_HEADER];
    const sent = typeof proof === 'string' ? Buffer.from(proof) : undefined;
    if (sent === undefined || !isSameDigest(sent, expected)) removeForwardingHeaders(headers);
  };
}

/** Removes what proxies report about the client of a request. */
export function removeForwardingHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) if (name.startsWith('x-forwarded-')) delete headers[name];
  if (headers.forwarded !== undefined) delete headers.forwarded;
  if (headers['x-real-ip'] !== undefined) delete headers['x-real-ip'];
}
