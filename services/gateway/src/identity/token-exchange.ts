import type { ExchangeRequest, ExchangeResponse } from '@lintel/contracts';

/** Port to auth: exchanges the token of a client, or its absence, for a JWT that is valid for at most 60 s. */
export interface TokenExchange {
  /**
   * @throws PlatformError AUTH_INVALID_TOKEN if auth refuses the token; AUTH_UNAVAILABLE where it
   *   does not respond
   */
  exchange(request: ExchangeRequest): Promise<ExchangeResponse>;
  /** @throws PlatformError AUTH_INVALID_TOKEN if the session has ended; AUTH_UNAVAILABLE */
  assertSession(sessionId: string): Promise<void>;
}
