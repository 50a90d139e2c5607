import { sessionCheckSchema, ticketRequestSchema } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { FeatureFactory } from '../feature.ts';
import { issueTicket } from './issue-ticket.ts';

/** One-time tickets for downloads and feeds. */
export const ticketsFeature: FeatureFactory<'ports' | 'config' | 'tickets' | 'signer' | 'federation'> = ({
  ports: { sessions },
  config: { ticketLifeMs },
  tickets,
  signer,
  federation: { isAlive },
}) => ({
  register({ internal }) {
    internal.post('/tickets', async (request, response) => {
      const asked = await receiveJson(request, ticketRequestSchema);
      const issued = await issueTicket(asked, { tickets, ticketLifeMs, signer, sessions });
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, 'reason' in issued ? 401 : 200, issued);
    });
    internal.post('/sessions/check', async (request, response) => {
      const { sessionId } = await receiveJson(request, sessionCheckSchema);
      const session = await sessions.load(sessionId);
      // The login of a session may be at an identity provider, where it can end.
      const isValid =
        session !== undefined && (session.kind !== 'user' || isAlive === undefined || (await isAlive(sessionId)));
      response.status(isValid ? 204 : 404).end();
    });
  },
});
