import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { drainRequest, type Step } from '@lintel/http';

export interface RequestLimits {
  readonly maxUrlLength: number;
  /** Undefined: only the services limit bodies. */
  readonly maxBodyBytes: number | undefined;
}

/** Refuses requests whose URL, or whose declared body, is too long, before any other step. */
export const limitRequest =
  ({ maxUrlLength, maxBodyBytes }: RequestLimits): Step =>
  (request, _response, next) => {
    if ((request.url ?? '').length > maxUrlLength) {
      drainRequest(request);
      throw new PlatformError('REQ_URL_TOO_LONG', `The URL is longer than ${maxUrlLength} bytes`);
    }
    if (maxBodyBytes !== undefined && Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
      drainRequest(request);
      throw bodyTooLarge(maxBodyBytes);
    }
    next();
  };

/** Counts the bytes of a body of unknown length while it arrives, and calls `refuse` once if it is too long. */
export function limitBody(request: IncomingMessage, maxBytes: number, refuse: (error: PlatformError) => void): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= maxBytes) return;
    request.off('data', count);
    refuse(bodyTooLarge(maxBytes));
  };
  request.on('data', count);
}

export const bodyTooLarge = (maxBodyBytes: number): PlatformError =>
  new PlatformError('REQ_BODY_TOO_LARGE', `The request body is larger than ${maxBodyBytes} bytes`);
