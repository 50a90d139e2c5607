import { ticketResponseSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { DESCRIPTION_INVALID } from '@lintel/http';
import { createServiceClient, type JsonResponse } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { Tickets } from './tickets.ts';

export interface HttpTicketsOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly internalSecret: string;
  readonly metrics?: Metrics | undefined;
}

const TIMEOUT_MS = 5_000;

/** Calls `POST /internal/tickets` of auth. */
export function createHttpTickets({ authInternalUrls, internalSecret, metrics }: HttpTicketsOptions): Tickets {
  const auth = createServiceClient(authInternalUrls, { service: 'auth', timeoutMs: TIMEOUT_MS, metrics });
  return {
    async issue(request) {
      let response: JsonResponse;
      try {
        response = await auth.sendJson('/internal/tickets', { method: 'POST', token: internalSecret, json: request });
      } catch (cause) {
        throw unavailable(cause);
      }
      const { status, body } = response;
      if (status === 200) return ticketResponseSchema.parse(body);
      if (status === 401 && typeof body === 'object' && body !== null && 'reason' in body)
        throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
      if (status === 429)
        throw new PlatformError('REQ_TOO_MANY_REQUESTS', 'Too many tickets of one session within a minute', {
          headers: { 'Retry-After': '60' },
        });
      throw unavailable(new Error(`auth responded with ${status} to a request for a ticket`));
    },
  };
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('AUTH_UNAVAILABLE', 'No ticket can be issued now', { cause });
