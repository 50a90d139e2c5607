import type { Principal } from '@lintel/contracts';
import { contextOf, handleUnknown, handlingFor, sendJson, type UnknownMembers, unknownMembersOf } from '@lintel/http';
import type { Router } from 'express';
import { type QueryBodyLimits, receiveMembers } from '../receiving/receive-members.ts';
import { assertLogin, urlWith } from './file-tickets.ts';
import { parseTarget, TICKET_MEMBERS } from './parse-target.ts';
import type { Tickets } from './tickets.ts';

export interface TicketRoutesOptions {
  /** Path below the router, e.g. `/tickets`. */
  readonly path: string;
  /** Complete paths below which requests may have tickets. */
  readonly targets: readonly string[];
  readonly tickets: Tickets;
  readonly unknownMembers: UnknownMembers;
  readonly limitsOf: (principal: Principal) => QueryBodyLimits;
}

/** A URL of the maximum length, percent-encoded by the client or not. */
const MAX_BODY_BYTES = 32 * 1024;

/** `POST /tickets`: a ticket for one request (contract/tokens.md#tickets). */
export function registerTicketRoutes(router: Router, options: TicketRoutesOptions): void {
  const { targets, tickets, unknownMembers } = options;
  router.post(options.path, async (request, response) => {
    const { principal, token } = contextOf(request, response);
    assertLogin(principal);
    const members = await receiveMembers(request, response, MAX_BODY_BYTES, options.limitsOf(principal));
    const handling = handlingFor(request, response, unknownMembers);
    handleUnknown(response, handling, 'body', unknownMembersOf(members, TICKET_MEMBERS), TICKET_MEMBERS);
    const target = parseTarget(members, targets);
    const { ticket, expiresIn } = await tickets.issue({ ...target, subjectToken: token });
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 201, { ticket, url: urlWith(ticket, target), expiresIn });
  });
}
