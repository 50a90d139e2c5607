import type { ExchangeRequest, ExchangeResponse } from '@lintel/contracts';

/** Port to auth: the token of a client, or none, for a JWT of at most 60 s. */
export interface TokenExchange {
  /**
   * @throws PlatformError AUTH_INVALID_TOKEN where auth refuses the token; AUTH_UNAVAILABLE where auth
   *   does not answer
   */
  exchange(request: ExchangeRequest): Promise<ExchangeResponse>;
}
