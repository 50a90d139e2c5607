import { consentRequestSchemas as schemas } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import { endConsent, listConsents, type ManageConsentsDeps } from './manage-consents.ts';

/** Routes of the internal listener for the consents of users; the callers have the shared secret. */
export function registerConsentRoutes(router: Router, deps: ManageConsentsDeps): void {
  router.post('/consents/list', async (request, response) => {
    const { username } = await receiveJson(request, schemas.list);
    sendJson(response, 200, await listConsents(username, deps));
  });
  router.post('/consents/end', async (request, response) => {
    sendJson(response, 200, { ended: await endConsent(await receiveJson(request, schemas.end), deps) });
  });
}
