import { securityEventsRequestSchema } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { SecurityEventStore } from './security-event-store.ts';

/** The route of the internal listener for security events; the callers have the shared secret. */
export function registerSecurityEventRoutes(router: Router, store: Pick<SecurityEventStore, 'page'>): void {
  router.post('/security-events', async (request, response) => {
    sendJson(response, 200, await store.page(await receiveJson(request, securityEventsRequestSchema)));
  });
}
