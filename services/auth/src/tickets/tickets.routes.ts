import { sessionCheckSchema, ticketRequestSchema } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import { type IssueTicketDeps, issueTicket } from './issue-ticket.ts';

export interface TicketRoutesDeps extends IssueTicketDeps {
  /** Whether the login of a session at an identity provider is still valid. */
  readonly isAlive?: ((sessionId: string) => Promise<boolean>) | undefined;
}

/** Routes of the internal listener for tickets; the callers have the shared secret. */
export function registerTicketRoutes(router: Router, deps: TicketRoutesDeps): void {
  router.post('/tickets', async (request, response) => {
    const issued = await issueTicket(await receiveJson(request, ticketRequestSchema), deps);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 'reason' in issued ? 401 : 200, issued);
  });
  router.post('/sessions/check', async (request, response) => {
    const { sessionId } = await receiveJson(request, sessionCheckSchema);
    const session = await deps.sessions.load(sessionId);
    const isValid =
      session !== undefined &&
      (session.kind !== 'user' || deps.isAlive === undefined || (await deps.isAlive(sessionId)));
    response.status(isValid ? 204 : 404).end();
  });
}
