import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';

/**
 * The error of a request whose length other servers may read in another way (RFC 9112 §6.1): a proxy in front would send
 * two requests, or half of one. Node itself refuses a second length, and a coding after `chunked`.
 */
export function framingErrorOf({ headers, httpVersion }: IncomingMessage): PlatformError | undefined {
  const { 'transfer-encoding': coding } = headers;
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0') return invalid('A request of HTTP/1.0 cannot have the header Transfer-Encoding');
  return coding.toLowerCase() === 'chunked' ? undefined : invalid('The header Transfer-Encoding must be chunked');
}

const invalid = (details: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', details);
