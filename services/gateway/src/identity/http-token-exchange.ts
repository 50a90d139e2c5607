import { exchangeRefusedSchema, exchangeResponseSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createReplicaCaller, DESCRIPTION_EXPIRED, DESCRIPTION_INVALID } from '@lintel/http';
import { traceHeaders } from '@lintel/telemetry';
import type { TokenExchange } from './token-exchange.ts';

export interface HttpTokenExchangeOptions {
  /** Internal listeners of the replicas of auth. */
  readonly authInternalUrls: readonly string[];
  readonly internalSecret: string;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** Exchanges tokens at `POST /internal/exchange` of auth. */
export function createHttpTokenExchange(options: HttpTokenExchangeOptions): TokenExchange {
  const callReplica = createReplicaCaller(options.authInternalUrls);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return {
    async exchange(request) {
      let answer: { readonly status: number; readonly body: unknown };
      try {
        answer = await callReplica(async (url) => {
          const response = await fetch(`${url}/internal/exchange`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${options.internalSecret}`,
              'content-type': 'application/json',
              ...traceHeaders(),
            },
            body: JSON.stringify(request),
            signal: AbortSignal.timeout(timeoutMs),
          });
          return { status: response.status, body: await response.json() };
        });
      } catch (cause) {
        throw new PlatformError('AUTH_UNAVAILABLE', 'The token cannot be checked now', { cause });
      }
      if (answer.status === 200) return exchangeResponseSchema.parse(answer.body);
      const refused = exchangeRefusedSchema.safeParse(answer.body);
      // A 401 without a reason means that our own secret was refused: a fault of the installation.
      if (answer.status !== 401 || !refused.success)
        throw new PlatformError('AUTH_UNAVAILABLE', 'The token cannot be checked now', {
          cause: new Error(`auth answered ${answer.status} to a token exchange`),
        });
      throw new PlatformError(
        'AUTH_INVALID_TOKEN',
        refused.data.reason === 'expired' ? DESCRIPTION_EXPIRED : DESCRIPTION_INVALID,
      );
    },
  };
}
