import type { SessionStore } from '@lintel/cache';
import { AUDIENCE_REST, type ExchangeRefused, type TicketRequest, type TicketResponse } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Tickets } from './create-tickets.ts';

export interface IssueTicketDeps {
  readonly tickets: Tickets;
  readonly ticketLifeMs: number;
  readonly signer: Pick<TokenSigner, 'verify'>;
  readonly sessions: Pick<SessionStore, 'load'>;
}

/**
 * A ticket for one request of the caller of a JWT. Its request ends with the session, not with the token.
 *
 * @throws PlatformError REQ_TOO_MANY_REQUESTS
 */
export async function issueTicket(
  { subjectToken, method, url, file }: TicketRequest,
  { tickets, ticketLifeMs, signer, sessions }: IssueTicketDeps,
): Promise<TicketResponse | ExchangeRefused> {
  const claims = await signer.verify(subjectToken, [AUDIENCE_REST]);
  const session = claims === undefined ? undefined : await sessions.load(claims.sid);
  // Calls without a token have no session that could end.
  if (claims === undefined || session === undefined || session.kind === 'anonymous') return { reason: 'invalid' };
  const { sub, client_id, sid, scope, acr, amr, auth_time } = claims;
  const caller = { sub, client_id, sid, scope, authentication: { acr, amr, auth_time }, file };
  const ticket = await tickets.issue(caller, { method, url });
  if (ticket === undefined)
    throw new PlatformError('REQ_TOO_MANY_REQUESTS', 'Too many tickets of one session within a minute');
  return { ticket, expiresIn: Math.floor(ticketLifeMs / 1000) };
}
