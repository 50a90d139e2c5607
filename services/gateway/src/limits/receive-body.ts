import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitsContinue, drainRequest } from '@lintel/http';
import type { ConcurrentRequests } from './concurrent-requests.ts';
import { bodyArrived } from './slow-body.ts';

export interface BodyDeps {
  readonly requests: ConcurrentRequests;
  readonly bodyTimeoutMs: number;
}

/**
 * Waits until a body has arrived, or the first 64 KB of a long one. Undefined if no wait is needed.
 *
 * @throws PlatformError REQ_TOO_SLOW; REQ_TOO_MANY_REQUESTS if the address has too many slow bodies
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  { requests, bodyTimeoutMs }: BodyDeps,
): Promise<void> | undefined {
  // The service decides whether the client should send it.
  if (awaitsContinue(request)) return undefined;
  return bodyArrived(request, bodyTimeoutMs, () => requests.beginBody(address))?.catch((error: unknown) => {
    response.setHeader('Connection', 'close');
    drainRequest(request);
    throw error;
  });
}
