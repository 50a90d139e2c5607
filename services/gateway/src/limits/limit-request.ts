import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { drainRequest } from '@lintel/http';
import type { RequestHandler } from 'express';

export interface RequestLimits {
  readonly maxUrlLength: number;
  /** Undefined: services alone decide. */
  readonly maxBodyBytes: number | undefined;
}

/** Refuses what a request's head says about its size, before anything else is done with it. */
export const limitRequest =
  ({ maxUrlLength, maxBodyBytes }: RequestLimits): RequestHandler =>
  (request, _response, next) => {
    if (request.url.length > maxUrlLength) {
      drainRequest(request);
      throw new PlatformError('REQ_URL_TOO_LONG', `The URL is longer than ${maxUrlLength} bytes`);
    }
    if (maxBodyBytes !== undefined && Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
      drainRequest(request);
      throw bodyTooLarge(maxBodyBytes);
    }
    next();
  };

/** Counts a body of untold length on its way, and tells once that it has become too long. */
export function limitBody(request: IncomingMessage, maxBytes: number, refuse: (error: PlatformError) => void): void {
  let received = 0;
  const count = (piece: Buffer) => {
    received += piece.length;
    if (received <= maxBytes) return;
    request.off('data', count);
    refuse(bodyTooLarge(maxBytes));
  };
  request.on('data', count);
}

const bodyTooLarge = (maxBodyBytes: number): PlatformError =>
  new PlatformError('REQ_BODY_TOO_LARGE', `The request body is larger than ${maxBodyBytes} bytes`);
