import type { TicketRequest, TicketResponse } from '@lintel/contracts';

/** Port to auth, which issues tickets. */
export interface Tickets {
  /**
   * @throws PlatformError AUTH_INVALID_TOKEN if the session has ended; REQ_TOO_MANY_REQUESTS; AUTH_UNAVAILABLE
   */
  issue(request: TicketRequest): Promise<TicketResponse>;
}
