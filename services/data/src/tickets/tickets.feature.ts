import { REPORTS_PATH } from '@lintel/contracts';
import { contextOf, handleUnknown, handlingFor, sendJson, unknownMembersOf } from '@lintel/http';
import type { Router } from 'express';
import type { Engine, FeatureFactory } from '../feature.ts';
import { receiveMembers } from '../receiving/receive-members.ts';
import { assertLogin, urlWith } from './file-tickets.ts';
import { parseTarget, TICKET_MEMBERS } from './parse-target.ts';

/** One-time tickets for downloads and feeds of changes. */
export const ticketsFeature: FeatureFactory = (engine) => ({ register: ({ rest }) => registerRoutes(rest, engine) });

/** A URL of the maximum length, percent-encoded by the client or not. */
const MAX_BODY_BYTES = 32 * 1024;

/** `POST /tickets`: a ticket for one request (contract/tokens.md#tickets). */
function registerRoutes(router: Router, { ports, config, read }: Engine): void {
  const { basePath, filesPath, changesPath, ticketsPath } = config.paths;
  // Complete paths below which requests may have tickets.
  const targets = [`${basePath}${filesPath}`, REPORTS_PATH, `${basePath}${changesPath}`];
  router.post(ticketsPath, async (request, response) => {
    const { principal, token } = contextOf(request, response);
    assertLogin(principal);
    const members = await receiveMembers(request, response, MAX_BODY_BYTES, read.limitsOf(principal));
    const handling = handlingFor(request, response, config.unknownMembers);
    handleUnknown(response, handling, 'body', unknownMembersOf(members, TICKET_MEMBERS), TICKET_MEMBERS);
    const target = parseTarget(members, targets);
    const { ticket, expiresIn } = await ports.tickets.issue({ ...target, subjectToken: token });
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 201, { ticket, url: urlWith(ticket, target), expiresIn });
  });
}
