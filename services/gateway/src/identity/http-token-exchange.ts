import { exchangeRefusedSchema, exchangeResponseSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { DESCRIPTION_EXPIRED, DESCRIPTION_INVALID } from '@lintel/http';
import { traceparentOf } from '@lintel/telemetry';
import type { TokenExchange } from './token-exchange.ts';

export interface HttpTokenExchangeOptions {
  /** Internal listener of auth. */
  readonly authInternalUrl: string;
  readonly internalSecret: string;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** Exchanges tokens at `POST /internal/exchange` of auth. */
export function createHttpTokenExchange(options: HttpTokenExchangeOptions): TokenExchange {
  const url = `${options.authInternalUrl}/internal/exchange`;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return {
    async exchange(request) {
      const traceparent = traceparentOf();
      let answer: { readonly status: number; readonly body: unknown };
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${options.internalSecret}`,
            'content-type': 'application/json',
            ...(traceparent === undefined ? {} : { traceparent }),
          },
          body: JSON.stringify(request),
          signal: AbortSignal.timeout(timeoutMs),
        });
        answer = { status: response.status, body: await response.json() };
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
