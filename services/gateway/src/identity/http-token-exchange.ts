import { exchangeRefusedSchema, exchangeResponseSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { DESCRIPTION_EXPIRED, DESCRIPTION_INVALID } from '@lintel/http';
import { createServiceClient, type JsonResponse } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { TokenExchange } from './token-exchange.ts';

export interface HttpTokenExchangeOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly internalSecret: string;
  readonly timeoutMs?: number;
  readonly metrics?: Metrics | undefined;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** Exchanges tokens at `POST /internal/exchange` of auth. */
export function createHttpTokenExchange(options: HttpTokenExchangeOptions): TokenExchange {
  const auth = createServiceClient(options.authInternalUrls, {
    service: 'auth',
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    metrics: options.metrics,
  });
  return {
    async exchange(request) {
      let response: JsonResponse;
      try {
        response = await auth.sendJson('/internal/exchange', {
          method: 'POST',
          token: options.internalSecret,
          json: request,
        });
      } catch (cause) {
        throw new PlatformError('AUTH_UNAVAILABLE', 'The token cannot be checked now', { cause });
      }
      if (response.status === 200) return exchangeResponseSchema.parse(response.body);
      const refused = exchangeRefusedSchema.safeParse(response.body);
      // A 401 without a reason means that our own secret was refused: a fault of the installation.
      if (response.status !== 401 || !refused.success)
        throw new PlatformError('AUTH_UNAVAILABLE', 'The token cannot be checked now', {
          cause: new Error(`auth returned ${response.status} to a token exchange`),
        });
      throw new PlatformError(
        'AUTH_INVALID_TOKEN',
        refused.data.reason === 'expired' ? DESCRIPTION_EXPIRED : DESCRIPTION_INVALID,
      );
    },
    async assertSession(sessionId) {
      let response: JsonResponse;
      try {
        response = await auth.sendJson('/internal/sessions/check', {
          method: 'POST',
          token: options.internalSecret,
          json: { sessionId },
        });
      } catch (cause) {
        throw new PlatformError('AUTH_UNAVAILABLE', 'The session cannot be checked now', { cause });
      }
      if (response.status === 404) throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
      if (response.status !== 204)
        throw new PlatformError('AUTH_UNAVAILABLE', 'The session cannot be checked now', {
          cause: new Error(`auth responded with ${response.status} to a check of a session`),
        });
    },
  };
}
